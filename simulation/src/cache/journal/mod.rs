//! Finished columns on disk while a bake runs, so that an interrupted bake can be resumed.
//!
//! One file lies beside the asset to come. Its header is `PLNTPART` (8 bytes), the version (u32), the numbers a column (u64), the number of columns (u64), the
//! bytes a number (u32), and the key of everything that the bake depends on (u128). Records follow in the order in which they were finished: the first column
//! (u64), the length in bytes (u64), the numbers, and a checksum (u128). All of it is little endian, but for the numbers, which are as the machine has them.
//!
//! A record that a crash or a full disk cut off is dropped when the file is opened. Columns are the same bits whoever computes them. So a resumed bake gives
//! the bits of an uninterrupted one, and several processes, each with a file of its own, give the columns of a single one.

mod column_file;
mod file;
mod merged;
mod records;

pub use column_file::ColumnFile;
pub(crate) use column_file::column_file;
pub use file::FileJournal;
pub use merged::MergedJournals;
pub use pliant_quasistatic::bake::ColumnJournal;

#[cfg(test)]
mod tests;
