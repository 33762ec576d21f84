//! Bodies that change their resolution between frames. They get the places where they are touched and a budget. Afterwards their contact points are attached to their
//! new nodes.

use std::sync::Arc;

use pliant_core::model::{SteppedModel, WorkBudget};

use crate::group::body_group::BodyGroup;

impl<M: SteppedModel> BodyGroup<M> {
    /// Lets all that are awake change their resolution and choose their steps within `budget`. The contacts of what changed are found anew. Returns
    /// the simulated part of the frame, s.
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
        let simulated = self.govern(duration);
        // elements may have got inertia
        self.attach();
        if simulated < duration {
            // tools move over their whole path in the shorter frame
            let velocity_factor = duration / simulated;
            self.boundaries
                .iter_mut()
                .for_each(|b| b.scale_velocities(velocity_factor));
            self.find(simulated);
        }
        simulated
    }

    /// Attaches contact points to other nodes where a body has changed those behind its skin. Returns whether any had.
    pub(crate) fn attach(&mut self) -> bool {
        let Self {
            models,
            shapes,
            attached_revisions,
            ..
        } = self;
        let mut any = false;
        for ((model, shape), attached) in models.iter().zip(shapes).zip(attached_revisions) {
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
