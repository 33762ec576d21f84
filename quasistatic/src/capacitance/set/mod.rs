//! The equations of one set of conditions, solved from what is known of the last set.
//!
//! From frame to frame and from exchange to exchange few conditions come and go. A set that is the last one costs a product with what is
//! held; a set that differs in a few rows adds and removes them on the inverse; any other is factored anew (James and Pai 2003, section
//! on temporal coherence).

mod solver;
#[cfg(test)]
mod tests;

pub(crate) use solver::HeldInverse;
pub use solver::SetSolver;
