//! Finished columns that outlive a bake, so that a bake that was stopped, or shared between processes, goes on where others were.
//!
//! Where they are kept is not the solver's business: whoever owns the cache has files for it. Columns are the same bits whoever computes them, so a
//! bake that goes on gives the bits of one that was never stopped.

use pliant_core::asset::AssetKey;

use crate::error::BakeError;

/// What kept columns have to fit.
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
    /// Begins, or goes on, with columns of this layout; those of another bake are forgotten. `false`: somebody else uses it, and this bake goes without.
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
