//! The dense Cholesky factor of the stiffness of a body at its boundary columns, and its modification.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{
    LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::matmul::triangular::{BlockStructure, matmul as triangular_matmul};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, Mat, MatMut, Par};
use pliant_core::math::Mat3;
use rayon::prelude::*;

/// Columns that one task computes. The number is fixed, so that the bits do not depend on the number of threads.
const COLUMNS_PER_TASK: usize = 96;

/// `S = L Lᵀ`, where `S` gives the forces on the columns for their displacements while nothing else is loaded.
#[derive(Debug)]
pub struct BoundaryFactor {
    lower: Mat<f64>,
}

impl BoundaryFactor {
    /// From the lower triangle `L`; entries above it are ignored.
    pub fn new(lower: Mat<f64>) -> Self {
        Self { lower }
    }

    /// From the compliance `S⁻¹`, symmetric and positive definite; `None` where it is not.
    pub fn from_compliance(mut compliance: Mat<f64>) -> Option<Self> {
        let size = compliance.nrows();
        factorise(&mut compliance)?;
        let mut inverse = Mat::<f64>::identity(size, size);
        let compliance = Self { lower: compliance };
        compliance.solve(inverse.as_mut(), 0);
        factorise(&mut inverse)?;
        Some(Self { lower: inverse })
    }

    /// The factor of `S + S D S`, with the symmetric, positive semidefinite blocks `D` (m/N) of each node; `None` where round-off makes a pivot negative.
    ///
    /// The compliance becomes `(S + S D S)⁻¹ = S⁻¹ - (D⁻¹ + S)⁻¹`: smaller by `D` for loads that are smooth from node to node, and positive definite for all loads, which
    /// `S⁻¹ - D` need not be. With `S = L Lᵀ` the new factor is `L G`, where `G Gᵀ = 1 + Lᵀ D L`.
    ///
    /// Cost: about `4/3 n³` multiplications and additions for `n` unknowns, and two more matrices of `n²` numbers. The same bits for any number of threads.
    pub fn stiffened(self, compliances: &[Mat3]) -> Option<Self> {
        let lower = self.lower;
        let size = lower.nrows();
        let mut inner = lower_columns(size, |first, mut out| {
            let (below, width) = (out.nrows(), out.ncols());
            // the columns of D L from `first` on; nothing stands above
            let compliance_times_lower = Mat::<f64>::from_fn(below, width, |r, c| {
                let (row, column) = (first + r, first + c);
                let node = row / 3;
                let block = &compliances[node];
                (0..3)
                    .filter(|k| 3 * node + k >= column)
                    .map(|k| block[(row % 3, k)] * lower[(3 * node + k, column)])
                    .sum::<f64>()
            });
            let upper = lower.as_ref().submatrix(first, first, below, below);
            triangular_matmul(
                out.as_mut(),
                BlockStructure::Rectangular,
                Accum::Replace,
                upper.transpose(),
                BlockStructure::TriangularUpper,
                compliance_times_lower.as_ref(),
                BlockStructure::Rectangular,
                1.0,
                Par::Seq,
            );
        });
        for k in 0..size {
            inner[(k, k)] += 1.0;
        }
        factorise(&mut inner)?;
        let product = lower_columns(size, |first, mut out| {
            let (below, width) = (out.nrows(), out.ncols());
            let left = lower.as_ref().submatrix(first, first, below, below);
            let right = Mat::<f64>::from_fn(below, width, |r, c| {
                if r >= c {
                    inner[(first + r, first + c)]
                } else {
                    0.0
                }
            });
            triangular_matmul(
                out.as_mut(),
                BlockStructure::Rectangular,
                Accum::Replace,
                left,
                BlockStructure::TriangularLower,
                right.as_ref(),
                BlockStructure::Rectangular,
                1.0,
                Par::Seq,
            );
        });
        Some(Self { lower: product })
    }

    /// Replaces the columns of `right`, loads on the columns that begin with `zeros` zeros, by displacements.
    pub fn solve(&self, mut right: MatMut<'_, f64>, zeros: usize) {
        let below = self.lower.nrows() - zeros;
        let rest = self.lower.as_ref().submatrix(zeros, zeros, below, below);
        let own = right.as_mut().subrows_mut(zeros, below);
        solve_lower_triangular_in_place(rest, own, Par::Seq);
        solve_upper_triangular_in_place(self.lower.transpose(), right, Par::Seq);
    }
}

