//! Small-strain statics of tetrahedral meshes: the reference to which faster methods are fitted.
//!
//! [`Statics`] is a supported body. Its stiffness is assembled element by element and factorised (`K = L Lᵀ`), and gives displacements (m) under many loads (N). Quadratic tetrahedra ([`quadratic`]) bend
//! correctly even where a wall is one element thick. Linear ones do not, and neither do the methods that run in real time.
//!
//! | you want to | here |
//! |---|---|
//! | solve for a few loads | [`Statics::solve`] |
//! | solve again and again | [`Statics::factorise`], or [`Statics::into_factor`] where the body keeps its factor |
//! | assemble a mesh | [`Statics::add_linear`], [`quadratic::assemble`], or block by block with [`Statics::add`] |
//!
//! The bake of `pliant-quasistatic` uses [`FreeNodes`], [`SymmetricBlocks`] and [`CholeskyPattern`], too: the numbering of unknowns, the sparse stiffness matrix and its
//! factorisation.
//!
//! Elements may be anything that couples nodes. Two springs of 1,000 N/m in series, held at one end, extend by `2 F / k`:
//!
//! ```
//! use pliant_core::asset::Progress;
//! use pliant_core::math::{Mat3, Vec3};
//! use pliant_statics::Statics;
//!
//! let springs = [[0, 1], [1, 2]];
//! let mut statics = Statics::new(&[true, false, false], &springs).expect("two nodes are free");
//! let stiffness = Mat3::identity() * 1000.0;
//! for [a, b] in springs {
//!     statics.add(a, a, &stiffness);
//!     statics.add(b, b, &stiffness);
//!     statics.add(b, a, &-stiffness);
//! }
//! let pull = vec![Vec3::zeros(), Vec3::zeros(), Vec3::x()];
//! let moved = statics.solve(&[pull], &Progress::new())?.expect("one end is held");
//! assert!((moved[0][2].x - 2.0 / 1000.0).abs() < 1e-12);
//! # Ok::<(), pliant_core::asset::Cancelled>(())
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

mod cholesky;
mod free_nodes;
pub mod quadratic;
mod statics;
mod symmetric_blocks;

pub use cholesky::{CholeskyPattern, FactorError, SolveMemory, SparseCholesky};
pub use free_nodes::FreeNodes;
pub use statics::{Factor, OwnedFactor, Statics};
pub use symmetric_blocks::SymmetricBlocks;
