//! The truncated singular value decomposition of a block: a randomised range finder, then a small eigenvalue problem.
//!
//! Halko, Martinsson and Tropp (2011), algorithms 4.2 and 5.1: an orthonormal basis grows until the residual of the block is small enough.

use nalgebra::DMatrix;
use pliant_core::math::random::SplitMix64;

use crate::hierarchical_matrix::kernels::{add_column, dot};

/// Random samples of the range that are taken together.
const SAMPLES_PER_ROUND: usize = 8;

/// `A ≈ Σ_t s_t u_t v_tᵀ`.
#[derive(Debug)]
pub(crate) struct LowRank {
    /// singular values, descending
    pub(crate) values: Vec<f64>,
    /// left singular vectors, one after the other
    pub(crate) left: Vec<f32>,
    /// right singular vectors, one after the other
    pub(crate) right: Vec<f32>,
    /// squared Frobenius norm of the residual
    pub(crate) residual: f64,
}

/// Decomposes the block `a` of `rows` and `columns`, stored row by row, until the squared norm of the residual is below `target` or the rank reaches `max_rank`.
///
/// Cost: `4 rows columns rank` multiplications. The same `seed` gives the same bits.
pub(crate) fn low_rank(
    a: &[f64],
    rows: usize,
    columns: usize,
    target: f64,
    max_rank: usize,
    seed: u64,
) -> LowRank {
    let size = [rows, columns];
    let mut residual = dot(a, a);
    // rounding leaves a small residual in any case
    let target = target.max(1e-24 * residual);
    let (mut basis, mut projected): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut random = SplitMix64(seed);
    let max_rank = max_rank.min(rows).min(columns);
    while residual > target && basis.len() < max_rank * rows {
        let step = SAMPLES_PER_ROUND.min(max_rank - basis.len() / rows);
        let found = new_directions(a, size, step, &mut basis, &mut random);
        if found == 0 {
            break;
        }
        let first = projected.len();
        projected.resize(first + found * columns, 0.0);
        let new = &basis[basis.len() - found * rows..];
        for (r, row) in a.chunks_exact(columns).enumerate() {
            for k in 0..found {
                let sum = &mut projected[first + k * columns..][..columns];
                add_column(row, new[k * rows + r], sum);
            }
        }
        let captured = dot(&projected[first..], &projected[first..]);
        residual = (residual - captured).max(0.0);
    }
    singular_vectors(&basis, &projected, size, residual)
}

/// Multiplies the block by random vectors, and appends the directions of the products outside of `basis` to it, orthonormalised. Returns their number.
fn new_directions(
    a: &[f64],
    [rows, columns]: [usize; 2],
    step: usize,
    basis: &mut Vec<f64>,
    random: &mut SplitMix64,
) -> usize {
    // uniform from -1 to 1
    let mut next = || random.number() as i64 as f64 / i64::MAX as f64;
    let random: Vec<f64> = (0..step * columns).map(|_| next()).collect();
    let old = basis.len();
    let mut samples = vec![0.0; step * rows];
    for (r, row) in a.chunks_exact(columns).enumerate() {
        for k in 0..step {
            samples[k * rows + r] = dot(row, &random[k * columns..][..columns]);
        }
    }
    for y in samples.chunks_exact_mut(rows) {
        let before = dot(y, y);
        // twice is enough (Kahan and Parlett)
        for _ in 0..2 {
            for q in basis.chunks_exact(rows) {
                let part = dot(q, y);
                add_column(q, -part, y);
            }
        }
        let square = dot(y, y);
        if square > 1e-24 * before && square > 0.0 {
            let scale = 1.0 / square.sqrt();
            basis.extend(y.iter().map(|x| x * scale));
        }
    }
    (basis.len() - old) / rows
}

/// Singular vectors from `A ≈ Q B`, with `basis` the rows of `Qᵀ` and `projected` those of `B`: the eigenvectors of `B Bᵀ` rotate both.
fn singular_vectors(
    basis: &[f64],
    projected: &[f64],
    [rows, columns]: [usize; 2],
    residual: f64,
) -> LowRank {
    let rank = basis.len() / rows;
    let mut found = LowRank {
        values: Vec::new(),
        left: Vec::new(),
        right: Vec::new(),
        residual,
    };
    if rank == 0 {
        return found;
    }
    let row = |t: usize| &projected[t * columns..][..columns];
    let mut gram = vec![0.0; rank * rank];
    for s in 0..rank {
        for t in 0..=s {
            gram[s * rank + t] = dot(row(s), row(t));
            gram[t * rank + s] = gram[s * rank + t];
        }
    }
    let eigen = DMatrix::from_vec(rank, rank, gram).symmetric_eigen();
    let (squares, eigenvectors) = (eigen.eigenvalues, eigen.eigenvectors.as_slice().to_vec());
    let largest = squares.iter().fold(0.0, |a: f64, &b| a.max(b));
    let mut order: Vec<usize> = (0..rank).collect();
    order.retain(|&t| squares[t] > 1e-15 * largest);
    order.sort_by(|&s, &t| squares[t].total_cmp(&squares[s]).then(s.cmp(&t)));
    for t in order {
        let eigenvector = &eigenvectors[t * rank..][..rank];
        let (mut u, mut v) = (vec![0.0; rows], vec![0.0; columns]);
        for (s, &part) in eigenvector.iter().enumerate() {
            add_column(&basis[s * rows..][..rows], part, &mut u);
            add_column(row(s), part, &mut v);
        }
        let value = dot(&v, &v).sqrt();
        if value > 0.0 {
            found.values.push(value);
            found.left.extend(u.iter().map(|x| *x as f32));
            found.right.extend(v.iter().map(|x| (*x / value) as f32));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_products_is_found_again() {
        let (rows, columns) = (40, 30);
        let entry = |r: usize, c: usize| {
            let (x, y) = (r as f64 / 40.0, c as f64 / 30.0);
            3.0 * x.sin() * y.cos() + 0.1 * (x * x) * y - 0.01 * (7.0 * x).cos() * (5.0 * y).sin()
        };
        let a: Vec<f64> = (0..rows * columns)
            .map(|k| entry(k / columns, k % columns))
            .collect();
        let found = low_rank(&a, rows, columns, 1e-20, 30, 5);
        assert!(found.values.len() >= 3 && found.values.len() <= 8);
        assert!(found.values.is_sorted_by(|a, b| a >= b));
        assert!(found.values[2] > 1e-3 && found.values.get(3).is_none_or(|s| *s < 1e-6));
        for r in 0..rows {
            for c in 0..columns {
                let sum: f64 = (0..found.values.len())
                    .map(|t| {
                        let u = f64::from(found.left[t * rows + r]);
                        found.values[t] * u * f64::from(found.right[t * columns + c])
                    })
                    .sum();
                // vectors are rounded to single precision
                assert!((sum - entry(r, c)).abs() < 1e-6 * found.values[0]);
            }
        }
    }

    #[test]
    fn a_block_of_zeros_has_rank_zero() {
        let found = low_rank(&[0.0; 12], 3, 4, 0.0, 3, 1);
        assert!(found.values.is_empty() && found.residual == 0.0);
    }
}
