//! A journal of finished columns: a bake that was stopped, or that several processes share, continues from it.
//!
//! The owner of the cache implements it with files. The bits of columns do not depend on the process that computes them, so that a continued bake gives the same bits as one that was
//! never stopped.

use pliant_core::asset::AssetKey;

use crate::error::BakeError;

/// Layout and key of the columns in a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnLayout {
    /// Numbers of a column.
    pub height: usize,
    /// Number of columns.
    pub columns: usize,
    /// Bytes of a number.
    pub bytes: usize,
    /// Everything else that the columns depend on.
    pub key: AssetKey,
}

/// Keeps finished columns; used by all threads of a bake at once.
pub trait ColumnJournal: Sync {
    /// Begins or continues with columns of this layout; those of another bake are dropped. `false` where another process uses the journal: this bake
    /// then runs without it.
    ///
    /// # Errors
    /// [`BakeError::JournalForeign`] where something else is in its place, [`BakeError::JournalUnwritable`] where nothing can be kept.
    fn open(&self, layout: &ColumnLayout) -> Result<bool, BakeError>;

    /// Reads the columns from `first` on into `out`, numbers as the machine has them; false when they are not there.
    fn load(&self, first: usize, out: &mut [u8]) -> bool;

    /// Adds columns from `first` on.
    ///
    /// # Errors
    /// [`BakeError::JournalUnwritable`]; what was kept before stays whole.
    fn keep(&self, first: usize, columns: &[u8]) -> Result<(), BakeError>;
}
