//! Sparse Cholesky factorisation: the one place that knows faer's sparse interface.

use std::borrow::Cow;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltError::NonPositivePivot;
use faer::perm::PermRef;
use faer::sparse::linalg::cholesky::supernodal::SupernodalLltRef;
use faer::sparse::linalg::cholesky::{
    LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::{Conj, Mat, Par, Side};

use crate::symmetric_blocks::SymmetricBlocks;

/// Why a matrix has no Cholesky factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorError {
    /// The pivot of this scalar unknown is not positive.
    NotPositive {
        /// Row of the matrix as it was given.
        unknown: usize,
    },
    /// The factor needs more memory than allowed or available.
    OutOfMemory {
        /// Size of the factor, MB; 0 when not even the analysis fitted.
        megabytes: usize,
    },
}

/// Order of elimination and pattern of the factor; serves every matrix with the same pattern.
#[derive(Debug)]
pub struct CholeskyPattern {
    symbolic: SymbolicCholesky<usize>,
    /// first of the unknowns that are eliminated last, in the order of elimination
    schur_start: Option<usize>,
}

/// `K = L Lᵀ` of a sparse symmetric positive definite matrix.
#[derive(Debug)]
pub struct SparseCholesky<'a> {
    pattern: &'a CholeskyPattern,
    values: Cow<'a, [f64]>,
}

/// Largest factor that is attempted, MB.
const FACTOR_LIMIT_MEGABYTES: usize = 4000;

impl CholeskyPattern {
    /// Approximate minimum degree ordering and symbolic factorisation.
    ///
    /// # Errors
    /// [`FactorError::OutOfMemory`] when the factor would exceed 4 GB.
    pub fn new(matrix: &SymmetricBlocks) -> Result<Self, FactorError> {
        Self::ordered(matrix, SymmetricOrdering::Amd, None)
    }

    /// As [`CholeskyPattern::new`], with the free `nodes` in their order of elimination, of which the `last` ones form a Schur complement.
    ///
    /// The response of these last nodes to loads on these nodes follows from the factor of their Schur complement alone, see [`SparseCholesky::schur_complement`].
    ///
    /// # Errors
    /// As [`CholeskyPattern::new`].
    ///
    /// # Panics
    /// If `nodes` are not all free nodes of the matrix, each once.
    pub fn in_order(
        matrix: &SymmetricBlocks,
        nodes: &[usize],
        last: usize,
    ) -> Result<Self, FactorError> {
        let order: Vec<usize> = nodes.iter().flat_map(|&i| 3 * i..3 * i + 3).collect();
        let mut inverse = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            inverse[old] = new;
        }
        let size = order.len();
        let order = PermRef::new_checked(&order, &inverse, size);
        let schur_start = size - 3 * last;
        Self::ordered(matrix, SymmetricOrdering::Custom(order), Some(schur_start))
    }

    fn ordered(
        matrix: &SymmetricBlocks,
        order: SymmetricOrdering<'_, usize>,
        schur_start: Option<usize>,
    ) -> Result<Self, FactorError> {
        let symbolic = factorize_symbolic_cholesky(
            matrix.lower().symbolic(),
            Side::Lower,
            order,
            Default::default(),
        )
        .map_err(|_| FactorError::OutOfMemory { megabytes: 0 })?;
        let megabytes = symbolic.len_val() / 125_000;
        if megabytes > FACTOR_LIMIT_MEGABYTES {
            return Err(FactorError::OutOfMemory { megabytes });
        }
        Ok(Self {
            symbolic,
            schur_start,
        })
    }

    /// Count of numbers in a factor.
    pub fn numbers(&self) -> usize {
        self.symbolic.len_val()
    }

    /// Numeric factorisation on the calling thread, so that the bits depend on nothing else.
    ///
    /// # Errors
    /// [`FactorError::NotPositive`] with the unknown whose pivot failed.
    pub fn factor(&self, matrix: &SymmetricBlocks) -> Result<SparseCholesky<'_>, FactorError> {
        let symbolic = &self.symbolic;
        let mut values = vec![0.0; symbolic.len_val()];
        let request = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let mut memory =
            MemBuffer::try_new(request).map_err(|_| FactorError::OutOfMemory { megabytes: 0 })?;
        let outcome = symbolic.factorize_numeric_llt(
            &mut values,
            matrix.lower().as_ref(),
            Side::Lower,
            Default::default(),
            Par::Seq,
            MemStack::new(&mut memory),
            Default::default(),
        );
        match outcome {
            Ok(_) => Ok(SparseCholesky {
                pattern: self,
                values: Cow::Owned(values),
            }),
            Err(NonPositivePivot { index }) => {
                let unknown = match symbolic.perm() {
                    Some(order) => order.arrays().0.get(index).copied().unwrap_or(index),
                    None => index,
                };
                Err(FactorError::NotPositive { unknown })
            }
        }
    }

    /// The factor with these numbers, which come from [`SparseCholesky::into_values`] of a factor with this pattern.
    pub(crate) fn with_values<'a>(&'a self, values: &'a [f64]) -> SparseCholesky<'a> {
        SparseCholesky {
            pattern: self,
            values: Cow::Borrowed(values),
        }
    }
}

