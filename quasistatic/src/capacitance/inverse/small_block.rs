//! Inverse of a block of at most three rows.

use super::passes::BLOCK;

/// Inverse of the leading `count` rows and columns by elimination with pivots; the row whose pivot is at most `least` otherwise.
pub(super) fn invert_block(
    block: &[[f64; BLOCK]; BLOCK],
    count: usize,
    least: f64,
) -> Result<[[f64; BLOCK]; BLOCK], usize> {
    let mut left = *block;
    let mut right = [[0.0; BLOCK]; BLOCK];
    for (k, row) in right.iter_mut().enumerate() {
        row[k] = 1.0;
    }
    for k in 0..count {
        let best = (k..count)
            .max_by(|&a, &b| left[a][k].abs().total_cmp(&left[b][k].abs()))
            .unwrap_or(k);
        left.swap(k, best);
        right.swap(k, best);
        let pivot = left[k][k];
        if pivot.is_nan() || pivot.abs() <= least {
            return Err(k);
        }
        for c in 0..BLOCK {
            left[k][c] /= pivot;
            right[k][c] /= pivot;
        }
        for r in 0..count {
            if r != k {
                let factor = left[r][k];
                for c in 0..BLOCK {
                    left[r][c] -= factor * left[k][c];
                    right[r][c] -= factor * right[k][c];
                }
            }
        }
    }
    Ok(right)
}
