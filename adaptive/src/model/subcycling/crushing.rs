//! Elements of a free level that are crushed within a frame, as where a falling body meets a floor in the middle of it: shorter steps for the rest of the frame as far as the budget suffices, and
//! inertia for what needs more still (see [`crate::step::subcycling::AddedInertia`]).

use pliant_core::boundary::BoundaryConditions;
use pliant_core::model::WorkBudget;

use crate::model::adaptive_model::AdaptiveModel;
use crate::step::subcycling::{Outlook, Rates};
use crate::step::time_step::substeps_for;

/// Equal steps that a frame takes until its end, unless they change again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EqualSteps {
    /// number of the first of them in the frame
    first: u32,
    /// time in the frame at which it begins, s
    begin: f64,
    /// s
    pub(crate) step: f64,
    /// steps between two looks at the elements that may be crushed; `None` where there are no such elements
    stride: Option<u32>,
}

/// What a frame may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameLimits {
    /// s
    duration: f64,
    /// evaluations
    units: u64,
    /// nodes that constraints act on in each step: each costs an evaluation
    touched_nodes: usize,
}

impl EqualSteps {
    /// Time in the frame at which step `k` begins, s.
    pub(crate) fn time(&self, k: u32) -> f64 {
        self.begin + f64::from(k - self.first) * self.step
    }

    /// Whether elements are looked at before step `k`.
    pub(crate) fn looks_before(&self, k: u32) -> bool {
        let done = k - self.first;
        let is_due = |stride: u32| done > 0 && done.is_multiple_of(stride);
        self.stride.is_some_and(is_due)
    }
}

impl AdaptiveModel {
    /// Chooses the elements that are looked at within a frame of `duration` seconds that begins now. [`Rates::touched`] marks the nodes on which constraints act.
    pub(super) fn watch_touched(
        &mut self,
        boundary: &BoundaryConditions,
        rates: &Rates,
        duration: f64,
    ) {
        let Some(added) = &mut self.added_inertia else {
            return;
        };
        let constraints = boundary.displacements();
        if constraints.is_empty() {
            added.watch.clear();
            return;
        }
        let tool_speeds = constraints.iter().map(|c| c.velocity.norm());
        let level = &self.asset.levels[self.level];
        added.watch.begin_frame(
            &level.mesh.tets,
            &rates.touched,
            &self.dynamics.velocities,
            tool_speeds.fold(0.0, f64::max),
            (level.spacing, duration),
        );
    }

    /// Begins an attempt at a frame of `duration` seconds in [`AdaptiveModel::substeps`] equal steps.
    pub(crate) fn begin_steps(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        budget: WorkBudget,
    ) -> (EqualSteps, FrameLimits) {
        if let Some(added) = &mut self.added_inertia {
            added.begin_attempt();
        }
        let limits = FrameLimits {
            duration,
            units: budget.units_or(self.params.budget_units),
            touched_nodes: self.touched_node_count(boundary),
        };
        let step = duration / f64::from(self.substeps);
        (self.steps_from(0, 0.0, step), limits)
    }

    fn steps_from(&self, first: u32, begin: f64, step: f64) -> EqualSteps {
        let edge = self.asset.levels[self.level].spacing;
        let added = self.added_inertia.as_ref();
        EqualSteps {
            first,
            begin,
            step,
            stride: added.and_then(|added| added.watch.stride(edge, step)),
        }
    }

    /// Looks at the elements that may be crushed, before step `k`. If one of them will come too near to its stability limit until the next look, the rest of the frame takes shorter steps, as many as
    /// the budget suffices for, and elements that need more still get inertia. Returns the steps from `k` on.
    pub(crate) fn follow_crushing(
        &mut self,
        k: u32,
        present: EqualSteps,
        limits: FrameLimits,
    ) -> EqualSteps {
        let (Some(added), Some(rates)) = (&self.added_inertia, &self.rates) else {
            return present;
        };
        let ratio = f64::from(self.stiff_ratio());
        let steps_in_one = |t: u32| if rates.is_stiff(t) { ratio } else { 1.0 };
        let outlook = Outlook {
            positions: &self.dynamics.positions,
            velocities: &self.dynamics.velocities,
            ahead: f64::from(present.stride.unwrap_or(1)) * present.step,
        };
        let present_rate = present.step.recip();
        let needed_rate = added.rate_ahead(&self.steps, outlook, steps_in_one);
        let tolerated_rate = self.steps.tolerated_rate(present_rate);
        if needed_rate <= tolerated_rate {
            return present;
        }
        let begin = present.time(k);
        let left = limits.duration - begin;
        let cost = self.evaluations_of_step() + limits.touched_nodes as u64;
        let units_left = limits.units.saturating_sub(u64::from(k) * cost);
        let affordable_rate = units_left as f64 / (cost as f64 * left);
        let mut next = present;
        if affordable_rate > present_rate {
            let count = substeps_for(needed_rate.min(affordable_rate), left);
            next = self.steps_from(k, begin, left / f64::from(count));
            self.substeps = k + count;
        }
        if let Some(added) = &mut self.added_inertia {
            let tets = &self.asset.levels[self.level].mesh.tets;
            added.watch_neighbours(&self.steps, outlook, steps_in_one, tolerated_rate, tets);
            // as much as for the choice of shorter steps: what moves should get little inertia
            let limit = self.steps.tolerated_rate(next.step.recip());
            added.limit_ahead(&self.steps, outlook, steps_in_one, limit);
        }
        self.change_masses_and_step(next.step);
        let inverse_masses = &self.dynamics.inverse_masses;
        self.projection
            .change_masses_and_step(inverse_masses, next.step / present.step);
        next
    }

    /// Takes back what an attempt at a frame has changed besides the state.
    pub(crate) fn undo_attempt(&mut self) {
        let added = self.added_inertia.as_mut();
        if added.is_some_and(|added| added.undo_attempt()) {
            self.apply_added_inertia();
        }
    }
}
