//! Blocks in order, with the indices that find them.

use super::cluster_tree::ClusterTree;
use super::matrix::{Block, Form, HierarchicalMatrix, counts};

/// A block and its own numbers.
pub(crate) struct Part {
    pub(crate) row: u32,
    pub(crate) column: u32,
    pub(crate) form: Form,
    pub(crate) scales: Vec<f32>,
    pub(crate) wide: Vec<i16>,
    pub(crate) narrow: Vec<i8>,
}

impl Part {
    /// Rank zero.
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

/// Where blocks of these clusters and forms have their numbers, and how many there are in all; `None` where 32 bits do not count them.
pub(crate) fn placed(
    tree: &ClusterTree,
    forms: impl Iterator<Item = (u32, u32, Form)>,
) -> Option<(Vec<Block>, [usize; 3])> {
    let mut blocks = Vec::new();
    let mut ends = [0_usize; 3];
    for (row, column, form) in forms {
        let mut begins = [0; 3];
        let sizes = [row, column].map(|c| tree.cluster(c).size());
        let counts = counts(form, sizes[0], sizes[1], row == column);
        for k in 0..3 {
            begins[k] = u32::try_from(ends[k]).ok()?;
            ends[k] = ends[k].checked_add(counts[k])?;
        }
        blocks.push(Block {
            row,
            column,
            begins,
            form,
        });
    }
    Some((blocks, ends))
}

impl HierarchicalMatrix {
    /// The matrix of some parts, which have to cover the upper triangle; `None` where there are too many numbers.
    pub(super) fn assembled(
        tree: ClusterTree,
        leaf_size: u32,
        unscale: Vec<f32>,
        mut parts: Vec<Part>,
    ) -> Option<Self> {
        parts.sort_unstable_by_key(|p| (p.row, p.column));
        let (blocks, ends) = placed(&tree, parts.iter().map(|p| (p.row, p.column, p.form)))?;
        let mut scales = Vec::with_capacity(ends[0]);
        let mut wide = Vec::with_capacity(ends[1]);
        let mut narrow = Vec::with_capacity(ends[2]);
        for part in parts {
            scales.extend(part.scales);
            wide.extend(part.wide);
            narrow.extend(part.narrow);
        }
        Some(Self::indexed(
            tree,
            leaf_size,
            unscale,
            blocks,
            (scales, wide, narrow),
        ))
    }

    /// Adds the indices to blocks that are ordered by rows, then columns.
    pub(super) fn indexed(
        tree: ClusterTree,
        leaf_size: u32,
        unscale: Vec<f32>,
        blocks: Vec<Block>,
        (scales, wide, narrow): (Vec<f32>, Vec<i16>, Vec<i8>),
    ) -> Self {
        let clusters = tree.clusters().len();
        let mut by_column: Vec<u32> = (0..blocks.len() as u32).collect();
        by_column.retain(|&k| blocks[k as usize].row != blocks[k as usize].column);
        by_column.sort_by_key(|&k| blocks[k as usize].column);
        let row_begins = begins(clusters, blocks.iter().map(|b| b.row));
        let columns = by_column.iter().map(|&k| blocks[k as usize].column);
        Self {
            column_begins: begins(clusters, columns),
            tree,
            leaf_size,
            unscale,
            blocks,
            row_begins,
            by_column,
            scales,
            wide,
            narrow,
        }
    }
}

/// Where each cluster begins in an ascending list of clusters, and the end.
fn begins(clusters: usize, ascending: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut begins = vec![0; clusters + 1];
    for cluster in ascending {
        begins[cluster as usize + 1] += 1;
    }
    for k in 0..clusters {
        begins[k + 1] += begins[k];
    }
    begins
}
