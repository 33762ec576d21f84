//! Blocks of the same rows in many columns, as a capacitance matrix needs them.

use pliant_compression::wavelet::BlockReader;
use pliant_core::math::Mat3;

use super::matrix::GreensMatrix;

impl GreensMatrix {
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
