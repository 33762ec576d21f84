//! Finished columns on disk while a bake runs, so that a bake that was stopped goes on where it was.
//!
//! One file beside the asset to come: a header of 8 bytes `PLNTPART`, version (u32), numbers a column (u64), number of columns (u64), bytes a number
//! (u32) and the key of everything that the bake depends on (u128); then records of the first column (u64), the length in bytes (u64), the numbers and a
//! checksum (u128), in the order in which they were finished; little endian, numbers as the machine has them. A record that a crash or a full disk
//! cut off is dropped when the file is opened. Columns are the same bits whoever computes them, so a resumed bake gives the bits of an
//! uninterrupted one, and several processes that each have a file of their own leave the same columns between them.

mod file;
mod merged;
mod records;

pub use file::FileJournal;
pub use merged::MergedJournals;
pub use pliant_quasistatic::bake::ColumnJournal;

#[cfg(test)]
mod tests;
