//! Where the pointer is, from the window to the servo thread.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use pliant_core::math::Vec3;
use web_time::Instant;

/// The last position of the pointer; clones share it. The window writes it. The servo thread reads it, unless it is just being written.
#[derive(Debug, Clone)]
pub(crate) struct PointerPlace(Arc<Mutex<PointerSample>>);

/// A position of the pointer and its time.
#[derive(Debug, Clone, Copy)]
pub(super) struct PointerSample {
    /// m; `None` where nobody holds the tool
    pub place: Option<Vec3>,
    pub at: Instant,
    /// incremented with every position
    pub number: u64,
}

impl Default for PointerPlace {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(PointerSample {
            place: None,
            at: Instant::now(),
            number: 0,
        })))
    }
}

impl PointerPlace {
    /// The tool that follows the pointer is at `place` (m) now; `None` where nobody holds it.
    pub fn set(&self, place: Option<Vec3>) {
        let mut sample = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sample.place = place;
        sample.at = Instant::now();
        sample.number += 1;
    }

    /// The newest, unless it is being written.
    pub(super) fn try_read(&self) -> Option<PointerSample> {
        match self.0.try_lock() {
            Ok(sample) => Some(*sample),
            Err(TryLockError::Poisoned(poisoned)) => Some(*poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}
