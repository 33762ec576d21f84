//! The compressed matrix: clusters, blocks, scales and integers.

use std::ops::Range;

use pliant_core::math::Mat3;

use super::cluster_tree::{Cluster, ClusterTree};

/// How the numbers of a block are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Terms `scale u vᵀ`, those in wide integers before those in narrow ones. Each has `u` for the rows, then `v` for the columns.
    LowRank { wide: u16, narrow: u16 },
    /// All columns, each with its scale, in wide or narrow integers. On the diagonal, column `c` begins at row `c`; symmetry gives the rest.
    Dense { wide: bool },
}

/// A part of the matrix above or on the diagonal, in the order of the clusters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Block {
    /// cluster of the rows
    pub(crate) row: u32,
    /// cluster of the columns: that of the rows, or one behind it on the same level
    pub(crate) column: u32,
    /// offsets of its scales, wide and narrow integers
    pub(crate) offsets: [u32; 3],
    pub(crate) form: Form,
}

/// Numbers of scales, wide and narrow integers of a block of this form and size in scalars.
pub(crate) fn counts(form: Form, rows: usize, columns: usize, diagonal: bool) -> [usize; 3] {
    match form {
        Form::LowRank { wide, narrow } => {
            let (wide, narrow) = (usize::from(wide), usize::from(narrow));
            let length = rows + columns;
            [wide + narrow, wide * length, narrow * length]
        }
        Form::Dense { wide } => {
            let numbers = if diagonal {
                columns * (columns + 1) / 2
            } else {
                rows * columns
            };
            let (wide, narrow) = if wide { (numbers, 0) } else { (0, numbers) };
            [columns, wide, narrow]
        }
    }
}

/// Offset of a column in a packed block on the diagonal, where each column has one row less than the one before.
pub(crate) fn packed_offset(size: usize, column: usize) -> usize {
    column * size - column * column.saturating_sub(1) / 2
}

/// A symmetric matrix of 3×3 blocks between nodes, such as compliances in m/N, as a hierarchical matrix.
///
/// The nodes are ordered by a tree of clusters. Pairs of clusters divide the upper triangle into blocks, each of low rank or dense, in small integers. The
/// lower triangle is its transpose. Rows and columns may be scaled by a factor of each node. Made by [`HierarchicalMatrix::compress`].
#[derive(Debug, Clone, PartialEq)]
pub struct HierarchicalMatrix {
    pub(super) tree: ClusterTree,
    pub(super) leaf_size: u32,
    /// what rows and columns of the stored matrix are multiplied by, a factor for each node
    pub(super) inverse_factors: Vec<f32>,
    /// ordered by rows, then columns
    pub(super) blocks: Vec<Block>,
    /// the first block of each cluster of rows, and the end
    pub(super) row_offsets: Vec<u32>,
    /// blocks off the diagonal, ordered by columns, then rows
    pub(super) by_column: Vec<u32>,
    /// the first of them of each cluster of columns, and the end
    pub(super) column_offsets: Vec<u32>,
    pub(super) scales: Vec<f32>,
    pub(super) wide: Vec<i16>,
    pub(super) narrow: Vec<i8>,
}

impl HierarchicalMatrix {
    /// Number of nodes `n`; the matrix has `3n` rows and columns.
    pub fn nodes(&self) -> usize {
        self.inverse_factors.len()
    }

    /// Bytes of all arrays.
    pub fn bytes(&self) -> usize {
        let indices = self.row_offsets.len() + self.by_column.len() + self.column_offsets.len();
        self.tree.bytes()
            + size_of_val(self.blocks.as_slice())
            + 4 * (indices + self.scales.len() + self.inverse_factors.len())
            + 2 * self.wide.len()
            + self.narrow.len()
    }

    /// `F_ij`: displacement of node `i` for a unit force on node `j`, m/N.
    ///
    /// Cost: a walk down the tree, and nine products for each term of one block of low rank.
    ///
    /// # Panics
    /// For numbers that are no nodes.
    pub fn block(&self, i: usize, j: usize) -> Mat3 {
        let place = self.tree.place();
        let (a, b) = (place[i], place[j]);
        let factor = f64::from(self.inverse_factors[i]) * f64::from(self.inverse_factors[j]);
        if a <= b {
            self.stored_block(a, b) * factor
        } else {
            self.stored_block(b, a).transpose() * factor
        }
    }

