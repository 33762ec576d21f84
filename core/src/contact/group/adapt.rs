//! Bodies that change their resolution between frames: they hear what they touch and what they may cost ([`super::govern`]), and contact points
//! follow the nodes that move them then.

use std::sync::Arc;

use rayon::prelude::*;

use super::BodyGroup;
use super::narrow::{Candidate, Found, Partner};
use crate::boundary::BoundaryConditions;
use crate::contact::stepped::{SteppedModel, TouchedPlaces};
use crate::model::WorkBudget;

/// A place is in touch, not only near, up to this distance over the contact spacing.
const IN_TOUCH: f64 = 0.02;

impl<M: SteppedModel> BodyGroup<M> {
    /// Whether a body of this group may change its resolution.
    fn has_changing_bodies(&self) -> bool {
        self.models.iter().any(|m| m.revision() != 0)
    }

    /// Lets all that are awake change their resolution and choose their steps, within `budget`. What changed has its contacts found anew. Returns the
    /// part of the frame that bodies live through, s.
    pub(super) fn adapt(&mut self, duration: f64, budget: WorkBudget) -> f64 {
        if !self.has_changing_bodies() || self.rest.iter().all(|r| r.asleep) {
            return duration;
        }
        self.gather_touched();
        self.share_budget(budget);
        self.with_touched(|model, boundary, touched, budget| {
            model.adapt(duration, boundary, touched, budget);
        });
        if self.attach() {
            self.refresh(false);
            self.find(duration);
            self.gather_touched();
        }
        let lived = self.govern(duration);
        // elements may have got inertia
        self.attach();
        if lived < duration {
            // tools go all of their way in what is left of the frame
            let hastened = duration / lived;
            self.boundaries.iter_mut().for_each(|b| b.hasten(hastened));
            self.find(lived);
        }
        lived
    }

    pub(super) fn with_touched(
        &mut self,
        f: impl Fn(&mut M, &BoundaryConditions, &TouchedPlaces, WorkBudget) + Sync,
    ) {
        let Self {
            models,
            boundaries,
            touched,
            budgets,
            rest,
            ..
        } = self;
        let known = boundaries.par_iter().zip(touched).zip(budgets).zip(rest);
        let each = models.par_iter_mut().zip(known);
        each.for_each(|(model, (((boundary, touched), budget), rest))| {
            if !rest.asleep {
                f(model, boundary, touched, *budget);
            }
        });
    }

    /// What each body touches, from the contacts that were found.
    pub(super) fn gather_touched(&mut self) {
        let Self {
            touched,
            found,
            shapes,
            ..
        } = self;
        for (touched, shape) in touched.iter_mut().zip(shapes.iter()) {
            touched.clear(shape.spacing * shape.spacing);
        }
        for found in found.iter() {
            for c in &found.candidates {
                let is_pressed = c.gap < IN_TOUCH * shapes[c.body as usize].spacing;
                let own = side(found, c, c.from..c.split, 1.0);
                touched[c.body as usize].push(own, is_pressed);
                match c.partner {
                    Partner::Tool(_) => {}
                    // both sides are in one row
                    Partner::Body(b) if b == c.body => {
                        let other = side(found, c, c.from..c.split, -1.0);
                        touched[b as usize].push(other, is_pressed);
                    }
                    Partner::Body(b) => {
                        let other = side(found, c, c.split..c.to, -1.0);
                        touched[b as usize].push(other, is_pressed);
                    }
                }
            }
        }
    }

    /// Contact points follow the nodes that move them now, where these are others than before. Tells whether there were any.
    pub(super) fn attach(&mut self) -> bool {
        let Self {
            models,
            shapes,
            attached,
            ..
        } = self;
        let mut any = false;
        for ((model, shape), attached) in models.iter().zip(shapes).zip(attached) {
            let revision = model.revision();
            if revision != *attached {
                *attached = revision;
                let rows = model.rows_of(&shape.vertices);
                // bodies of one skin share a shape until their nodes differ
                Arc::make_mut(shape).attach(&rows, model.inverse_masses());
                any = true;
            }
        }
        any
    }
}

/// The part of a contact's row on one side of it. In a row with both sides of one body the sign tells them apart.
fn side<'a>(
    found: &'a Found,
    c: &Candidate,
    range: std::ops::Range<u32>,
    sign: f64,
) -> impl Iterator<Item = (u32, f64)> + 'a {
    let is_own = c.partner == Partner::Body(c.body);
    let entries = &found.entries[range.start as usize..range.end as usize];
    let signed = entries.iter().map(move |&(n, w)| (n, w * sign));
    signed.filter(move |(_, w)| !is_own || *w > 0.0)
}
