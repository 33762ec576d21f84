//! Places where each body is touched when a frame begins.

use rayon::prelude::*;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::model::rest::TOUCHING_DISTANCE;
use pliant_core::model::{SteppedModel, TouchedPlaces, WorkBudget};

use crate::detection::{Candidate, FoundContacts, Partner};
use crate::group::body_group::BodyGroup;

impl<M: SteppedModel> BodyGroup<M> {
    /// Collects the places where each body is touched from the contacts that were found.
    pub(crate) fn gather_touched(&mut self) {
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
                // in touch and not only near
                let is_pressed = c.gap < TOUCHING_DISTANCE * shapes[c.body as usize].spacing;
                let own = side(found, c, c.from..c.split, 1.0);
                touched[c.body as usize].push(own, is_pressed);
                let (body, range) = match c.partner {
                    Partner::Tool(_) => continue,
                    // both sides are in one row
                    Partner::Body(b) if b == c.body => (b, c.from..c.split),
                    Partner::Body(b) => (b, c.split..c.to),
                };
                touched[body as usize].push(side(found, c, range, -1.0), is_pressed);
            }
        }
    }

    /// Calls `f` for the bodies that are awake, with their constraints, the places where they are touched, and their budgets.
    pub(crate) fn with_touched(
        &mut self,
        f: impl Fn(&mut M, &BoundaryConditions, &TouchedPlaces, WorkBudget) + Sync,
    ) {
        let Self {
            models,
            boundaries,
            touched,
            budgets,
            sleep,
            ..
        } = self;
        let inputs = boundaries.par_iter().zip(touched).zip(budgets).zip(sleep);
        let each = models.par_iter_mut().zip(inputs);
        each.for_each(|(model, (((boundary, touched), budget), sleep))| {
            if !sleep.asleep {
                f(model, boundary, touched, *budget);
            }
        });
    }
}

/// The entries of a contact on one side. If both sides are of one body, their signs distinguish them.
fn side<'a>(
    found: &'a FoundContacts,
    c: &Candidate,
    range: std::ops::Range<u32>,
    sign: f64,
) -> impl Iterator<Item = (u32, f64)> + 'a {
    let is_own = c.partner == Partner::Body(c.body);
    let entries = &found.entries[range.start as usize..range.end as usize];
    let signed = entries.iter().map(move |&(n, w)| (n, w * sign));
    signed.filter(move |(_, w)| !is_own || *w > 0.0)
}
