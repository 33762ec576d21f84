//! One to three rows more: the inverse is bordered.

use super::passes::{BLOCK, CorrectionPass, ROOM, ResponsePass};
use super::small_block::invert_block;
use super::{SMALLEST_PIVOT, UpdatedInverse};
use crate::capacitance::factor::SingularPivot;

impl UpdatedInverse {
    /// Adds `count` (one to three) rows behind the last; `entry(i, j)` are the elements of the enlarged `C`, asked for where a new row or
    /// column takes part. Cost `18 m²` whatever `count` is, `12 m²` while `C` is symmetric to the bit, and a probe of `4 m²` at every eighth update.
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
        let (n, stride) = (m.next_multiple_of(ROOM), self.stride);
        for list in [&mut self.columns, &mut self.rows, &mut self.p, &mut self.q] {
            list.clear_to(BLOCK * n);
        }
        for c in 0..count {
            for (i, value) in self.columns[c * n..c * n + m].iter_mut().enumerate() {
                *value = entry(i, m + c);
            }
            for (i, value) in self.rows[c * n..c * n + m].iter_mut().enumerate() {
                *value = entry(m + c, i);
            }
        }
        let corner_symmetric =
            (0..count).all(|a| (0..a).all(|b| entry(m + a, m + b) == entry(m + b, m + a)));
        let symmetric = self.symmetric && corner_symmetric && self.columns[..] == self.rows[..];
        self.arch.dispatch(ResponsePass {
            inverse: &self.inverse,
            stride,
            size: m,
            padded: n,
            columns: &self.columns,
            rows: &self.rows,
            symmetric,
            p: &mut self.p,
            q: &mut self.q,
        });
        let mut corner = [[0.0; BLOCK]; BLOCK];
        let mut schur = [[0.0; BLOCK]; BLOCK];
        let mut largest = 0.0_f64;
        for a in 0..BLOCK {
            // what the response says behind the last row means nothing
            self.p[a * n + m..(a + 1) * n].fill(0.0);
            for b in 0..BLOCK {
                if a >= count || b >= count {
                    // rows that are not there
                    schur[a][b] = f64::from(u8::from(a == b));
                    continue;
                }
                corner[a][b] = entry(m + a, m + b);
                largest = largest.max(corner[a][b].abs());
                let (row, p) = (&self.rows[a * n..a * n + m], &self.p[b * n..b * n + m]);
                schur[a][b] = corner[a][b] - inner_product(row, p);
            }
        }
        let pivot = invert_block(&schur, count, SMALLEST_PIVOT * largest)
            .map_err(|k| SingularPivot { row: m + k })?;
        self.store_border(count, &corner);
        // W = Σ⁻¹ Q takes the place of the rows
        let (q0, q1, q2) = (&self.q[..n], &self.q[n..2 * n], &self.q[2 * n..]);
        for (w, pivots) in self.rows.chunks_exact_mut(n.max(1)).zip(&pivot).take(count) {
            for (((w, a), b), c) in w.iter_mut().zip(q0).zip(q1).zip(q2) {
                *w = pivots[0] * a + pivots[1] * b + pivots[2] * c;
            }
        }
        self.arch.dispatch(CorrectionPass {
            inverse: &mut self.inverse,
            stride,
            size: m,
            padded: n,
            p: &self.p,
            w: &self.rows,
        });
        let columns = self.inverse.chunks_exact_mut(stride).take(m);
        for (i, column) in columns.enumerate() {
            for c in 0..count {
                column[m + c] = -self.rows[c * n + i];
            }
        }
        for c in 0..count {
            let column = &mut self.inverse[(m + c) * stride..][..m + count];
            let (p0, p1, p2) = (&self.p[..m], &self.p[n..n + m], &self.p[2 * n..2 * n + m]);
            for (((value, x), y), z) in column.iter_mut().zip(p0).zip(p1).zip(p2) {
                *value = -(x * pivot[0][c] + y * pivot[1][c] + z * pivot[2][c]);
            }
            for (value, row) in column[m..].iter_mut().zip(&pivot) {
                *value = row[c];
            }
        }
        self.size = m + count;
        self.symmetric = symmetric;
        self.after_update()
    }

    /// Writes the new rows and columns of `C`.
    fn store_border(&mut self, count: usize, corner: &[[f64; BLOCK]; BLOCK]) {
        let (m, n) = (self.size, self.size.next_multiple_of(ROOM));
        let columns = self.matrix.chunks_exact_mut(self.stride).take(m);
        for (i, column) in columns.enumerate() {
            for c in 0..count {
                column[m + c] = self.rows[c * n + i];
            }
        }
        for c in 0..count {
            let column = &mut self.matrix[(m + c) * self.stride..][..m + count];
            column[..m].copy_from_slice(&self.columns[c * n..c * n + m]);
            for (value, row) in column[m..].iter_mut().zip(corner) {
                *value = row[c];
            }
        }
    }
}

/// Inner product in a fixed order of eight interleaved sums.
fn inner_product(a: &[f64], b: &[f64]) -> f64 {
    let (a8, a_rest) = a.as_chunks::<ROOM>();
    let (b8, b_rest) = b.as_chunks::<ROOM>();
    let mut sums = [0.0; ROOM];
    for (x, y) in a8.iter().zip(b8) {
        for k in 0..ROOM {
            sums[k] += x[k] * y[k];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}
