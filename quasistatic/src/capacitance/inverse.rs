//! The inverse of a compliance that gains and loses rows: `O(s²)` a row instead of a fresh factor (`O(s³)`).
//!
//! Adding borders the inverse by the Schur complement, removing takes a rank-k correction back (James and Pai 2001, section on updating;
//! Hager 1989, block forms of the Sherman-Morrison-Woodbury identity). Rounding adds up, so each update is followed by a probe of the
//! residual of one right-hand side, and a fresh inverse is made where that is too large.

use pulp::Arch;

use crate::capacitance::border::{BLOCK, CorrectionPass, MultiplyPass, ROOM, ResponsePass};
use crate::capacitance::factor::{DenseLu, SingularPivot};

/// Relative residual of the probe above which the inverse is made anew.
pub const DRIFT_LIMIT: f64 = 1e-9;
/// Updates after which it is made anew whatever the probe says.
pub const MOST_UPDATES: u32 = 200;
/// Updates between two probes.
const PROBE_EVERY: u32 = 8;
/// A pivot below this share of the numbers it came from counts as zero.
const SMALLEST_PIVOT: f64 = 1e-13;

/// `C⁻¹` of a general compliance `C`, with `C` beside it; the last rows fill the gaps of removed ones.
///
/// Units: `C` m/N, its inverse N/m. Memory: 16 bytes a pair of rows, with room for half as many rows again.
#[derive(Debug)]
pub struct UpdatedInverse {
    arch: Arch,
    size: usize,
    /// distance of columns, a multiple of [`ROOM`]; rows behind `size` are zero
    stride: usize,
    matrix: Vec<f64>,
    inverse: Vec<f64>,
    columns: Vec<f64>,
    rows: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
    lu: DenseLu,
    age: u32,
    refactorings: u32,
    drift: f64,
}

impl Default for UpdatedInverse {
    fn default() -> Self {
        Self {
            arch: Arch::new(),
            size: 0,
            stride: 0,
            matrix: Vec::new(),
            inverse: Vec::new(),
            columns: Vec::new(),
            rows: Vec::new(),
            p: Vec::new(),
            q: Vec::new(),
            lu: DenseLu::default(),
            age: 0,
            refactorings: 0,
            drift: 0.0,
        }
    }
}

impl UpdatedInverse {
    /// Number of rows `m`.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Fresh inverses made so far, [`Self::set`] not counted.
    pub fn refactorings(&self) -> u32 {
        self.refactorings
    }

    /// Relative residual `‖C C⁻¹ b − b‖ / ‖b‖` of the last probe; one follows every eighth update.
    pub fn drift(&self) -> f64 {
        self.drift
    }

