//! Progress and cancellation of long work, shared between the work and its observers.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// The work was cancelled by its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A cheap handle to the state of one long job: a stage name, a fraction and a cancel flag. Clones share the state.
///
/// ```
/// use pliant_core::asset::Progress;
/// let progress = Progress::new();
/// let watcher = progress.clone();
/// progress.stage("factorising");
/// progress.set_fraction(0.5);
/// assert_eq!(watcher.state(), ("factorising".to_string(), 0.5));
/// let beside = progress.beside();
/// watcher.cancel();
/// assert!(progress.check().is_err() && beside.check().is_err());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Progress {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    stage: Mutex<String>,
    /// fraction of the present stage in millionths
    fraction: AtomicU32,
    cancelled: Arc<AtomicBool>,
}

impl Progress {
    /// The handle of a new job.
    pub fn new() -> Self {
        Self::default()
    }

    /// The handle of work beside this job: cancelled together with it, with a stage and a fraction of its own.
    pub fn beside(&self) -> Self {
        let shared = Shared {
            cancelled: Arc::clone(&self.shared.cancelled),
            ..Shared::default()
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Begins a named stage and sets its fraction to zero.
    pub fn stage(&self, name: &str) {
        if let Ok(mut stage) = self.shared.stage.lock() {
            stage.clear();
            stage.push_str(name);
        }
        self.shared.fraction.store(0, Ordering::Relaxed);
    }

    /// Sets the finished share of the present stage, 0 to 1.
    pub fn set_fraction(&self, fraction: f64) {
        let millionths = (fraction.clamp(0.0, 1.0) * 1e6) as u32;
        self.shared.fraction.store(millionths, Ordering::Relaxed);
    }

    /// Present stage and its finished share.
    pub fn state(&self) -> (String, f64) {
        let stage = self.shared.stage.lock().map(|s| s.clone());
        let millionths = self.shared.fraction.load(Ordering::Relaxed);
        (stage.unwrap_or_default(), f64::from(millionths) * 1e-6)
    }

    /// Asks the job to stop; it stops at its next [`Progress::check`].
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`Progress::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// For the job itself, between pieces of work of at most a few tenths of a second.
    ///
    /// # Errors
    /// [`Cancelled`] once the job was cancelled.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }
}
