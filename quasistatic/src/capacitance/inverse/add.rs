//! Adds one to three rows by bordering the inverse.

use super::packed::GROUP;
use super::passes::{BLOCK, ResponsePass};
use super::small_block::invert_block;
use super::updated::{MIN_PIVOT_RATIO, UpdatedInverse};
use crate::capacitance::dense_lu::SingularPivot;

impl UpdatedInverse {
    /// Adds `count` (one to three) rows behind the last; `entry(i, j)` with `i <= j` are the elements of the enlarged `C`; only those with a new `j` are read.
    /// Cost `9 m²` for any `count`, and a probe of `4 m²` at every eighth update.
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
        self.matrix.grow_to(m + count);
        self.inverse.grow_to(m + count);
        let n = m.next_multiple_of(GROUP);
        for list in [&mut self.columns, &mut self.p] {
            list.clear_to(BLOCK * n);
        }
        for c in 0..count {
            for (i, value) in self.columns[c * n..c * n + m].iter_mut().enumerate() {
                *value = entry(i, m + c);
            }
        }
        let products = self.arch.dispatch(ResponsePass {
            inverse: self.inverse.numbers(m),
            size: m,
            padded: n,
            columns: &self.columns[..BLOCK * n],
            p: &mut self.p[..BLOCK * n],
        });
        // the identity for rows that are not added
        let mut schur = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut corner = schur;
        let mut largest = 0.0_f64;
        for a in 0..count {
            for b in 0..count {
                corner[a][b] = entry(m + a.min(b), m + a.max(b));
                largest = largest.max(corner[a][b].abs());
                schur[a][b] = corner[a][b] - products[a][b];
            }
        }
        let pivot = invert_block(&schur, count, MIN_PIVOT_RATIO * largest)
            .map_err(|k| SingularPivot { row: m + k })?;
        self.correct(&pivot);
        for value in &mut self.w[..count * n] {
            *value = -*value;
        }
        for c in 0..count {
            self.matrix.set_line(m + c, &self.columns[c * n..c * n + m]);
            self.inverse.set_line(m + c, &self.w[c * n..c * n + m]);
            for b in 0..=c {
                self.matrix.set(m + b, m + c, corner[b][c]);
                self.inverse.set(m + b, m + c, pivot[b][c]);
            }
        }
        self.size = m + count;
        self.after_update()
    }
}
