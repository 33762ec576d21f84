//! The choice of the level of degradation of a body on a cut: before each frame, by a forecast of its work.

use pliant_core::model::Degradation;

use crate::model::cut_body::state::CutBody;
use pliant_core::model::degradation_levels::{DegradationLevel, DegradationLevels};

/// Successive frames that may exceed the budget, up to the allowance for overruns, before the degradation level rises: a sixth of a second. A degradation of a frame or two would be felt as a
/// jump of the force.
const OVERRUN_FRAMES_BEFORE_DEGRADATION: u8 = 10;

impl CutBody {
    /// Chooses the level of degradation for a frame of `duration` seconds whose steps are up to date, see [`pliant_core::model::degradation_levels`]. Some successive frames may
    /// exceed the budget by the share `allowance`. Returns the simulated time, s.
    pub(crate) fn choose_degradation_level(
        &mut self,
        duration: f64,
        longest_step: f64,
        allowance: f64,
    ) -> f64 {
        let mut simulated = duration * self.degradation.present().time_scale;
        let mut now = self.forecast_work(longest_step);
        let mut degradation = self.degradation;
        let full_work = self.full_work(&degradation, now, duration, longest_step);
        self.frames_over_budget = match full_work as f64 > self.budget {
            true => self.frames_over_budget.saturating_add(1),
            false => 0,
        };
        let budget = match self.frames_over_budget <= OVERRUN_FRAMES_BEFORE_DEGRADATION {
            true => self.budget * (1.0 + allowance),
            false => self.budget,
        };
        let forecast_work_at = |body: &Self, degradation_level: &DegradationLevel| {
            body.forecast_work_at(degradation_level, duration, longest_step)
        };
        if degradation.lower(budget, |degradation_level| {
            forecast_work_at(self, degradation_level)
        }) {
            simulated = self.update_steps_at(&degradation.present(), duration, longest_step);
            now = self.forecast_work(longest_step);
        }
        let levels = self.dynamics.cut.evaluated_counts();
        let is_coarsest = levels.iter().skip(1).all(|count| *count == 0);
        while now as f64 > budget
            && degradation.raise(now, budget, is_coarsest, |degradation_level| {
                forecast_work_at(self, degradation_level)
            })
        {
            simulated = self.update_steps_at(&degradation.present(), duration, longest_step);
            now = self.forecast_work(longest_step);
        }
        self.degradation = degradation;
        let full_work = self.full_work(&degradation, now, duration, longest_step);
        self.set_excess(full_work, now);
        self.scale_constraint_velocities(duration / simulated);
        simulated
    }

    /// Work without degradation of a frame that costs `now` at its level of degradation.
    fn full_work(
        &self,
        degradation: &DegradationLevels,
        now: u64,
        duration: f64,
        longest_step: f64,
    ) -> u64 {
        match degradation.level() {
            0 => now,
            _ => self.forecast_work_at(&DegradationLevel::FULL, duration, longest_step),
        }
    }

    /// Sets the ratio of the work without degradation to the actual work.
    pub(crate) fn set_excess(&mut self, full_work: u64, now: u64) {
        self.excess = (full_work as f64 / now.max(1) as f64).max(1.0);
    }

    /// Scales the velocities of constraints, so that tools cover their distance within the simulated time.
    pub(crate) fn scale_constraint_velocities(&mut self, times: f64) {
        for c in &mut self.constraints {
            c.velocity *= times;
        }
    }

    /// Updates the steps of a frame of `duration` seconds at a level of degradation. Returns the simulated time, s.
    pub(crate) fn update_steps_at(
        &mut self,
        degradation_level: &DegradationLevel,
        duration: f64,
        longest_step: f64,
    ) -> f64 {
        let simulated = duration * degradation_level.time_scale;
        self.dynamics.set_degradation_level(degradation_level);
        self.dynamics
            .update_steps(simulated, &self.touched, longest_step);
        simulated
    }

    /// Work of the coming frame with its present steps, without a change of the cut.
    fn forecast_work(&mut self, longest_step: f64) -> u64 {
        let held: &[u32] = match self.constraints.is_empty() {
            true => &[],
            false => &self.touched,
        };
        let forecast = self.dynamics.forecast(held, longest_step);
        self.price(forecast)
    }

    /// The approximate work at another level of degradation; needs [`CutBody::forecast_work`] before.
    fn forecast_work_at(
        &self,
        degradation_level: &DegradationLevel,
        duration: f64,
        longest_step: f64,
    ) -> u64 {
        self.price(
            self.dynamics
                .forecast_at(degradation_level, duration, longest_step),
        )
    }

    /// The worst degradation of the present level.
    pub(crate) fn present_degradation(&self) -> Option<Degradation> {
        let present = self.degradation.present();
        let is_damped = self.dynamics.constants.is_damped();
        if present.time_scale < 1.0 {
            Some(Degradation::SlowMotion)
        } else if is_damped && !present.is_damped {
            Some(Degradation::DampingSkipped)
        } else if self.degradation.level() > 0 && self.dynamics.steps.selective_scaling.count > 0 {
            Some(Degradation::FewerSubsteps)
        } else {
            None
        }
    }
}