    /// Element of `C`, m/N.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        self.matrix[column * self.stride + row]
    }

    /// Element of `C⁻¹`, N/m.
    pub fn inverse_entry(&self, row: usize, column: usize) -> f64 {
        self.inverse[column * self.stride + row]
    }

    /// Takes a whole matrix. Cost `8 m³ / 3`.
    ///
    /// # Errors
    /// [`SingularPivot`]; there are then no rows.
    pub fn set(
        &mut self,
        size: usize,
        entry: impl Fn(usize, usize) -> f64,
    ) -> Result<(), SingularPivot> {
        self.size = 0;
        self.reserve(size);
        self.matrix.fill(0.0);
        self.inverse.fill(0.0);
        for column in 0..size {
            for row in 0..size {
                self.matrix[column * self.stride + row] = entry(row, column);
            }
        }
        self.size = size;
        self.invert().inspect_err(|_| self.size = 0)
    }

    /// Adds `count` (one to three) rows behind the last; `entry(i, j)` are the elements of the enlarged `C`, asked for where a new row or
    /// column takes part. Cost `18 m²` whatever `count` is, and a probe of `4 m²` at every eighth update.
    ///
    /// # Errors
    /// [`SingularPivot`] when a new row follows from the others, or `count` is not one to three; nothing is then added.
    pub fn add(
        &mut self,
        count: usize,
        entry: impl Fn(usize, usize) -> f64,
    ) -> Result<(), SingularPivot> {
        let m = self.size;
        if count == 0 || count > BLOCK {
            return Err(SingularPivot { row: m });
        }
        self.reserve(m + count);
        let n = m.next_multiple_of(ROOM);
        for list in [&mut self.columns, &mut self.rows, &mut self.p, &mut self.q] {
            list.clear();
            list.resize(BLOCK * n, 0.0);
        }
        for c in 0..count {
            for i in 0..m {
                self.columns[c * n + i] = entry(i, m + c);
                self.rows[c * n + i] = entry(m + c, i);
            }
        }
        self.arch.dispatch(ResponsePass {
            inverse: &self.inverse,
            stride: self.stride,
            size: m,
            padded: n,
            columns: &self.columns,
            rows: &self.rows,
            p: &mut self.p,
            q: &mut self.q,
        });
        let mut corner = [[0.0; BLOCK]; BLOCK];
        let mut schur = [[0.0; BLOCK]; BLOCK];
        let mut size = 0.0_f64;
        for a in 0..BLOCK {
            for b in 0..BLOCK {
                if a >= count || b >= count {
                    // rows that are not there
                    schur[a][b] = f64::from(u8::from(a == b));
                    continue;
                }
                corner[a][b] = entry(m + a, m + b);
                size = size.max(corner[a][b].abs());
                let (row, p) = (&self.rows[a * n..a * n + m], &self.p[b * n..b * n + m]);
                let known: f64 = row.iter().zip(p).map(|(r, p)| r * p).sum();
                schur[a][b] = corner[a][b] - known;
            }
        }
        let pivot = invert_block(&schur, count, SMALLEST_PIVOT * size)
            .map_err(|k| SingularPivot { row: m + k })?;
        // W = Σ⁻¹ Q takes the place of the rows
        for j in 0..m {
            let q = [self.q[j], self.q[n + j], self.q[2 * n + j]];
            for (a, pivots) in pivot.iter().enumerate() {
                self.rows[a * n + j] = if a < count {
                    pivots[0] * q[0] + pivots[1] * q[1] + pivots[2] * q[2]
                } else {
                    0.0
                };
            }
        }
        self.arch.dispatch(CorrectionPass {
            inverse: &mut self.inverse,
            stride: self.stride,
            size: m,
            padded: n,
            p: &self.p,
            w: &self.rows,
        });
        let stride = self.stride;
        for c in 0..count {
            let at = (m + c) * stride;
            for i in 0..m {
                self.inverse[i * stride + m + c] = -self.rows[c * n + i];
                let p = [self.p[i], self.p[n + i], self.p[2 * n + i]];
                self.inverse[at + i] = -(0..count).map(|b| p[b] * pivot[b][c]).sum::<f64>();
                self.matrix[at + i] = self.columns[c * n + i];
                self.matrix[i * stride + m + c] = entry(m + c, i);
            }
            for b in 0..count {
                self.inverse[at + m + b] = pivot[b][c];
                self.matrix[at + m + b] = corner[b][c];
            }
        }
        self.size = m + count;
        self.after_update()
    }

    /// Removes row `k`; the last row takes its place. Cost `2 m²`, and a probe of `4 m²` at every eighth update.
    ///
    /// # Errors
    /// [`SingularPivot`] when what is left has no inverse, or there is no row `k`; nothing is then removed.
    pub fn remove(&mut self, k: usize) -> Result<(), SingularPivot> {
        let m = self.size;
        let singular = SingularPivot { row: k };
        if k >= m {
            return Err(singular);
        }
        let (stride, n) = (self.stride, m.next_multiple_of(ROOM));
        let column = &self.inverse[k * stride..k * stride + m];
        let pivot = column[k];
        let largest = column.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        if pivot.is_nan() || pivot.abs() <= SMALLEST_PIVOT * largest {
            return Err(singular);
        }
        for list in [&mut self.p, &mut self.q] {
            list.clear();
            list.resize(BLOCK * n, 0.0);
        }
        self.p[..m].copy_from_slice(&self.inverse[k * stride..k * stride + m]);
        for j in 0..m {
            self.q[j] = -self.inverse[j * stride + k] / pivot;
        }
        self.arch.dispatch(CorrectionPass {
            inverse: &mut self.inverse,
            stride,
            size: m,
            padded: n,
            p: &self.p,
            w: &self.q,
        });
        let last = m - 1;
        for values in [&mut self.inverse, &mut self.matrix] {
            if k != last {
                values.copy_within(last * stride..last * stride + m, k * stride);
            }
            values[last * stride..last * stride + m].fill(0.0);
            for j in 0..last {
                let moved = std::mem::take(&mut values[j * stride + last]);
                if k != last {
                    values[j * stride + k] = moved;
                }
            }
        }
        self.size = last;
        self.after_update()
    }

    /// `C⁻¹ right` into `out`, both of `m` numbers; `scratch` keeps memory between calls. Cost `2 m²`.
    pub fn apply(&self, right: &[f64], scratch: &mut Vec<f64>, out: &mut [f64]) {
        scratch.resize(self.size.next_multiple_of(ROOM), 0.0);
        self.multiply(&self.inverse, right, scratch);
        out.copy_from_slice(&scratch[..out.len()]);
    }

    fn multiply(&self, values: &[f64], x: &[f64], out: &mut [f64]) {
        self.arch.dispatch(MultiplyPass {
            values,
            stride: self.stride,
            size: self.size,
            padded: self.size.next_multiple_of(ROOM),
            x,
            out,
        });
    }

    /// Makes room for `size` rows, keeping what is there.
    fn reserve(&mut self, size: usize) {
        if size <= self.stride {
            return;
        }
        let stride = (size + size / 2).next_multiple_of(ROOM);
        for values in [&mut self.matrix, &mut self.inverse] {
            let mut larger = vec![0.0; stride * stride];
            for j in 0..self.size {
                let from = &values[j * self.stride..j * self.stride + self.size];
                larger[j * stride..j * stride + self.size].copy_from_slice(from);
            }
            *values = larger;
        }
        self.stride = stride;
    }

    fn after_update(&mut self) -> Result<(), SingularPivot> {
        self.age += 1;
        if self.age.is_multiple_of(PROBE_EVERY) {
            self.probe();
        }
        if self.age >= MOST_UPDATES || self.drift.is_nan() || self.drift > DRIFT_LIMIT {
            self.refactorings += 1;
            // a fresh inverse that cannot be had leaves no rows
            return self.invert().inspect_err(|_| self.size = 0);
        }
        Ok(())
    }

    /// Measures the residual of one right-hand side, another one at each age.
    fn probe(&mut self) {
        let (m, n) = (self.size, self.size.next_multiple_of(ROOM));
        let (mut probe, mut solved, mut back) = (
            std::mem::take(&mut self.columns),
            std::mem::take(&mut self.p),
            std::mem::take(&mut self.q),
        );
        probe.clear();
        probe.extend((0..m).map(|i| 1.0 - 0.5 * ((i * 7919 + self.age as usize) % 5) as f64));
        solved.resize(n.max(solved.len()), 0.0);
        back.resize(n.max(back.len()), 0.0);
        self.multiply(&self.inverse, &probe, &mut solved[..n]);
        self.multiply(&self.matrix, &solved, &mut back[..n]);
        let (mut error, mut size) = (0.0, f64::MIN_POSITIVE);
        for (a, b) in back.iter().zip(&probe) {
            error += (a - b) * (a - b);
            size += b * b;
        }
        self.drift = (error / size).sqrt();
        (self.columns, self.p, self.q) = (probe, solved, back);
    }

    /// The inverse from a fresh factor.
    fn invert(&mut self) -> Result<(), SingularPivot> {
        let (m, stride, matrix) = (self.size, self.stride, &self.matrix);
        self.lu.factor(m, |i, j| matrix[j * stride + i])?;
        for j in 0..m {
            let column = &mut self.inverse[j * stride..j * stride + m];
            column.fill(0.0);
            column[j] = 1.0;
            self.lu.solve(column);
        }
        self.age = 0;
        self.drift = 0.0;
        Ok(())
    }
}

