//! Wall time of one stage after the other. It serves reports alone and never enters a result.
//!
//! ```
//! let mut timer = pliant_core::stage_timer::StageTimer::start();
//! let assembling = timer.stage();
//! let factorising = timer.stage();
//! assert!(assembling.as_secs_f64() >= 0.0 && factorising.as_secs_f64() >= 0.0);
//! ```

use std::time::Duration;

use web_time::Instant;

/// Times stages that follow each other.
#[derive(Debug, Clone, Copy)]
pub struct StageTimer(Instant);

impl StageTimer {
    /// The first stage begins.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Ends a stage and begins the next one: the time since [`StageTimer::start`] or the last call.
    pub fn stage(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.0, now)
    }
}
