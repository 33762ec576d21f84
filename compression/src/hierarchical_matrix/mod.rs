//! Hierarchical matrices: compressed Green's functions for any mesh, without subdivision connectivity.
//!
//! Green's functions between two groups of nodes that lie apart are smooth, so that their block of the matrix is nearly of low rank (Hackbusch 1999; Bebendorf 2000).
//! [`HierarchicalMatrix::compress`] makes it so:
//!
//! 1. rows and columns are scaled to equal norms, so that stiff places count as much as soft ones (`compress/entries`);
//! 2. nodes are divided along their principal axis into a tree of clusters (`cluster_tree`), and pairs of clusters into blocks (`compress/candidates`);
//! 3. a randomised range finder gives the singular value decomposition of each block (`compress/low_rank`). Cross approximation would save little, because the entries are in
//!    memory already, and it could miss a part of the block;
//! 4. singular vectors and dense blocks are rounded to one or two bytes a number (`compress/quantisation`);
//! 5. one price of a byte decides for all blocks which terms are kept, how wide their integers are, and which blocks are divided (`compress/allocation`);
//! 6. the error is measured on all entries (`compress/report`).
//!
//! The matrix is symmetric: only the upper triangle is stored. Sums cost least for forces that lie close together, as those of a contact do. For forces that are spread
//! over the whole body the dense matrix is faster.

mod assembly;
mod bytes;
mod cluster_tree;
mod compress;
mod kernels;
mod loads;
mod matrix;
mod spec;
mod sum;
#[cfg(test)]
mod tests;

pub use bytes::HierarchicalFormatError;
pub use loads::SumScratch;
pub use matrix::HierarchicalMatrix;
pub use spec::{ErrorMeasure, HierarchicalMatrixError, HierarchicalReport, HierarchicalSpec};
