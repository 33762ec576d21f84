//! Parameters, report and errors of a compression.

use pliant_core::asset::Cancelled;

/// How a matrix is compressed.
#[derive(Debug, Clone, PartialEq)]
pub struct HierarchicalSpec {
    /// Largest relative error, 1e-4 to 0.5: the Frobenius norm of the error over that of what [`ErrorMeasure`] names.
    pub rms_error: f64,
    /// Most nodes of a cluster that is not divided, 4 to 512.
    pub leaf_size: usize,
    /// What the error is relative to.
    pub measure: ErrorMeasure,
}

/// What an error is relative to. The choice matters for columns near a support, where compliances are small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ErrorMeasure {
    /// The norm of the matrix: the smallest result. Columns of stiff places may be lost altogether.
    Matrix,
    /// The norm of the matrix after rows and columns are scaled to equal norms: each column has about the relative error of the whole.
    ScaledMatrix,
    /// The norm of each block column: no column has a larger relative error. Scaled as well.
    #[default]
    EveryColumn,
}

impl Default for HierarchicalSpec {
    fn default() -> Self {
        Self {
            rms_error: 0.01,
            leaf_size: 24,
            measure: ErrorMeasure::default(),
        }
    }
}

impl HierarchicalSpec {
    pub(super) fn check(&self) -> Result<(), HierarchicalMatrixError> {
        let wrong =
            |name, value, range| Err(HierarchicalMatrixError::OutOfRange { name, value, range });
        if !(1e-4..=0.5).contains(&self.rms_error) {
            return wrong("rms_error", self.rms_error, "1e-4 to 0.5");
        }
        if !(4..=512).contains(&self.leaf_size) {
            return wrong("leaf_size", self.leaf_size as f64, "4 to 512");
        }
        Ok(())
    }
}

/// Size and errors of a compressed matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct HierarchicalReport {
    /// Bytes of the compressed matrix in memory, with all indices.
    pub bytes: usize,
    /// Bytes of the dense matrix in single precision, `36 n²`, over `bytes`.
    pub compression: f64,
    /// Frobenius norm of the error over that of the matrix, measured on all entries.
    pub rms_error: f64,
    /// `rms_error` with rows and columns scaled to equal norms; the same as `rms_error` for [`ErrorMeasure::Matrix`].
    pub scaled_rms_error: f64,
    /// Largest `rms_error` of a block column, not scaled.
    pub column_rms_error: f64,
    /// Largest norm of the error of a block over the largest norm of the blocks of that column.
    pub max_error: f64,
    /// Frobenius norm of `F − Fᵀ` over that of `F`. No symmetric matrix has an error below half of it.
    pub asymmetry: f64,
    /// Blocks of low rank, those of rank zero included.
    pub low_rank_blocks: usize,
    /// Blocks with all their entries.
    pub dense_blocks: usize,
}

/// Why a matrix cannot be compressed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum HierarchicalMatrixError {
    /// There is nothing to compress.
    #[error("there are no nodes\n  remedy: leave at least one boundary node free")]
    NoNodes,
    /// A parameter makes no sense.
    #[error("`{name}` is {value}\n  remedy: use {range}")]
    OutOfRange {
        /// The field of [`HierarchicalSpec`].
        name: &'static str,
        /// What was given.
        value: f64,
        /// What may be given.
        range: &'static str,
    },
    /// A position is NaN or infinite.
    #[error("the position of node {node} is not finite\n  remedy: repair the mesh")]
    PositionNotFinite {
        /// The node.
        node: usize,
    },
    /// An entry is NaN, infinite, or beyond what single precision holds.
    #[error(
        "the Green's function of node {column} at node {row} is not a finite number\n  remedy: bake the body again, or import its columns again"
    )]
    EntryNotFinite {
        /// Node that moves.
        row: usize,
        /// Node that is loaded.
        column: usize,
    },
    /// Only symmetric matrices have this form.
    #[error(
        "the matrix differs from its transpose by {asymmetry:.2e} of its norm, which an error of {tolerance:.2e} does not allow\n  remedy: use columns for nodal forces, not tractions, or allow a larger error"
    )]
    NotSymmetric {
        /// Norm of the difference over the norm of the matrix.
        asymmetry: f64,
        /// Error that was asked for.
        tolerance: f64,
    },
    /// The tolerance asked for was not reached.
    #[error(
        "the error is {reached:.2e} where {tolerance:.2e} was asked for\n  remedy: allow a larger error, or keep the dense matrix"
    )]
    NotReached {
        /// Error of the best that was found.
        reached: f64,
        /// Error that was asked for.
        tolerance: f64,
    },
    /// The compressed matrix has more numbers than 32 bits count.
    #[error("the matrix of {nodes} nodes is too large\n  remedy: use a coarser mesh")]
    TooLarge {
        /// Number of nodes.
        nodes: usize,
    },
    /// The owner of the job cancelled it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

pliant_core::error_code!(HierarchicalMatrixError);
