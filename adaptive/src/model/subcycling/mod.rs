//! A level whose stiff elements have shorter steps than the others. Bodies that may be cut or break use it, and free bodies.
//!
//! In a cut body, elements that are stretched far lie next to elements that are not. Pieces have to fall freely, so that slivers must not get additional inertia, and a single sliver
//! would force a coarse level. A free body is crushed only where it hits something. A group of bodies does not use subcycling.

mod inertia;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::model::WorkBudget;

use crate::model::adaptive_model::AdaptiveModel;
use crate::step::subcycling::{Rates, Subcycled};
use crate::step::time_step::substeps_for;

impl AdaptiveModel {
    /// Scans all tetrahedra and chooses the steps of a frame of `duration` seconds that begins now.
    pub(crate) fn choose_substeps(
        &mut self,
        boundary: &BoundaryConditions,
        duration: f64,
        budget: WorkBudget,
    ) {
        if !self.choose_split_substeps(boundary, duration, budget) {
            self.scan = self.steps.scan(&self.dynamics.positions);
            self.substeps = self.steps.substeps(&self.scan, duration);
        }
    }

    /// The same with shorter steps for stiff elements. `false` for a body without subcycling.
    fn choose_split_substeps(
        &mut self,
        boundary: &BoundaryConditions,
        duration: f64,
        budget: WorkBudget,
    ) -> bool {
        let Some(mut rates) = self.rates.take() else {
            return false;
        };
        let positions = &self.dynamics.positions;
        let cut = self.cutting.as_ref().and_then(|c| c.with_sleeping_pieces());
        let sleeps = |t: usize| cut.is_some_and(|cut| cut.is_asleep(t));
        let has_sleeping = cut.is_some();
        let Some(scan) = self
            .steps
            .element_rates(positions, &mut rates.element_rates, sleeps)
        else {
            self.rates = Some(rates);
            return false;
        };
        self.scan = scan;
        self.mark_touched(boundary, &mut rates, true);
        let units = budget.units_or(self.params.budget_units);
        self.limit_rates(&mut rates, boundary, units as f64 / duration);
        let has_sleeping_forces = has_sleeping && self.dynamics.subcycled.is_none();
        let is_changed = rates.begin_frame(&self.moving_level().mesh.tets) || has_sleeping_forces;
        self.mark_touched(boundary, &mut rates, false);
        self.substeps = substeps_for(rates.slow_rate(), duration);
        let ratio = rates.ratio(duration / f64::from(self.substeps));
        self.rates = Some(rates);
        if is_changed {
            self.merge_stiff_elements();
            self.split_stiff_elements();
        }
        self.set_stiff_ratio(ratio);
        if is_changed {
            let stiff_step = duration / f64::from(self.substeps) / f64::from(ratio);
            self.shift_stiff_velocities(self.last_step - stiff_step);
        }
        true
    }

    /// Marks the nodes that constraints act on, or clears the marks.
    fn mark_touched(&self, boundary: &BoundaryConditions, rates: &mut Rates, mark: bool) {
        rates
            .touched
            .resize(self.moving_level().node_count(), false);
        let embedding = self.touchable_rows();
        for c in boundary.displacements() {
            for &n in embedding.row(c.vertex as usize).0 {
                rates.touched[n as usize] = mark;
            }
        }
    }

    /// Prepares for a new choice of steps after pieces have fallen asleep or woken: elements of sleeping pieces take no steps.
    pub(crate) fn update_sleeping_elements(&mut self) {
        self.merge_stiff_elements();
        self.clear_stiff_elements();
        self.fix_sleeping_nodes();
    }

    /// Separates the forces of the stiff elements from those of the others. Elements of sleeping pieces are left out.
    pub(crate) fn split_stiff_elements(&mut self) {
        let Some(rates) = &self.rates else {
            return;
        };
        let level = self.moving_level();
        let (mesh, shapes) = (&level.mesh, level.force_shapes());
        let (whole, stiff) = (&self.dynamics.field, rates.stiff());
        let cut = self.cutting.as_ref().and_then(|c| c.with_sleeping_pieces());
        let moves = |t: u32| !cut.is_some_and(|cut| cut.is_asleep(t as usize));
        self.dynamics.subcycled = match (stiff, cut) {
            ([], None) => None,
            _ => Subcycled::new(whole, (mesh, &shapes), stiff, moves, &self.params),
        };
        self.forces_are_current = false;
    }

    /// Steps of stiff elements in a step of the others.
    pub(crate) fn stiff_ratio(&self) -> u32 {
        let parts = self.dynamics.subcycled.as_ref();
        parts.map_or(1, |parts| parts.stiff.ratio)
    }

    /// Sets the steps of stiff elements in a step of the others.
    pub(crate) fn set_stiff_ratio(&mut self, ratio: u32) {
        if let Some(parts) = &mut self.dynamics.subcycled {
            parts.stiff.ratio = ratio;
        }
    }

    /// Gives stiff elements the step of the others again.
    fn merge_stiff_elements(&mut self) {
        if let Some(parts) = &self.dynamics.subcycled {
            let stiff_step = self.last_step / f64::from(parts.stiff.ratio);
            self.shift_stiff_velocities(stiff_step - self.last_step);
        }
        self.dynamics.subcycled = None;
        self.forces_are_current = false;
    }

    /// Adapts velocities to a step of stiff elements that is shorter by `change` seconds. Velocities belong to half a step before positions, so that the share of the stiff elements in
    /// the velocities advances by half of `change`. Without that, each change would add or remove energy.
    fn shift_stiff_velocities(&mut self, change: f64) {
        // a body at rest has made no step yet
        if self.last_step > 0.0 {
            self.dynamics.kick_stiff(0.5 * change);
        }
    }

    /// Removes the choice of stiff elements, because the elements have changed or the body was reset.
    pub(crate) fn clear_stiff_elements(&mut self) {
        if let Some(rates) = &mut self.rates {
            rates.clear();
        }
        self.dynamics.subcycled = None;
    }

    /// Accounts for the forces of stiff elements in a step of `step` seconds, which is this `share` of the frame: dissipation, and reactions of supports.
    pub(crate) fn account_stiff_forces(&mut self, step: f64, share: f64) {
        let Some(Subcycled { stiff, .. }) = &self.dynamics.subcycled else {
            return;
        };
        self.dissipated += step * stiff.last_evaluation.viscous_power;
        self.blended = self.blended.max(stiff.last_evaluation.blended);
        for (node, force) in stiff.mean_forces() {
            if let Ok(k) = self.held.binary_search_by_key(&node, |held| held.0) {
                self.support_reactions[self.held[k].1 as usize] -= force * share;
            }
        }
    }

    /// Evaluations of a frame.
    pub(crate) fn evaluations_of_frame(&self) -> u64 {
        u64::from(self.substeps) * self.evaluations_of_step()
    }

    /// Evaluations of a step.
    fn evaluations_of_step(&self) -> u64 {
        match &self.dynamics.subcycled {
            None => self.dynamics.field.element_count() as u64,
            Some(Subcycled { slow, stiff }) => {
                let steps = u64::from(stiff.ratio);
                slow.element_count() as u64 + steps * stiff.element_count() as u64
            }
        }
    }
}
