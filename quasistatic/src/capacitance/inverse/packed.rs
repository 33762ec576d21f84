//! A symmetric matrix of which one half is stored.
//!
//! Columns of a group of eight extend to the last row of the group: this is the upper triangle with full squares on the diagonal, so that a column consists of
//! full vectors. A new column lies behind all others, and nothing moves when the matrix grows.

use pliant_core::aligned::Aligned;

/// Columns of a group, which is also the number of lanes of the widest vector.
pub(super) const GROUP: usize = 8;

/// Offset and length of column `j`.
pub(super) const fn column_range(j: usize) -> (usize, usize) {
    let group = j / GROUP;
    let length = (group + 1) * GROUP;
    (
        GROUP * GROUP * group * (group + 1) / 2 + j % GROUP * length,
        length,
    )
}

/// Numbers that `size` columns take.
pub(super) const fn numbers(size: usize) -> usize {
    column_range(size.next_multiple_of(GROUP)).0
}

/// One half of a symmetric matrix. Numbers behind the rows in use are finite and have no meaning.
#[derive(Debug, Clone, Default)]
pub(super) struct PackedSymmetric {
    values: Aligned<f64>,
}

impl PackedSymmetric {
    /// Makes room for `size` columns and keeps the present ones.
    pub fn grow_to(&mut self, size: usize) {
        self.values.grow_to(numbers(size));
    }

    /// All numbers of `size` columns.
    pub fn numbers(&self, size: usize) -> &[f64] {
        &self.values[..numbers(size)]
    }

    /// The same, to change them.
    pub fn numbers_mut(&mut self, size: usize) -> &mut [f64] {
        &mut self.values[..numbers(size)]
    }

    /// Element of row `i` and column `j`, in any order.
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        self.values[column_range(i.max(j)).0 + i.min(j)]
    }

    /// Sets an element and its mirror image.
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        let (row, column) = (i.min(j), i.max(j));
        self.values[column_range(column).0 + row] = value;
        if row / GROUP == column / GROUP {
            self.values[column_range(row).0 + column] = value;
        }
    }

    /// Sets row and column `k` to `line`, one number for each row.
    pub fn set_line(&mut self, k: usize, line: &[f64]) {
        let (start, length) = column_range(k);
        let own = length.min(line.len());
        self.values[start..start + own].copy_from_slice(&line[..own]);
        for (i, value) in line.iter().enumerate().skip(length - GROUP) {
            if i != k {
                self.values[column_range(i).0 + k] = *value;
            }
        }
    }

    /// Copies row and column `k` into `line`, one number for each row.
    pub fn copy_line(&self, k: usize, line: &mut [f64]) {
        let (start, length) = column_range(k);
        let own = length.min(line.len());
        line[..own].copy_from_slice(&self.values[start..start + own]);
        for (i, value) in line.iter_mut().enumerate().skip(own) {
            *value = self.values[column_range(i).0 + k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_elements_are_found_in_any_order_while_it_grows() {
        let value = |i: usize, j: usize| (100 * i.min(j) + i.max(j)) as f64;
        let mut packed = PackedSymmetric::default();
        for size in 1..40 {
            packed.grow_to(size);
            let line: Vec<f64> = (0..size).map(|i| value(i, size - 1)).collect();
            packed.set_line(size - 1, &line);
            for k in 0..size {
                let mut line = vec![0.0; size];
                packed.copy_line(k, &mut line);
                for (i, x) in line.iter().enumerate() {
                    assert_eq!((*x, packed.entry(i, k)), (value(i, k), value(i, k)));
                }
            }
        }
        packed.set(3, 5, -1.0);
        packed.set(30, 2, -2.0);
        let mut line = [0.0; 39];
        packed.copy_line(5, &mut line);
        assert_eq!((line[3], packed.entry(5, 3)), (-1.0, -1.0));
        packed.copy_line(3, &mut line);
        assert_eq!((line[5], packed.entry(2, 30)), (-1.0, -2.0));
        assert_eq!(packed.numbers(9).len(), 64 + 128);
    }
}
