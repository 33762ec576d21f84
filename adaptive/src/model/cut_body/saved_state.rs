//! The state of a body on a cut as numbers, and its last good state.

use pliant_core::math::Vec3;

use crate::governor::Governor;
use crate::model::cut_body::state::CutBody;
use crate::step::multirate::EnergyMonitor;
use pliant_core::model::degradation_levels::DegradationLevels;

impl CutBody {
    /// Writes the state at the beginning of a frame as numbers.
    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        self.dynamics.save(to);
        self.focus.save(to);
        self.fade.save(to);
        to.extend([
            f64::from(self.refinement_cooldown),
            self.budget,
            self.excess,
            f64::from(self.frames_over_budget),
        ]);
        to.push(f64::from(self.fallback_hold.successive));
        to.push(f64::from(u8::from(self.update_is_due)));
        self.degradation.save(to);
        self.governor.save(to);
        self.monitor.save(to);
        to.push(f64::from(self.co_stepping.level));
    }

    /// Numbers that [`CutBody::save`] writes.
    pub(crate) fn saved_len(&self) -> usize {
        self.dynamics.saved_len()
            + self.dynamics.forest.node_count()
            + self.fade.saved_len()
            + 7
            + DegradationLevels::SAVED
            + Governor::SAVED
            + EnergyMonitor::SAVED
    }

    /// Restores what was saved; `false` where it does not fit.
    pub(crate) fn restore(&mut self, from: &[f64]) -> bool {
        let fits = from.len() == self.saved_len();
        let Some((contact_level, from)) = from.split_last().filter(|_| fits) else {
            return false;
        };
        self.co_stepping.reset(*contact_level as u8);
        let (dynamics, rest) = from.split_at(self.dynamics.saved_len());
        if !self.dynamics.restore(dynamics) {
            return false;
        }
        let (focus, rest) = rest.split_at(self.dynamics.forest.node_count());
        let (fade, governing) = rest.split_at(self.fade.saved_len());
        self.focus.restore(focus);
        self.fade.restore(fade);
        if let [
            refinement_cooldown,
            budget,
            excess,
            frames_over_budget,
            fallback_hold,
            update_is_due,
            governing @ ..,
        ] = governing
            && let Some((degradation, rest)) = governing.split_first_chunk()
            && let Some((floor, monitor)) = rest.split_first_chunk()
        {
            self.degradation.restore(*degradation);
            self.governor.restore(*floor);
            self.dynamics
                .resume_degradation_level(&self.degradation.present());
            self.fallback_hold.successive = *fallback_hold as u8;
            self.frames_over_budget = *frames_over_budget as u8;
            self.update_is_due = *update_is_due != 0.0;
            (self.refinement_cooldown, self.budget, self.excess) =
                (*refinement_cooldown as u8, *budget, *excess);
            self.monitor = EnergyMonitor::restore(monitor);
            self.dynamics.steps.extra_levels = self.monitor.extra_levels();
        }
        self.detach();
        true
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
