//! Where the pointer is, from the window to the servo thread.

use std::sync::{Arc, Mutex};

use pliant_core::math::Vec3;
use web_time::Instant;

use crate::threads::lock::{lock, try_lock};

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
        let mut sample = lock(&self.0);
        sample.place = place;
        sample.at = Instant::now();
        sample.number += 1;
    }

    /// The newest, unless it is being written.
    pub(super) fn try_read(&self) -> Option<PointerSample> {
        try_lock(&self.0).map(|sample| *sample)
    }
}