/// Inverse of the leading `count` rows and columns by elimination with pivots; the row whose pivot is at most `least` otherwise.
fn invert_block(
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of a diagonally dominant, unsymmetric compliance over 120 rows.
    fn entry(i: usize, j: usize) -> f64 {
        let far = (i as f64 - j as f64).abs();
        1.0 / (1.0 + far) + if i == j { 1.0 } else { 0.0 } + 0.01 * ((i * 3 + j) % 5) as f64
    }

    fn residual(inverse: &UpdatedInverse) -> f64 {
        let m = inverse.len();
        let mut worst = 0.0_f64;
        for i in 0..m {
            for j in 0..m {
                let sum: f64 = (0..m)
                    .map(|k| inverse.entry(i, k) * inverse.inverse_entry(k, j))
                    .sum();
                worst = worst.max((sum - f64::from(u8::from(i == j))).abs());
            }
        }
        worst
    }

    #[test]
    fn ten_thousand_random_adds_and_removes_do_not_drift() {
        let mut rows: Vec<usize> = Vec::new();
        let mut inverse = UpdatedInverse::default();
        let mut state = 7_u64;
        let mut random = |n: usize| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let mut worst = 0.0_f64;
        for step in 0..10_000 {
            let grow = rows.len() < 12 || (rows.len() < 48 && random(2) == 0);
            if grow {
                let new = random(120);
                if rows.contains(&new) {
                    continue;
                }
                let mut next: Vec<usize> = (0..3).map(|k| (new + 17 * k) % 120).collect();
                next.retain(|n| !rows.contains(n));
                let count = next.len();
                rows.extend(next);
                inverse
                    .add(count, |i, j| entry(rows[i], rows[j]))
                    .expect("regular");
            } else {
                let k = random(rows.len());
                inverse.remove(k).expect("regular");
                rows.swap_remove(k);
            }
            if step % 250 == 0 {
                worst = worst.max(residual(&inverse));
            }
        }
        for (i, &a) in rows.iter().enumerate() {
            for (j, &b) in rows.iter().enumerate() {
                assert_eq!(inverse.entry(i, j), entry(a, b));
            }
        }
        assert!(worst < 1e-8, "{worst}");
        let refactorings = inverse.refactorings();
        assert!((30..=100).contains(&refactorings), "{refactorings}");
    }

    #[test]
    fn an_updated_inverse_equals_a_fresh_one() {
        let mut updated = UpdatedInverse::default();
        updated.set(20, entry).expect("regular");
        for count in [1, 2, 3] {
            updated.add(count, entry).expect("regular");
        }
        let mut fresh = UpdatedInverse::default();
        fresh.set(26, entry).expect("regular");
        let right: Vec<f64> = (0..26).map(|k| f64::from(k) - 7.5).collect();
        let (mut a, mut b) = (vec![0.0; 26], vec![0.0; 26]);
        updated.apply(&right, &mut Vec::new(), &mut a);
        fresh.apply(&right, &mut Vec::new(), &mut b);
        assert!(a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-11));
    }

    #[test]
    fn a_row_that_repeats_another_is_refused_and_nothing_changes() {
        let mut inverse = UpdatedInverse::default();
        inverse.set(5, entry).expect("regular");
        let copied = |k: usize| if k < 5 { k } else { 2 };
        let repeated = inverse.add(2, |i, j| entry(copied(i), copied(j)));
        assert!(repeated.is_err_and(|pivot| pivot.row >= 5));
        assert!(inverse.add(4, entry).is_err());
        assert_eq!(inverse.len(), 5);
        assert!(residual(&inverse) < 1e-13);
        assert!(inverse.remove(7).is_err());
        for _ in 0..5 {
            inverse.remove(0).expect("regular");
        }
        assert!(inverse.is_empty());
    }
}
