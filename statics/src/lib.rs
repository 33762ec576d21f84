//! Small-strain statics of tetrahedral meshes: the reference that faster methods are fitted to.
//!
//! [`Statics`] is a held body: its stiffness is assembled element by element and factorised, and gives displacements under many loads. Quadratic tetrahedra bend as
//! the body does even where a wall is one of them thick. Linear ones do not, and neither do the methods that run in real time.
//!
//! [`FreeNodes`] and [`SymmetricBlocks`], the numbering of unknowns and the sparse stiffness matrix, also serve the bake of `pliant-quasistatic`, which has a
//! factorisation of its own.

pub mod cholesky;
mod free_nodes;
pub mod quadratic;
mod symmetric_blocks;

pub use cholesky::{Factor, Statics};
pub use free_nodes::FreeNodes;
pub use symmetric_blocks::SymmetricBlocks;
