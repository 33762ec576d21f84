//! A level whose stiff elements have shorter steps than the others: bodies that blades may cut or that may break, and free bodies.
//!
//! Parts of a cut body are stretched far beside others that are not, pieces must fall as everything does, so that slivers get no inertia, and one sliver would make the
//! whole body coarse. A free body is crushed where it hits something, and nowhere else. A group steps its bodies without such parts.

use pliant_core::boundary::BoundaryConditions;

use crate::model::adaptive_model::AdaptiveModel;
use crate::step::subcycling::Subcycled;
use crate::step::time_step::substeps_for;

impl AdaptiveModel {
    /// Looks at all tetrahedra and chooses the steps of a frame of `duration` seconds that begins now.
    pub(crate) fn choose_substeps(&mut self, boundary: &BoundaryConditions, duration: f64) {
        if !self.split_steps(boundary, duration) {
            self.scan = self.steps.scan(&self.dynamics.positions);
            self.substeps = self.steps.substeps(&self.scan, duration);
        }
    }

    /// The same with steps of their own for stiff elements; false for a body that has none.
    fn split_steps(&mut self, boundary: &BoundaryConditions, duration: f64) -> bool {
        let Some(mut rates) = self.rates.take() else {
            return false;
        };
        let positions = &self.dynamics.positions;
        let cut = self.cutting.as_ref().and_then(|c| c.with_sleeping_pieces());
        let sleeps = |t: usize| cut.is_some_and(|cut| cut.is_asleep(t));
        let Some(scan) = self
            .steps
            .element_rates(positions, &mut rates.element_rates, sleeps)
        else {
            self.rates = Some(rates);
            return false;
        };
        self.scan = scan;
        let level = self.moving_level();
        rates.touched.resize(level.node_count(), false);
        let rows = boundary.displacements().iter();
        let embedding = self.touchable_rows();
        let rows = rows.map(|c| embedding.row(c.vertex as usize).0);
        for &n in rows.clone().flatten() {
            rates.touched[n as usize] = true;
        }
        let leaves_out = cut.is_some() && self.dynamics.subcycled.is_none();
        let is_new = rates.begin_frame(&level.mesh.tets) || leaves_out;
        for &n in rows.flatten() {
            rates.touched[n as usize] = false;
        }
        self.substeps = substeps_for(rates.slow_rate(), duration);
        let ratio = rates.ratio(duration / f64::from(self.substeps));
        self.rates = Some(rates);
        if is_new {
            self.join_stiff();
            self.take_stiff();
        }
        self.set_stiff_ratio(ratio);
        if is_new {
            let short = duration / f64::from(self.substeps) / f64::from(ratio);
            self.shift_stiff(self.last_step - short);
        }
        true
    }

    /// Chooses steps anew, because other pieces sleep than until now: their elements take none.
    pub(crate) fn change_sleepers(&mut self) {
        self.join_stiff();
        self.forget_stiff();
        self.fix_sleeping_nodes();
    }

    /// Prepares the forces of the stiff elements, and of the others but for those of pieces that sleep.
    pub(crate) fn take_stiff(&mut self) {
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
        self.fresh = false;
    }

    /// Steps of stiff elements in a step of the others.
    pub(crate) fn stiff_ratio(&self) -> u32 {
        let parts = self.dynamics.subcycled.as_ref();
        parts.map_or(1, |parts| parts.stiff.ratio)
    }

    pub(crate) fn set_stiff_ratio(&mut self, ratio: u32) {
        if let Some(parts) = &mut self.dynamics.subcycled {
            parts.stiff.ratio = ratio;
        }
    }

    /// Gives stiff elements the step of the others.
    fn join_stiff(&mut self) {
        if let Some(parts) = &self.dynamics.subcycled {
            let short = self.last_step / f64::from(parts.stiff.ratio);
            self.shift_stiff(short - self.last_step);
        }
        self.dynamics.subcycled = None;
        self.fresh = false;
    }

    /// Velocities belong to half a step before positions. Where stiff elements take a step that is shorter by `change` seconds, their part of the velocities moves half of
    /// it forward. Without that, energy would come or go with each change.
    fn shift_stiff(&mut self, change: f64) {
        // a body at rest has not begun with half a step
        if self.last_step > 0.0 {
            self.dynamics.kick_stiff(0.5 * change);
        }
    }

    /// Forgets which elements are stiff: there are others now, or the body is at rest again.
    pub(crate) fn forget_stiff(&mut self) {
        if let Some(rates) = &mut self.rates {
            rates.clear();
        }
        self.dynamics.subcycled = None;
    }

    /// What stiff elements did in a step of `step` seconds: damping, and what supports carried for this share of the frame.
    pub(crate) fn note_stiff(&mut self, step: f64, share: f64) {
        let Some(Subcycled { stiff, .. }) = &self.dynamics.subcycled else {
            return;
        };
        self.dissipated += step * stiff.found.viscous_power;
        self.blended = self.blended.max(stiff.found.blended);
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
    pub(crate) fn evaluations_of_step(&self) -> u64 {
        match &self.dynamics.subcycled {
            None => self.dynamics.field.element_count() as u64,
            Some(Subcycled { slow, stiff }) => {
                let steps = u64::from(stiff.ratio);
                slow.element_count() as u64 + steps * stiff.element_count() as u64
            }
        }
    }
}
