//! Processes that bake one body together: each assembles and solves its part, and they exchange the results.
//!
//! A message library, or threads in a test, implement [`TeamLink`]. A part has the same bits whoever computes it, so that a team of any size makes the asset
//! of a single process.

use std::sync::OnceLock;

/// What moves numbers between the processes. All of them call the same functions in the same order, and wait for each other in each.
pub trait TeamLink: Sync {
    /// Number of this process, from zero; the first one gets the columns.
    fn rank(&self) -> usize;

    /// Number of processes.
    fn size(&self) -> usize;

    /// The first of all processes that says it is not `fine`.
    fn first_failure(&self, fine: bool) -> Option<usize>;

    /// Overwrites `bytes` with those of process `from`; the lengths are equal.
    fn hand_out(&self, from: usize, bytes: &mut [u8]);

    /// Overwrites the `bytes` of the first process with those of process `from`; the lengths are equal.
    fn bring_in(&self, from: usize, bytes: &mut [u8]);
}

/// A team and its rule for failures. A process that fails says so at its next agreement, and that agreement is the last for all. Data are exchanged only
/// right after an agreement, so that no process waits for one that is gone.
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

    /// Waits until all have come here, or returns at once where a process has failed before.
    ///
    /// # Errors
    /// The number of the first process that is not `fine`; it is the same for all, and for all later calls.
    pub fn agree(&self, fine: bool) -> Result<(), usize> {
        if let Some(&first) = self.failed.get() {
            return Err(first);
        }
        match self.link.first_failure(fine) {
            None => Ok(()),
            Some(first) => Err(*self.failed.get_or_init(|| first)),
        }
    }

    /// What process `from` has, for all; after an agreement only.
    pub(crate) fn hand_out(&self, from: usize, bytes: &mut [u8]) {
        self.link.hand_out(from, bytes);
    }

    /// What process `from` has, for the first; after an agreement only.
    pub(crate) fn bring_in(&self, from: usize, bytes: &mut [u8]) {
        self.link.bring_in(from, bytes);
    }

    /// The part of `count` things that process `rank` makes, in one piece.
    pub(crate) fn piece(&self, rank: usize, count: usize) -> std::ops::Range<usize> {
        let size = self.size().max(1);
        rank * count / size..(rank + 1) * count / size
    }
}
