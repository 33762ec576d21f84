//! Contact points and boxes of all bodies where these are now.

use rayon::prelude::*;

use pliant_core::model::{StepError, SteppedModel};

use crate::group::body_group::BodyGroup;
use crate::surface::{ContactShape, Deformed};

/// Contact points and box of a body where it is now; `sorted` for the search within it.
fn place(model: &impl SteppedModel, shape: &ContactShape, now: &mut Deformed, sorted: bool) {
    now.update(shape, model.node_positions(), model.node_velocities());
    if sorted {
        now.sort(shape);
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Calls `first` for the bodies that are awake, or for all, and brings their contact points and boxes up to date.
    pub(super) fn place_each(
        &mut self,
        all: bool,
        first: impl Fn(usize, &mut M) -> Result<(), StepError> + Sync,
    ) {
        let Self {
            models,
            now,
            shapes,
            rest,
            contacts,
            outcomes,
            ..
        } = self;
        let known = shapes.par_iter().zip(contacts).zip(rest);
        let bodies = models.par_iter_mut().zip(outcomes).enumerate();
        bodies.zip(now).zip(known).for_each(
            |(((b, (model, outcome)), now), ((shape, contact), rest))| {
                if all || !rest.asleep {
                    *outcome = first(b, model);
                    place(model, shape, now, contact.with_itself);
                }
            },
        );
    }

    /// Contact points and box of a body, asleep or not.
    pub(crate) fn refresh_one(&mut self, body: usize) {
        let sorted = self.contacts[body].with_itself;
        let (model, shape) = (&self.models[body], &self.shapes[body]);
        place(model, shape, &mut self.now[body], sorted);
    }

    /// Contact points and boxes of bodies that moved, or of all.
    pub(crate) fn refresh(&mut self, all: bool) {
        if all {
            self.forget_skins();
        }
        self.place_each(all, |_, _| Ok(()));
    }
}