    /// The stored block at places `a ≤ b`, not scaled.
    fn stored_block(&self, a: u32, b: u32) -> Mat3 {
        let (mut row, mut column) = (0, 0);
        loop {
            if let Some(block) = self.find(row, column) {
                return self.entries(block, a, b);
            }
            let next = (self.tree.descend(row, a), self.tree.descend(column, b));
            if next == (row, column) {
                // not reached, because blocks cover the matrix
                return Mat3::zeros();
            }
            (row, column) = next;
        }
    }

    fn find(&self, row: u32, column: u32) -> Option<&Block> {
        let blocks = &self.blocks[self.blocks_of_row(row)];
        let at = blocks.binary_search_by_key(&column, |b| b.column).ok()?;
        Some(&blocks[at])
    }

    /// Blocks whose rows are a cluster.
    pub(super) fn blocks_of_row(&self, cluster: u32) -> Range<usize> {
        let c = cluster as usize;
        self.row_offsets[c] as usize..self.row_offsets[c + 1] as usize
    }

    /// Blocks off the diagonal whose columns are a cluster.
    pub(super) fn blocks_of_column(&self, cluster: u32) -> &[u32] {
        let c = cluster as usize;
        &self.by_column[self.column_offsets[c] as usize..self.column_offsets[c + 1] as usize]
    }

    pub(super) fn clusters_of(&self, block: &Block) -> [&Cluster; 2] {
        [
            self.tree.cluster(block.row),
            self.tree.cluster(block.column),
        ]
    }

    fn entries(&self, block: &Block, a: u32, b: u32) -> Mat3 {
        let [rows, columns] = self.clusters_of(block);
        let r = 3 * a as usize - rows.scalars().start;
        let c = 3 * b as usize - columns.scalars().start;
        let size = [rows.size(), columns.size()];
        let [scale, wide, narrow] = block.offsets.map(|x| x as usize);
        match block.form {
            Form::LowRank {
                wide: wides,
                narrow: narrows,
            } => {
                let (scales, rest) = self.scales[scale..].split_at(usize::from(wides));
                let rest = &rest[..usize::from(narrows)];
                sum_of_terms(scales, &self.wide[wide..], size, [r, c])
                    + sum_of_terms(rest, &self.narrow[narrow..], size, [r, c])
            }
            Form::Dense { wide: is_wide } => {
                let (scales, rows) = (&self.scales[scale..], size[0]);
                let is_diagonal = block.row == block.column;
                match is_wide {
                    true => dense(scales, &self.wide[wide..], rows, [r, c], is_diagonal),
                    false => dense(scales, &self.narrow[narrow..], rows, [r, c], is_diagonal),
                }
            }
        }
    }
}

fn sum_of_terms<T: Copy + Into<f64>>(
    scales: &[f32],
    numbers: &[T],
    [rows, columns]: [usize; 2],
    [r, c]: [usize; 2],
) -> Mat3 {
    let mut sum = Mat3::zeros();
    for (scale, term) in scales.iter().zip(numbers.chunks_exact(rows + columns)) {
        let scale = f64::from(*scale);
        let u: [f64; 3] = [0, 1, 2].map(|k| term[r + k].into());
        let v: [f64; 3] = [0, 1, 2].map(|k| term[rows + c + k].into() * scale);
        for l in 0..3 {
            for k in 0..3 {
                sum[(k, l)] += u[k] * v[l];
            }
        }
    }
    sum
}

fn dense<T: Copy + Into<f64>>(
    scales: &[f32],
    numbers: &[T],
    rows: usize,
    [r, c]: [usize; 2],
    is_diagonal: bool,
) -> Mat3 {
    Mat3::from_fn(|k, l| {
        let (mut row, mut column) = (r + k, c + l);
        let at = if is_diagonal {
            (row, column) = (row.max(column), row.min(column));
            packed_offset(rows, column) + row - column
        } else {
            column * rows + row
        };
        let number: f64 = numbers[at].into();
        number * f64::from(scales[column])
    })
}
