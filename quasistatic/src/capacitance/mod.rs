//! The capacitance matrix algorithm (James and Pai 1999; 2003): conditions that change every frame, solved through the compliance of the
//! constrained nodes alone.
//!
//! ```text
//! conditions → assemble: C = W F Wᵀ → independent: drop repeated ones → complementarity: which push → set: solve, update or factor
//! ```

pub mod assemble;
pub mod complementarity;
pub mod compressed;
pub mod dense_lu;
mod descent;
pub mod independent;
pub mod inverse;
pub mod nodal;
pub mod problem;
pub mod set;
pub mod solve;
pub mod work_meter;

pub use assemble::ContactRow;
pub use solve::{CapacitanceSolver, RowProblem, RowSolution};
