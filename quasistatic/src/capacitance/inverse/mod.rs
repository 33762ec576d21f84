//! The inverse of a compliance that gains and loses rows: `O(s²)` a row instead of a fresh factor (`O(s³)`).
//!
//! Added rows border the inverse by the Schur complement, and removed rows take a rank-k correction back (James and Pai 2001, section on updating;
//! Hager 1989, block forms of the Sherman-Morrison-Woodbury identity). Rounding errors accumulate. Every eighth update is therefore followed by a probe
//! of the residual of one right-hand side, and the inverse is computed anew where the residual is too large.

mod add;
mod drift;
mod packed;
mod passes;
mod remove;
mod small_block;
#[cfg(test)]
mod tests;
mod updated;

pub use passes::BLOCK;
pub use updated::UpdatedInverse;
