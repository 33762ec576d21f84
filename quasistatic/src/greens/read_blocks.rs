//! Blocks of the same rows in many columns, as a capacitance matrix needs them.

use pliant_compression::wavelet::BlockReader;
use pliant_core::math::Mat3;

use super::matrix::{Columns, GreensMatrix};

/// Work units of reading a block of a capacitance matrix, at 2 ns a unit: 17 ns from dense columns, 59 to 81 ns from wavelets and 55 to 94 ns from a hierarchical matrix were measured on
/// 2,172 nodes.
const DENSE_COST: u64 = 9;
const WAVELET_COST: u64 = 35;
const HIERARCHICAL_COST: u64 = 40;

impl GreensMatrix {
    /// Work units of reading a block among those of a capacitance matrix.
    pub(crate) fn block_cost(&self) -> u64 {
        match self.values() {
            Columns::Single(_) | Columns::Double(_) => DENSE_COST,
            Columns::Compressed(_) if self.is_reciprocal() => HIERARCHICAL_COST,
            Columns::Compressed(_) => WAVELET_COST,
        }
    }

    /// Appends the blocks of `rows` in the column of each of `nodes` to its list in `columns`, m/N: those of [`Self::block`]. Where columns are wavelets they are read faster, and differ by
    /// rounding, see [`BlockReader`].
    pub fn append_blocks(
        &self,
        rows: &[u32],
        nodes: &[u32],
        reader: &mut BlockReader,
        columns: &mut [Vec<Mat3>],
    ) {
        if nodes.is_empty() {
            return;
        }
        let lists = nodes.iter().zip(columns);
        if let Some(matrix) = self.wavelets() {
            reader.select(matrix.transform(), rows);
            for (&j, list) in lists {
                list.extend(reader.read(matrix, j));
            }
            return;
        }
        for (&j, list) in lists {
            list.extend(rows.iter().map(|&i| self.block(i as usize, j as usize)));
        }
    }
}
