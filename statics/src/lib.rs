//! Small-strain statics of tetrahedral meshes: the reference that faster methods are fitted to.
//!
//! A held body, a stiffness that is assembled element by element, a sparse Cholesky factorisation, and displacements under many loads. Quadratic tetrahedra answer bending
//! as the body does even where a wall has a single one across it; linear ones do not, and neither do the methods that run in real time.

pub mod cholesky;
pub mod quadratic;

pub use cholesky::{Factor, Statics};
