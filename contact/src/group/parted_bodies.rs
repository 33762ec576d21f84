//! Bodies are cut and break when a frame has succeeded for all of them. Those that were cut, broke, or became whole again get other contact points.
//!
//! Points of the remaining skin stay, with their cached contacts, and cut faces get points of their own. Pieces of one body do not touch each other here: a body that breaks
//! keeps its pieces apart itself.

use std::sync::Arc;

use rayon::prelude::*;

use pliant_core::model::SteppedModel;

use crate::detection::{Partner, parts_of_key};
use crate::group::body_group::BodyGroup;
use crate::solver::NONE;
use crate::surface::ContactShape;

impl<M: SteppedModel> BodyGroup<M> {
    /// Cuts and breaks the bodies that are awake at the end of a frame that has succeeded for all of them.
    pub(crate) fn part_bodies(&mut self) {
        let Self {
            models,
            boundaries,
            sleep,
            ..
        } = self;
        let bodies = models.par_iter_mut().zip(boundaries).zip(sleep);
        bodies.for_each(|((model, boundary), sleep)| match sleep.asleep {
            true => discard_blades(model),
            false => model.part(boundary),
        });
    }

    /// Discards the blades of a frame that was refused or has failed.
    pub(crate) fn discard_blades(&mut self) {
        self.models.iter_mut().for_each(discard_blades);
    }

    /// Updates the contact points of bodies that are in other parts than before. Wakes these and what touched them; cached contacts of points that vanished are removed.
    pub(crate) fn update_parted_bodies(&mut self) {
        for (body, old) in self.update_parted_shapes() {
            self.wake_with_neighbours(body);
            let new = &self.shapes[body];
            let skin = self.models[body].surface().vertex_count() as u32;
            let number = |point: u32| new.point_of(&old, point, skin);
            self.solver.renumber(body as u32, number);
            self.refresh_one(body);
        }
    }

    /// Updates the shapes of bodies that are in other parts than before. Returns these bodies, with the shapes that they had.
    pub(crate) fn update_parted_shapes(&mut self) -> Vec<(usize, Arc<ContactShape>)> {
        let Self {
            models,
            shapes,
            parted_surface_revisions,
            ..
        } = self;
        let mut bodies = models.iter().zip(&*parted_surface_revisions);
        if bodies.all(|(model, last)| model.parted_surface_revision() == *last) {
            return Vec::new();
        }
        let bodies = models
            .par_iter()
            .zip(shapes)
            .zip(parted_surface_revisions)
            .enumerate();
        let changed = bodies.filter_map(|(body, ((model, shape), last))| {
            let revision = model.parted_surface_revision();
            if std::mem::replace(last, revision) == revision {
                return None;
            }
            let present = &*shape;
            let whole = present.whole.as_ref().unwrap_or(present);
            let next = match model.parted_surface() {
                Some(parts) => Arc::new(ContactShape::in_parts(
                    whole,
                    &parts,
                    model.inverse_masses(),
                    model.contact_spacing(),
                    model.exclusion_distance(),
                )),
                None => Arc::clone(whole),
            };
            let is_new = !Arc::ptr_eq(present, &next);
            is_new.then(|| (body, std::mem::replace(shape, next)))
        });
        let changed: Vec<(usize, Arc<ContactShape>)> = changed.collect();
        for (body, _) in &changed {
            // a body that is whole again keeps room for the nodes of its parts
            let nodes = self.models[*body].node_positions().len();
            let slots = &mut self.slot_of[*body];
            slots.resize(nodes.max(slots.len()), NONE);
        }
        changed
    }

    /// Wakes a body and those that touched it in the last frame: their support may be gone.
    fn wake_with_neighbours(&mut self, body: usize) {
        self.sleep[body].wake();
        for cached in &self.solver.cached {
            if let (one, Partner::Body(other), _) = parts_of_key(cached.key) {
                let pair = [one as usize, other as usize];
                if pair.contains(&body) {
                    pair.into_iter().for_each(|k| self.sleep[k].wake());
                }
            }
        }
    }
}

/// Discards the blades of a frame that did not cut a body, so that they do not cut it later.
fn discard_blades<M: SteppedModel>(model: &mut M) {
    // a body that cannot be cut has none
    let _ = model.set_blades(&[]);
}
