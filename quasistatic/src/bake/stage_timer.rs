//! Wall time of the stages of a bake, for reports only.

use std::time::Instant;

/// Wall time of the stages of a bake, s.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StageTimes {
    /// Assembling the system.
    pub assemble: f64,
    /// Factorising it.
    pub factor: f64,
    /// Solving for the columns.
    pub columns: f64,
}

/// Times one stage after the other.
pub(crate) struct StageTimer(Instant);

impl StageTimer {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds that the stage took which ends here, since the last call.
    pub fn stage(&mut self) -> f64 {
        let seconds = self.0.elapsed().as_secs_f64();
        self.0 = Instant::now();
        seconds
    }
}
