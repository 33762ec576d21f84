//! Contact points and boxes of all bodies at their present positions.

use rayon::prelude::*;

use pliant_core::model::{StepError, SteppedModel};

use crate::group::body_group::BodyGroup;
use crate::surface::{ContactShape, DeformedSurface};

/// Updates the contact points and the box of a body; `sorted` for the search within it.
fn update(
    model: &impl SteppedModel,
    shape: &ContactShape,
    deformed: &mut DeformedSurface,
    sorted: bool,
) {
    deformed.update(shape, model.node_positions(), model.node_velocities());
    if sorted {
        deformed.sort(shape);
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Calls `first` for the bodies that are awake, or for all, and brings their contact points and boxes up to date.
    pub(super) fn update_each(
        &mut self,
        all: bool,
        first: impl Fn(usize, &mut M) -> Result<(), StepError> + Sync,
    ) {
        let Self {
            models,
            deformed,
            shapes,
            sleep,
            contacts,
            outcomes,
            ..
        } = self;
        let inputs = shapes.par_iter().zip(contacts).zip(sleep);
        let bodies = models.par_iter_mut().zip(outcomes).enumerate();
        bodies.zip(deformed).zip(inputs).for_each(
            |(((b, (model, outcome)), deformed), ((shape, contact), sleep))| {
                if all || !sleep.asleep {
                    *outcome = first(b, model);
                    update(model, shape, deformed, contact.with_itself);
                }
            },
        );
    }

    /// Updates the contact points and the box of a body, asleep or not.
    pub(crate) fn refresh_one(&mut self, body: usize) {
        let sorted = self.contacts[body].with_itself;
        let (model, shape) = (&self.models[body], &self.shapes[body]);
        update(model, shape, &mut self.deformed[body], sorted);
    }

    /// Updates the contact points and boxes of bodies that are awake, or of all.
    pub(crate) fn refresh(&mut self, all: bool) {
        if all {
            self.invalidate_sleeping_skins();
        }
        self.update_each(all, |_, _| Ok(()));
    }
}
