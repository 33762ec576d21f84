//! Processes that bake one body together: each assembles and solves its part, and they exchange the results.
//!
//! A message library, or threads in a test, implement [`TeamLink`]. The bits of a part do not depend on the process that computes it, so that a team of any size makes the asset
//! of a single process.

use std::sync::OnceLock;

/// Collective communication between the processes. All of them call the same functions in the same order, and wait for each other in each call.
pub trait TeamLink: Sync {
    /// Number of this process, from zero; the first one gets the columns.
    fn rank(&self) -> usize;

    /// Number of processes.
    fn size(&self) -> usize;

    /// The first process whose `succeeded` is false.
    fn first_failure(&self, succeeded: bool) -> Option<usize>;

    /// Overwrites `bytes` with those of process `from`; the lengths are equal.
    fn broadcast(&self, from: usize, bytes: &mut [u8]);

    /// Overwrites the `bytes` of the first process with those of process `from`; the lengths are equal.
    fn send_to_first(&self, from: usize, bytes: &mut [u8]);
}

/// A team and its rule for failures. A process that fails reports it at its next agreement, which is the last one for all. Data are exchanged only
/// right after an agreement, so that no process waits for one that has failed.
pub struct Team<'a> {
    link: &'a dyn TeamLink,
    failed: OnceLock<usize>,
}

impl<'a> Team<'a> {
    /// A team in which nobody has failed.
    pub fn new(link: &'a dyn TeamLink) -> Self {
        Self {
            link,
            failed: OnceLock::new(),
        }
    }

    /// Number of this process, from zero.
    pub fn rank(&self) -> usize {
        self.link.rank()
    }

    /// Number of processes.
    pub fn size(&self) -> usize {
        self.link.size()
    }

    /// Waits until all processes have called this, or returns at once where a process has failed before.
    ///
    /// # Errors
    /// The number of the first process whose `succeeded` is false; it is the same for all, and for all later calls.
    pub fn agree(&self, succeeded: bool) -> Result<(), usize> {
        if let Some(&first) = self.failed.get() {
            return Err(first);
        }
        match self.link.first_failure(succeeded) {
            None => Ok(()),
            Some(first) => Err(*self.failed.get_or_init(|| first)),
        }
    }

    /// Overwrites `bytes` in all processes with those of process `from`; after an agreement only.
    pub(crate) fn broadcast(&self, from: usize, bytes: &mut [u8]) {
        self.link.broadcast(from, bytes);
    }

    /// Overwrites `bytes` in the first process with those of process `from`; after an agreement only.
    pub(crate) fn send_to_first(&self, from: usize, bytes: &mut [u8]) {
        self.link.send_to_first(from, bytes);
    }

    /// The consecutive part of `count` things that process `rank` computes.
    pub(crate) fn piece(&self, rank: usize, count: usize) -> std::ops::Range<usize> {
        let size = self.size().max(1);
        rank * count / size..(rank + 1) * count / size
    }
}
