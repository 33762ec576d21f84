//! The capacitance matrix algorithm (James and Pai 1999; 2003): conditions that change every frame, solved through the compliance of the
//! constrained nodes alone.
//!
//! ```text
//! conditions → assemble: C = W F Wᵀ → independent: drop repeated ones → complementarity: which push → set: solve, update or factor
//! ```

pub mod assemble;
mod complementarity;
pub mod compressed;
pub mod dense_lu;
mod descent;
mod independent;
pub(crate) mod inverse;
pub mod nodal;
pub(crate) mod problem;
pub(crate) mod set;
mod solve;
pub(crate) mod work_meter;

pub use assemble::ContactRow;
pub(crate) use solve::{CapacitanceSolver, RowProblem};