/// Working memory of [`SparseCholesky::solve`]: one for each thread.
pub struct SolveMemory {
    buffer: MemBuffer,
}

impl SparseCholesky<'_> {
    /// The numbers of the factor.
    pub(crate) fn into_values(self) -> Vec<f64> {
        self.values.into_owned()
    }

    /// Working memory for up to `columns` right-hand sides at once.
    pub fn solve_memory(&self, columns: usize) -> SolveMemory {
        let symbolic = &self.pattern.symbolic;
        let request = symbolic.solve_in_place_scratch::<f64>(columns, Par::Seq);
        SolveMemory {
            buffer: MemBuffer::new(request),
        }
    }

    /// Replaces the columns of `right` by the solutions, on the calling thread.
    pub fn solve(&self, right: &mut Mat<f64>, memory: &mut SolveMemory) {
        LltRef::new(&self.pattern.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            right.as_mut(),
            Par::Seq,
            MemStack::new(&mut memory.buffer),
        );
    }

    /// As [`Self::solve`], in memory of its own.
    pub fn solve_once(&self, right: &mut Mat<f64>) {
        let mut memory = self.solve_memory(right.ncols());
        self.solve(right, &mut memory);
    }

    /// The Cholesky factor of the Schur complement on the nodes that are eliminated last, dense and zero above the diagonal: their rows and columns of the whole factor.
    /// `None` where there are none, or the matrix is so small that the factor has no blocks.
    pub fn schur_complement(&self) -> Option<Mat<f64>> {
        let (SymbolicCholeskyRaw::Supernodal(symbolic), Some(start)) =
            (self.pattern.symbolic.raw(), self.pattern.schur_start)
        else {
            return None;
        };
        let factor = SupernodalLltRef::new(symbolic, &self.values);
        let ends = symbolic.supernode_end();
        let size = ends.last().map_or(0, |&end| end - start);
        let mut lower = Mat::zeros(size, size);
        for s in ends.partition_point(|&end| end <= start)..symbolic.n_supernodes() {
            let node = factor.supernode(s);
            let (block, pattern) = (node.val(), node.pattern());
            let skip = start.saturating_sub(node.start());
            for c in skip..block.ncols() {
                let column = node.start() + c - start;
                for r in c..block.ncols() {
                    lower[(node.start() + r - start, column)] = block[(r, c)];
                }
                for (r, &row) in pattern.iter().enumerate() {
                    lower[(row - start, column)] = block[(block.ncols() + r, c)];
                }
            }
        }
        Some(lower)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::free_nodes::FreeNodes;
    use pliant_core::math::{Mat3, Vec3};
    use pliant_core::mesh::procedural::{CellStyle, box_tets};

    #[test]
    fn solutions_satisfy_the_equations_and_a_bad_pivot_is_named() {
        let mesh = box_tets(Vec3::repeat(1.0), [3, 2, 2], CellStyle::Kuhn);
        let free = FreeNodes::new(mesh.nodes.len(), |n| n != 5);
        let tets = mesh.tets.iter().map(<[u32; 4]>::as_slice);
        let mut matrix = SymmetricBlocks::zeros(tets, &free);
        for i in 0..free.len() {
            matrix.add(i, i, &(Mat3::identity() * 30.0));
            for j in 0..i {
                matrix.add(
                    i,
                    j,
                    &Mat3::new(-1.0, 0.3, 0.0, 0.1, -1.0, 0.0, 0.0, 0.2, -0.5),
                );
            }
        }
        let pattern = CholeskyPattern::new(&matrix).expect("fits");
        let factor = pattern.factor(&matrix).expect("dominant diagonal");
        let size = matrix.size();
        let right = Mat::from_fn(size, 3, |r, c| ((r * 7 + c * 3) % 11) as f64 - 5.0);
        let mut x = right.clone();
        factor.solve_once(&mut x);
        let full = Mat::from_fn(size, size, |r, c| {
            let (low, high) = (r.max(c), r.min(c));
            matrix.lower().get(low, high).copied().unwrap_or(0.0)
        });
        let residual = &full * &x - &right;
        assert!(residual.norm_max() < 1e-12);

        matrix.add(4, 4, &(Mat3::identity() * -100.0));
        match pattern.factor(&matrix) {
            Err(FactorError::NotPositive { unknown }) => assert!(unknown < size),
            other => panic!("expected a failing pivot, got {other:?}"),
        }
    }
}
