//! Wall time of consecutive stages. It is for reports alone and never enters a result.
//!
//! ```
//! let mut timer = pliant_core::stage_timer::StageTimer::start();
//! let assembling = timer.stage();
//! let factorising = timer.stage();
//! assert!(assembling.as_secs_f64() >= 0.0 && factorising.as_secs_f64() >= 0.0);
//! ```

use std::time::Duration;

use web_time::Instant;

/// Times consecutive stages.
#[derive(Debug, Clone, Copy)]
pub struct StageTimer(Instant);

impl StageTimer {
    /// Begins the first stage.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Ends a stage and begins the next one. Returns the time since [`StageTimer::start`] or the last call.
    pub fn stage(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.0, now)
    }
}