/// A square matrix. `fill(first, columns)` writes some columns from `first` on, and of these the rows from `first` on; the other entries are zero.
fn lower_columns(size: usize, fill: impl Fn(usize, MatMut<'_, f64>) + Sync) -> Mat<f64> {
    let parts: Vec<Mat<f64>> = (0..size.div_ceil(COLUMNS_PER_TASK))
        .into_par_iter()
        .map(|k| {
            let first = COLUMNS_PER_TASK * k;
            let mut part = Mat::zeros(size - first, COLUMNS_PER_TASK.min(size - first));
            fill(first, part.as_mut());
            part
        })
        .collect();
    let mut matrix = Mat::<f64>::zeros(size, size);
    for (k, part) in parts.iter().enumerate() {
        let first = COLUMNS_PER_TASK * k;
        matrix
            .submatrix_mut(first, first, part.nrows(), part.ncols())
            .copy_from(part);
    }
    matrix
}

/// Replaces the lower triangle by its Cholesky factor.
fn factorise(matrix: &mut Mat<f64>) -> Option<()> {
    let size = matrix.nrows();
    let request = cholesky_in_place_scratch::<f64>(size, Par::Seq, Default::default());
    let mut memory = MemBuffer::new(request);
    cholesky_in_place(
        matrix.as_mut(),
        LltRegularization::default(),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    )
    .ok()
    .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stiffness with entries that fall off, and a compliance a node.
    fn example(nodes: usize) -> (Mat<f64>, Vec<Mat3>) {
        let size = 3 * nodes;
        let lower = Mat::from_fn(size, size, |r, c| match r {
            _ if r < c => 0.0,
            _ if r == c => 2.0 + (r % 5) as f64 / 3.0,
            _ => ((r * 7 + c * 3) % 11) as f64 / 20.0 / (1.0 + (r - c) as f64),
        });
        let blocks = (0..nodes).map(|i| {
            #[rustfmt::skip]
            let root = Mat3::new(
                0.5, 0.1, 0.0,
                0.2, 0.4, 0.1 * i as f64 / nodes as f64,
                0.0, 0.1, 0.3,
            );
            root * root.transpose()
        });
        (lower, blocks.collect())
    }

    fn compliance(factor: &BoundaryFactor) -> Mat<f64> {
        let size = factor.lower.nrows();
        let mut x = Mat::<f64>::identity(size, size);
        factor.solve(x.as_mut(), 0);
        x
    }

    #[test]
    fn the_stiffened_compliance_is_c_over_c_plus_d_times_c() {
        let (lower, blocks) = example(67);
        let size = lower.nrows();
        let soft = compliance(&BoundaryFactor::new(lower.clone()));
        let stiff = compliance(
            &BoundaryFactor::new(lower)
                .stiffened(&blocks)
                .expect("positive"),
        );
        let mut sum = soft.clone();
        for (i, block) in blocks.iter().enumerate() {
            for r in 0..3 {
                for c in 0..3 {
                    sum[(3 * i + r, 3 * i + c)] += block[(r, c)];
                }
            }
        }
        // (C + D) X = C, then C X
        let mut x = soft.clone();
        factorise(&mut sum).expect("positive");
        BoundaryFactor::new(sum).solve(x.as_mut(), 0);
        let expected = &soft * &x;
        let error = (&stiff - &expected).norm_max() / expected.norm_max();
        assert!(error < 1e-12, "{error:e}");
        let changed = (&stiff - &soft).norm_max() / soft.norm_max();
        assert!(changed > 0.05, "the example changes nothing: {changed}");
        assert_eq!(size, 201);
    }

    #[test]
    fn a_compliance_gives_the_same_factor_and_zeros_are_skipped() {
        let (lower, _) = example(40);
        let factor = BoundaryFactor::new(lower);
        let inverse = compliance(&factor);
        let again = BoundaryFactor::from_compliance(inverse.clone()).expect("positive");
        assert!((compliance(&again) - &inverse).norm_max() < 1e-12 * inverse.norm_max());
        let mut last = Mat::<f64>::zeros(120, 1);
        last[(119, 0)] = 1.0;
        factor.solve(last.as_mut(), 100);
        for r in 0..120 {
            assert!((last[(r, 0)] - inverse[(r, 119)]).abs() < 1e-14);
        }
    }

    #[test]
    fn a_compliance_that_is_not_positive_has_no_factor() {
        let mut wrong = Mat::<f64>::identity(6, 6);
        wrong[(4, 4)] = -1.0;
        assert!(BoundaryFactor::from_compliance(wrong).is_none());
    }
}
