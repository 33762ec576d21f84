//! The state of a body on a cut as numbers, and its last good state.

use pliant_core::math::Vec3;

use crate::model::cut_body::state::CutBody;
use crate::step::multirate::EnergyMonitor;

impl CutBody {
    /// Writes the state at the beginning of a frame as numbers. Their count is the same for all states of a body.
    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        self.dynamics.save(to);
        self.focus.save(to);
        self.fade.save(to);
        to.extend([
            f64::from(self.refinement_cooldown),
            self.budget,
            self.excess,
            f64::from(self.frames_over_budget),
            f64::from(self.fallback_hold.successive),
            f64::from(u8::from(self.update_is_due)),
        ]);
        to.extend(self.degradation.saved());
        to.extend(self.governor.saved());
        to.extend(self.monitor.saved());
        to.push(f64::from(self.co_stepping.level));
    }

    /// Restores what was saved; `None` where it does not fit.
    pub(crate) fn restore(&mut self, mut from: &[f64]) -> Option<()> {
        self.dynamics.restore(&mut from)?;
        let nodes = self.dynamics.forest.node_count();
        self.focus.restore(from.split_off(..nodes)?);
        self.fade.restore(&mut from)?;
        let (governing, from) = from.split_first_chunk()?;
        let (degradation, from) = from.split_first_chunk()?;
        let (floor, from) = from.split_first_chunk()?;
        let (monitor, contact_level) = from.split_first_chunk()?;
        let [
            refinement_cooldown,
            budget,
            excess,
            frames_over_budget,
            fallback_hold,
            update_is_due,
        ] = *governing;
        (self.budget, self.excess) = (budget, excess);
        (self.refinement_cooldown, self.frames_over_budget) =
            (refinement_cooldown as u8, frames_over_budget as u8);
        self.fallback_hold.successive = fallback_hold as u8;
        self.update_is_due = update_is_due != 0.0;
        self.degradation.restore(*degradation);
        self.governor.restore(*floor);
        self.dynamics
            .resume_degradation_level(&self.degradation.present());
        self.monitor = EnergyMonitor::restored(*monitor);
        self.dynamics.steps.extra_levels = self.monitor.extra_levels();
        self.co_stepping.reset(*contact_level.first()? as u8);
        self.is_attached = false;
        Some(())
    }

    pub(crate) fn save_good_state(&mut self) {
        let d = &self.dynamics;
        for (to, from) in self.good_state.iter_mut().zip([
            &d.positions,
            &d.velocities,
            &d.half_step_velocities,
            &d.mean_velocities,
        ]) {
            to.clear();
            to.extend(d.operators.active().iter().map(|&n| from[n as usize]));
        }
    }

    /// Positions of all nodes at the beginning of the frame, m.
    pub(crate) fn good_positions(&self) -> Vec<Vec3> {
        let d = &self.dynamics;
        let mut all = d.positions.clone();
        for (&n, x) in d.operators.active().iter().zip(&self.good_state[0]) {
            all[n as usize] = *x;
        }
        d.operators.forward(&mut all);
        all
    }

    pub(crate) fn restore_good_state(&mut self) {
        let d = &mut self.dynamics;
        d.reset_non_finite();
        for (from, to) in self.good_state.iter().zip([
            &mut d.positions,
            &mut d.velocities,
            &mut d.half_step_velocities,
            &mut d.mean_velocities,
        ]) {
            for (&n, x) in d.operators.active().iter().zip(from) {
                to[n as usize] = *x;
            }
        }
        d.update_ghosts();
        d.node_ticks.fill(0);
        d.forces_are_current = false;
    }
}
