//! What each body touches when a frame begins.

use rayon::prelude::*;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::model::{SteppedModel, TouchedPlaces, WorkBudget};

use crate::detection::{Candidate, Found, Partner};
use crate::group::body_group::BodyGroup;

/// A place is in touch, not only near, up to this distance over the contact spacing.
const IN_TOUCH: f64 = 0.02;

impl<M: SteppedModel> BodyGroup<M> {
    /// What each body touches, from the contacts that were found.
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
                let is_pressed = c.gap < IN_TOUCH * shapes[c.body as usize].spacing;
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

    /// Calls `f` for the bodies that are awake, with their constraints, what they touch, and what they may cost.
    pub(crate) fn with_touched(
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
