//! The entries of the matrix to compress, checked, made symmetric and scaled.

use std::ops::Range;

use pliant_core::asset::Progress;
use pliant_core::math::Mat3;
use rayon::prelude::*;

use crate::hierarchical_matrix::spec::HierarchicalMatrixError;

/// Norms of all blocks, and norm and asymmetry of the matrix.
pub(crate) struct BlockNorms {
    nodes: usize,
    /// Frobenius norms of the symmetric part, row by row
    norms: Vec<f32>,
    /// squared Frobenius norm of the matrix as it is given
    pub(crate) total: f64,
    /// Frobenius norm of the matrix less its transpose, over that of the matrix
    pub(crate) asymmetry: f64,
}

impl BlockNorms {
    /// Looks at every entry once. Needs `4 n²` bytes, and half as much on the way.
    ///
    /// # Errors
    /// [`HierarchicalMatrixError::EntryNotFinite`] for the first block with such a number, and [`HierarchicalMatrixError::Cancelled`].
    pub(crate) fn new(
        nodes: usize,
        block: &(impl Fn(usize, usize) -> Mat3 + Sync),
        progress: &Progress,
    ) -> Result<Self, HierarchicalMatrixError> {
        let checked_square = |i: usize, j: usize, block: &Mat3| {
            let square = block.norm_squared();
            // norms are kept in single precision
            match square.is_finite() && square < 1e60 {
                true => Ok(square),
                false => Err(HierarchicalMatrixError::EntryNotFinite { row: i, column: j }),
            }
        };
        let row = |i: usize| -> Result<(Vec<f32>, f64, f64), HierarchicalMatrixError> {
            progress.check()?;
            let mut norms = Vec::with_capacity(nodes - i);
            let (mut total, mut difference) = (0.0, 0.0);
            for j in i..nodes {
                let (upper, lower) = (block(i, j), block(j, i));
                let mut square = checked_square(i, j, &upper)?;
                square += checked_square(j, i, &lower)?;
                let mirrored = lower.transpose();
                // a diagonal block was counted twice
                let weight = if i == j { 0.5 } else { 1.0 };
                total += weight * square;
                difference += weight * 2.0 * (upper - mirrored).norm_squared();
                norms.push((0.5 * (upper + mirrored).norm()) as f32);
            }
            Ok((norms, total, difference))
        };
        let rows: Vec<_> = (0..nodes).into_par_iter().map(row).collect();
        let mut all = Self {
            nodes,
            norms: vec![0.0; nodes * nodes],
            total: 0.0,
            asymmetry: 0.0,
        };
        let mut difference = 0.0;
        for (i, row) in rows.into_iter().enumerate() {
            let (norms, square, row_difference) = row?;
            for (j, norm) in (i..nodes).zip(norms) {
                all.norms[i * nodes + j] = norm;
                all.norms[j * nodes + i] = norm;
            }
            all.total += square;
            difference += row_difference;
        }
        if all.total > 0.0 {
            all.asymmetry = (difference / all.total).sqrt();
        }
        Ok(all)
    }

    /// One factor for all nodes, with which rows have a norm of one in the mean.
    pub(crate) fn uniform_factor(&self) -> f32 {
        let factor = (self.nodes as f64 / self.total).sqrt().sqrt() as f32;
        if factor.is_normal() { factor } else { 1.0 }
    }

    /// Squared Frobenius norm of the symmetric part after its rows and columns are multiplied by `factors`.
    pub(crate) fn scaled_square(&self, factors: &[f32]) -> f64 {
        let squares: Vec<f64> = factors.iter().map(|&d| f64::from(d).powi(2)).collect();
        let rows = self.norms.chunks_exact(self.nodes).zip(&squares);
        rows.map(|(row, x)| x * weighted_squares(row, &squares))
            .sum()
    }

    /// Factors `d` for which all rows of `d_i F_ij d_j` have about the same norm: the symmetric form of the iteration of Sinkhorn (1967). Rows of zeros keep 1.
    pub(crate) fn equilibration(&self) -> Vec<f32> {
        const ITERATIONS: usize = 12;
        // squares of the factors
        let mut x = vec![f64::from(self.uniform_factor()).powi(2); self.nodes];
        for _ in 0..ITERATIONS {
            let scaled = |i: usize| {
                let row = &self.norms[i * self.nodes..][..self.nodes];
                let sum = weighted_squares(row, &x);
                if sum > 0.0 { (x[i] / sum).sqrt() } else { x[i] }
            };
            x = (0..self.nodes).into_par_iter().map(scaled).collect();
        }
        let factor = |x: f64| {
            let root = x.sqrt() as f32;
            if root.is_normal() { root } else { 1.0 }
        };
        x.into_iter().map(factor).collect()
    }
}

fn weighted_squares(norms: &[f32], weights: &[f64]) -> f64 {
    let terms = norms.iter().zip(weights);
    terms.map(|(k, w)| f64::from(*k).powi(2) * w).sum()
}

/// Entries of `d_i (F_ij + F_jiᵀ) d_j / 2` by places in the order of a cluster tree.
pub(crate) struct Entries<'a, B> {
    /// node at each place
    pub(crate) order: &'a [u32],
    /// factor of each node
    pub(crate) factors: &'a [f32],
    /// the matrix as it is given
    pub(crate) block: &'a B,
}

impl<B: Fn(usize, usize) -> Mat3 + Sync> Entries<'_, B> {
    /// The block of these places, row by row.
    pub(crate) fn gather(&self, rows: Range<usize>, columns: Range<usize>) -> Vec<f64> {
        let width = 3 * columns.len();
        let mut values = vec![0.0; 3 * rows.len() * width];
        for (r, a) in rows.enumerate() {
            for (c, b) in columns.clone().enumerate() {
                let (i, j) = (self.order[a] as usize, self.order[b] as usize);
                let factor = 0.5 * f64::from(self.factors[i]) * f64::from(self.factors[j]);
                let block = ((self.block)(i, j) + (self.block)(j, i).transpose()) * factor;
                for k in 0..3 {
                    for l in 0..3 {
                        values[(3 * r + k) * width + 3 * c + l] = block[(k, l)];
                    }
                }
            }
        }
        values
    }
}
