//! The equations of one active set of conditions, solved with the factor or inverse of the last set.
//!
//! From frame to frame and from exchange to exchange few conditions enter or leave. The same set as before costs a product with the cached inverse.
//! For a set that differs in a few rows the inverse is updated. Any other set is factored anew (James and Pai 2003, section on
//! temporal coherence).

mod cache;
mod solver;
#[cfg(test)]
mod tests;

pub(crate) use solver::CachedInverse;
pub use solver::SetSolver;
