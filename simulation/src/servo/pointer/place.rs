//! Where the pointer is, from the window to the servo thread.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use pliant_core::math::Vec3;
use web_time::Instant;

/// Where the pointer was seen last; clones share it. The window writes it. The servo thread reads it, unless it is just being written.
#[derive(Debug, Clone)]
pub struct PointerPlace(Arc<Mutex<Seen>>);

/// A place and when it was seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// m; `None` where nobody holds the tool
    pub place: Option<Vec3>,
    pub at: Instant,
    /// rises with every place
    pub number: u64,
}

impl Default for PointerPlace {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Seen {
            place: None,
            at: Instant::now(),
            number: 0,
        })))
    }
}

impl PointerPlace {
    /// The tool that follows the pointer is at `place` (m) now; `None` where nobody holds it.
    pub fn set(&self, place: Option<Vec3>) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.place = place;
        seen.at = Instant::now();
        seen.number += 1;
    }

    /// The newest, unless it is being written.
    pub(super) fn look(&self) -> Option<Seen> {
        match self.0.try_lock() {
            Ok(seen) => Some(*seen),
            Err(TryLockError::Poisoned(poisoned)) => Some(*poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}
