//! Small-strain statics of tetrahedral meshes: the reference that faster methods are fitted to.
//!
//! A held body, a stiffness that is assembled element by element, a sparse Cholesky factorisation, and displacements under many loads. Quadratic tetrahedra answer bending
//! as the body does even where a wall has a single one across it; linear ones do not, and neither do the methods that run in real time.

pub mod cholesky;
mod free_nodes;
pub mod quadratic;
mod symmetric_blocks;

pub use cholesky::{Factor, Statics};
pub use free_nodes::FreeNodes;
pub use symmetric_blocks::SymmetricBlocks;
