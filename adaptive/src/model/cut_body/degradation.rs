//! How a body on a cut chooses its level of degradation: before each frame, by what the frame will cost.

use pliant_core::model::Degradation;

use crate::model::cut_body::state::CutBody;
use pliant_core::model::degradation_levels::{DegradationLevel, DegradationLevels};

/// Frames in succession that may take more than the budget, up to the allowance for overruns, before anything is given up: a sixth of a second. Giving up for a frame or two is felt as a
/// jump of the force.
const OVERRUN_FRAMES: u8 = 10;

impl CutBody {
    /// Gives up what a frame of `duration` seconds whose steps are settled has to, see [`pliant_core::model::degradation_levels`]. For some frames in succession it may cost
    /// `allowance` times the budget more. Returns the part of the frame that the body lives through, s.
    pub(crate) fn choose_degradation_level(
        &mut self,
        duration: f64,
        longest_step: f64,
        allowance: f64,
    ) -> f64 {
        let mut simulated = duration * self.degradation.present().pace;
        let mut now = self.foresee(longest_step);
        let mut degradation = self.degradation;
        let whole = self.whole(&degradation, now, duration, longest_step);
        self.frames_over_budget = match whole as f64 > self.budget {
            true => self.frames_over_budget.saturating_add(1),
            false => 0,
        };
        let budget = match self.frames_over_budget <= OVERRUN_FRAMES {
            true => self.budget * (1.0 + allowance),
            false => self.budget,
        };
        let foreseen = |body: &Self, degradation_level: &DegradationLevel| {
            body.foreseen(degradation_level, duration, longest_step)
        };
        if degradation.lower(budget, |degradation_level| {
            foreseen(self, degradation_level)
        }) {
            simulated = self.settle_on(&degradation.present(), duration, longest_step);
            now = self.foresee(longest_step);
        }
        let levels = self.dynamics.cut.evaluated_counts();
        let is_coarsest = levels.iter().skip(1).all(|count| *count == 0);
        while now as f64 > budget
            && degradation.raise(now, budget, is_coarsest, |degradation_level| {
                foreseen(self, degradation_level)
            })
        {
            simulated = self.settle_on(&degradation.present(), duration, longest_step);
            now = self.foresee(longest_step);
        }
        self.degradation = degradation;
        let whole = self.whole(&degradation, now, duration, longest_step);
        self.exceed(whole, now);
        self.hasten(duration / simulated);
        simulated
    }

    /// Work of a frame that costs `now` on its level of degradation, with nothing given up.
    fn whole(
        &self,
        degradation: &DegradationLevels,
        now: u64,
        duration: f64,
        longest_step: f64,
    ) -> u64 {
        match degradation.level() {
            0 => now,
            _ => self.foreseen(&DegradationLevel::FULL, duration, longest_step),
        }
    }

    /// Remembers how much more the frame would cost with nothing given up.
    pub(crate) fn exceed(&mut self, whole: u64, now: u64) {
        self.excess = (whole as f64 / now.max(1) as f64).max(1.0);
    }

    /// Lets tools go all of their way in what is left of the frame, `times` as fast.
    pub(crate) fn hasten(&mut self, times: f64) {
        for c in &mut self.constraints {
            c.velocity *= times;
        }
    }

    /// Settles the steps of a frame of `duration` seconds on a level of degradation. Returns the part of it that the body lives through, s.
    pub(crate) fn settle_on(
        &mut self,
        degradation_level: &DegradationLevel,
        duration: f64,
        longest_step: f64,
    ) -> f64 {
        let simulated = duration * degradation_level.pace;
        self.dynamics.set_degradation_level(degradation_level);
        self.dynamics
            .update_steps(simulated, &self.touched, longest_step);
        simulated
    }

    /// Work of the coming frame as its steps are settled, without a change of the cut.
    fn foresee(&mut self, longest_step: f64) -> u64 {
        let held: &[u32] = match self.constraints.is_empty() {
            true => &[],
            false => &self.touched,
        };
        let forecast = self.dynamics.forecast(held, longest_step);
        self.price(forecast)
    }

    /// About the same on another level of degradation; needs [`CutBody::foresee`] before.
    fn foreseen(
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

    /// What the present level gives up of a frame, worst first.
    pub(crate) fn gives_up(&self) -> Option<Degradation> {
        let present = self.degradation.present();
        let is_damped = self.dynamics.constants.is_damped();
        if present.pace < 1.0 {
            Some(Degradation::SlowMotion)
        } else if is_damped && !present.is_damped {
            Some(Degradation::DampingSkipped)
        } else if self.degradation.level() > 0 && self.dynamics.steps.has_selective_scaling() {
            Some(Degradation::FewerSubsteps)
        } else {
            None
        }
    }
}
