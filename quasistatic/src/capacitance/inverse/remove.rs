//! One to three rows less: a correction of that rank takes back what they did.

use super::passes::{BLOCK, CorrectionPass, ROOM};
use super::small_block::invert_block;
use super::{SMALLEST_PIVOT, UpdatedInverse};
use crate::capacitance::factor::SingularPivot;

impl UpdatedInverse {
    /// Removes one to three rows, given in descending order; for each in turn the last row takes its place. Cost `6 m²` whatever their
    /// number is, and a probe of `4 m²` at every eighth update.
    ///
    /// # Errors
    /// [`SingularPivot`] when what is left has no inverse, or `rows` are not one to three existing ones in descending order; nothing is
    /// then removed.
    pub fn remove(&mut self, rows: &[usize]) -> Result<(), SingularPivot> {
        let m = self.size;
        let count = rows.len();
        let Some(&first) = rows.first() else {
            return Err(SingularPivot { row: m });
        };
        if count > BLOCK || first >= m || rows.windows(2).any(|pair| pair[1] >= pair[0]) {
            return Err(SingularPivot { row: first });
        }
        let (stride, n) = (self.stride, m.next_multiple_of(ROOM));
        let mut block = [[0.0; BLOCK]; BLOCK];
        let mut largest = 0.0_f64;
        for list in [&mut self.p, &mut self.q] {
            list.clear_to(BLOCK * n);
        }
        for (c, &k) in rows.iter().enumerate() {
            let column = &self.inverse[k * stride..k * stride + m];
            largest = column.iter().fold(largest, |a, x| a.max(x.abs()));
            self.p[c * n..c * n + m].copy_from_slice(column);
            for (b, &row) in rows.iter().enumerate() {
                block[b][c] = column[row];
            }
        }
        let pivot = invert_block(&block, count, SMALLEST_PIVOT * largest)
            .map_err(|k| SingularPivot { row: rows[k] })?;
        let columns = self.inverse.chunks_exact(stride).take(m);
        for (j, column) in columns.enumerate() {
            for (a, pivots) in pivot.iter().enumerate().take(count) {
                let terms = pivots.iter().zip(rows).map(|(p, &row)| p * column[row]);
                self.q[a * n + j] = -terms.sum::<f64>();
            }
        }
        self.arch.dispatch(CorrectionPass {
            inverse: &mut self.inverse,
            stride,
            size: m,
            padded: n,
            p: &self.p,
            w: &self.q,
        });
        for values in [&mut self.inverse, &mut self.matrix] {
            for (removed, &k) in rows.iter().enumerate() {
                let last = m - 1 - removed;
                if k == last {
                    continue;
                }
                values.copy_within(last * stride..last * stride + m, k * stride);
                for column in values.chunks_exact_mut(stride).take(last) {
                    column[k] = column[last];
                }
            }
        }
        self.size = m - count;
        self.after_update()
    }
}
