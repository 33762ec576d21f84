//! The inverse of a compliance that gains and loses rows: `O(s²)` a row instead of a fresh factor (`O(s³)`).
//!
//! Adding borders the inverse by the Schur complement, removing takes a rank-k correction back (James and Pai 2001, section on updating;
//! Hager 1989, block forms of the Sherman-Morrison-Woodbury identity). Rounding adds up, so every eighth update is followed by a probe
//! of the residual of one right-hand side, and a fresh inverse is made where that is too large.

mod add;
mod drift;
mod packed;
mod passes;
mod remove;
mod small_block;
#[cfg(test)]
mod tests;
mod updated;

pub use drift::{DRIFT_LIMIT, MOST_UPDATES};
pub use passes::BLOCK;
pub use updated::UpdatedInverse;
