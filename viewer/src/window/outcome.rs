//! Result of a run of the window.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// Result of a run of the window, shared with the code that started it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Whether a frame was shown. Later failures are not those of opening the window.
    pub shown: AtomicBool,
    /// The first file that could not be written, and why.
    unwritable: Mutex<Option<(PathBuf, String)>>,
}

impl Outcome {
    /// Records a file that could not be written.
    pub fn report_unwritable(&self, file: PathBuf, reason: String) {
        let mut slot = self
            .unwritable
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        slot.get_or_insert((file, reason));
    }

    /// The first file that could not be written, and why.
    pub fn take_unwritable(&self) -> Option<(PathBuf, String)> {
        self.unwritable
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}
