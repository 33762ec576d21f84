//! How a body on a cut goes up and down the ladder: before each frame, by what the frame will cost.

use pliant_core::model::Degradation;

use crate::model::cut_body::state::CutBody;
use pliant_core::ladder::Rung;

impl CutBody {
    /// Gives up what has to be of a frame of `duration` seconds whose steps are settled, see [`crate::governor::Ladder`]. Returns the part of the frame that the body lives through, s.
    pub(crate) fn take_rungs(&mut self, duration: f64, longest: f64) -> f64 {
        let mut lived = duration * self.ladder.leaves().pace;
        let mut now = self.foresee(longest);
        let mut ladder = self.ladder;
        let budget = self.budget;
        let foreseen = |body: &Self, rung: &Rung| body.foreseen(rung, duration, longest);
        if ladder.descend(budget, |rung| foreseen(self, rung)) {
            lived = self.settle_on(&ladder.leaves(), duration, longest);
            now = self.foresee(longest);
        }
        let levels = self.dynamics.cut.evaluated_counts();
        let is_coarsest = levels.iter().skip(1).all(|count| *count == 0);
        while now as f64 > budget
            && ladder.climb(now, budget, is_coarsest, |rung| foreseen(self, rung))
        {
            lived = self.settle_on(&ladder.leaves(), duration, longest);
            now = self.foresee(longest);
        }
        self.ladder = ladder;
        let whole = match ladder.rung() {
            0 => now,
            _ => self.foreseen(&Rung::FULL, duration, longest),
        };
        self.exceed(whole, now);
        self.hasten(duration / lived);
        lived
    }

    /// Work of the frame with nothing given up, and as it is.
    pub(crate) fn exceed(&mut self, whole: u64, now: u64) {
        self.excess = (whole as f64 / now.max(1) as f64).max(1.0);
    }

    /// Lets tools go all of their way in what is left of the frame: so many times as fast.
    pub(crate) fn hasten(&mut self, times: f64) {
        for c in &mut self.constraints {
            c.velocity *= times;
        }
    }

    /// Settles the steps of a frame of `duration` seconds on a rung. Returns the part of it that the body lives through, s.
    pub(crate) fn settle_on(&mut self, rung: &Rung, duration: f64, longest: f64) -> f64 {
        let lived = duration * rung.pace;
        self.dynamics.take_rung(rung);
        self.dynamics.settle_steps(lived, &self.touched, longest);
        lived
    }

    /// Work of the coming frame as its steps are settled, without a change of the cut.
    fn foresee(&mut self, longest: f64) -> u64 {
        let held: &[u32] = match self.constraints.is_empty() {
            true => &[],
            false => &self.touched,
        };
        let forecast = self.dynamics.forecast(held, longest);
        self.price(forecast)
    }

    /// The same on another rung, about; needs [`CutBody::foresee`] before.
    fn foreseen(&self, rung: &Rung, duration: f64, longest: f64) -> u64 {
        self.price(self.dynamics.forecast_on(rung, duration, longest))
    }

    /// What the present rung gives up of a frame, worst first.
    pub(crate) fn gives_up(&self) -> Option<Degradation> {
        let leaves = self.ladder.leaves();
        let is_damped = self.dynamics.constants.is_damped();
        if leaves.pace < 1.0 {
            Some(Degradation::SlowMotion)
        } else if is_damped && !leaves.is_damped {
            Some(Degradation::DampingSkipped)
        } else if self.ladder.rung() > 0 && self.dynamics.steps.yields() {
            Some(Degradation::FewerSubsteps)
        } else {
            None
        }
    }
}
