//! Puts compressed blocks in order and builds the indices that find them.

use super::cluster_tree::ClusterTree;
use super::matrix::{Block, Form, HierarchicalMatrix, counts};

/// A compressed block with its scales and integers.
pub(crate) struct StoredBlock {
    pub(crate) row: u32,
    pub(crate) column: u32,
    pub(crate) form: Form,
    pub(crate) scales: Vec<f32>,
    pub(crate) wide: Vec<i16>,
    pub(crate) narrow: Vec<i8>,
}

impl StoredBlock {
    /// A block of rank zero.
    pub(crate) fn empty(row: u32, column: u32) -> Self {
        Self {
            row,
            column,
            form: Form::LowRank { wide: 0, narrow: 0 },
            scales: Vec::new(),
            wide: Vec::new(),
            narrow: Vec::new(),
        }
    }
}

/// Blocks of these clusters and forms with the offsets of their numbers, and the total numbers of scales, wide and narrow integers. `None` where an offset exceeds 32 bits.
pub(crate) fn block_layout(
    tree: &ClusterTree,
    forms: impl Iterator<Item = (u32, u32, Form)>,
) -> Option<(Vec<Block>, [usize; 3])> {
    let mut blocks = Vec::new();
    let mut ends = [0_usize; 3];
    for (row, column, form) in forms {
        let mut offsets = [0; 3];
        let sizes = [row, column].map(|c| tree.cluster(c).size());
        let counts = counts(form, sizes[0], sizes[1], row == column);
        for k in 0..3 {
            offsets[k] = u32::try_from(ends[k]).ok()?;
            ends[k] = ends[k].checked_add(counts[k])?;
        }
        blocks.push(Block {
            row,
            column,
            offsets,
            form,
        });
    }
    Some((blocks, ends))
}

impl HierarchicalMatrix {
    /// The matrix of these blocks, which have to cover the upper triangle; `None` where there are too many numbers.
    pub(super) fn from_stored_blocks(
        tree: ClusterTree,
        leaf_size: u32,
        inverse_factors: Vec<f32>,
        mut stored: Vec<StoredBlock>,
    ) -> Option<Self> {
        stored.sort_unstable_by_key(|b| (b.row, b.column));
        let (blocks, ends) = block_layout(&tree, stored.iter().map(|b| (b.row, b.column, b.form)))?;
        let mut scales = Vec::with_capacity(ends[0]);
        let mut wide = Vec::with_capacity(ends[1]);
        let mut narrow = Vec::with_capacity(ends[2]);
        for block in stored {
            scales.extend(block.scales);
            wide.extend(block.wide);
            narrow.extend(block.narrow);
        }
        Some(Self::with_indices(
            tree,
            leaf_size,
            inverse_factors,
            blocks,
            (scales, wide, narrow),
        ))
    }

    /// Adds the indices to blocks that are ordered by rows, then columns.
    pub(super) fn with_indices(
        tree: ClusterTree,
        leaf_size: u32,
        inverse_factors: Vec<f32>,
        blocks: Vec<Block>,
        (scales, wide, narrow): (Vec<f32>, Vec<i16>, Vec<i8>),
    ) -> Self {
        let clusters = tree.clusters().len();
        let mut by_column: Vec<u32> = (0..blocks.len() as u32).collect();
        by_column.retain(|&k| blocks[k as usize].row != blocks[k as usize].column);
        by_column.sort_by_key(|&k| blocks[k as usize].column);
        let row_offsets = offsets(clusters, blocks.iter().map(|b| b.row));
        let columns = by_column.iter().map(|&k| blocks[k as usize].column);
        Self {
            column_offsets: offsets(clusters, columns),
            tree,
            leaf_size,
            inverse_factors,
            blocks,
            row_offsets,
            by_column,
            scales,
            wide,
            narrow,
        }
    }
}

/// Offset of the first entry of each cluster in an ascending list of clusters, and the length of the list.
fn offsets(clusters: usize, ascending: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut offsets = vec![0; clusters + 1];
    for cluster in ascending {
        offsets[cluster as usize + 1] += 1;
    }
    for k in 0..clusters {
        offsets[k + 1] += offsets[k];
    }
    offsets
}
