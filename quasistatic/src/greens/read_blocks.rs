//! Blocks of the same rows in many columns, as a capacitance matrix needs them.

use pliant_compression::wavelet::BlockReader;
use pliant_core::math::Mat3;

use super::matrix::{Columns, GreensMatrix};

/// Work units of 2 ns for reading a block of a capacitance matrix, from the times of blocks between 40 of 2,172 nodes in docs/compression.md.
///
/// A block took 17 ns from dense columns and 55 to 94 ns (75 in the middle) from a hierarchical matrix. Wavelets were read by a [`BlockReader`] in a later run under more load: 13 to 32 ns
/// where dense columns took 27 ns. 17/27 of that is 8 to 20 ns, 14 in the middle; on a quieter machine 11 to 14 ns were measured. In a contact of few nodes a block takes longer, because each
/// column is passed through once for all of its rows, but such a contact costs little.
const DENSE_COST: u64 = 9;
const WAVELET_COST: u64 = 7;
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
    pub(crate) fn append_blocks(
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
