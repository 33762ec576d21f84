//! Bodies that change their resolution between frames. They are told what they touch and what they may cost, and contact points follow the nodes that move them
//! afterwards.

use std::sync::Arc;

use pliant_core::model::{SteppedModel, WorkBudget};

use crate::group::body_group::BodyGroup;

impl<M: SteppedModel> BodyGroup<M> {
    /// Lets all that are awake change their resolution and choose their steps within `budget`. The contacts of what changed are found anew. Returns
    /// the part of the frame that bodies live through, s.
    pub(crate) fn adapt(&mut self, duration: f64, budget: WorkBudget) -> f64 {
        // a revision of 0 never changes
        if self.models.iter().all(|m| m.revision() == 0) || self.all_asleep() {
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
            self.boundaries
                .iter_mut()
                .for_each(|b| b.scale_velocities(hastened));
            self.find(lived);
        }
        lived
    }

    /// Lets contact points follow other nodes where those that move them have changed. Returns whether any had.
    pub(crate) fn attach(&mut self) -> bool {
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
