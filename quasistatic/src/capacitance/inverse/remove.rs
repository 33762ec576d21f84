//! Removes one to three rows by a correction of that rank.

use super::packed::GROUP;
use super::passes::BLOCK;
use super::small_block::invert_block;
use super::updated::{MIN_PIVOT_RATIO, UpdatedInverse};
use crate::capacitance::dense_lu::SingularPivot;

impl UpdatedInverse {
    /// Removes one to three rows, given in descending order; for each in turn the last row takes its place. Cost `3 m²` for any
    /// number of rows, and a probe of `4 m²` at every eighth update.
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
        let n = m.next_multiple_of(GROUP);
        let mut block = [[0.0; BLOCK]; BLOCK];
        let mut largest = 0.0_f64;
        self.p.clear_to(BLOCK * n);
        for (c, &k) in rows.iter().enumerate() {
            let line = &mut self.p[c * n..c * n + m];
            self.inverse.copy_line(k, line);
            largest = line.iter().fold(largest, |a, x| a.max(x.abs()));
            for (b, &row) in rows.iter().enumerate() {
                block[b][c] = line[row];
            }
        }
        let mut pivot = invert_block(&block, count, MIN_PIVOT_RATIO * largest)
            .map_err(|k| SingularPivot { row: rows[k] })?;
        for value in pivot.iter_mut().flatten() {
            *value = -*value;
        }
        self.correct(&pivot);
        for values in [&mut self.inverse, &mut self.matrix] {
            for (removed, &k) in rows.iter().enumerate() {
                let last = m - 1 - removed;
                if k == last {
                    continue;
                }
                let line = &mut self.columns;
                line.grow_to(n);
                values.copy_line(last, &mut line[..=last]);
                line[k] = line[last];
                values.set_line(k, &line[..last]);
            }
        }
        self.size = m - count;
        self.after_update()
    }
}
