//! A hierarchical matrix to bytes and back.

use pliant_core::asset::bytes::{ByteReader, ByteWriter, BytesError};

use super::assembly::block_layout;
use super::cluster_tree::ClusterTree;
use super::matrix::{Block, Form, HierarchicalMatrix};

const MAGIC: &[u8; 8] = b"PLNTHMAT";
const VERSION: u32 = 1;
/// Marks a dense block in place of the number of wide terms. The number of narrow terms then says whether its integers are wide.
const DENSE: u16 = u16::MAX;

/// Bytes that are not a hierarchical matrix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HierarchicalFormatError {
    /// The first bytes are not those of a hierarchical matrix.
    #[error("these bytes are no hierarchical matrix\n  remedy: compress the matrix again")]
    WrongMagic,
    /// Written by another version.
    #[error(
        "the hierarchical matrix has format version {found}, this program reads {expected}\n  remedy: compress the matrix again"
    )]
    WrongVersion {
        /// Version in the bytes.
        found: u32,
        /// Version this program reads.
        expected: u32,
    },
    /// The bytes end too early or go on too long.
    #[error(
        "the hierarchical matrix is cut off or has bytes left over at byte {at}\n  remedy: compress the matrix again"
    )]
    WrongLength {
        /// Where reading stopped.
        at: usize,
    },
    /// A value that cannot belong to a hierarchical matrix.
    #[error(
        "the hierarchical matrix holds an impossible {what}\n  remedy: compress the matrix again"
    )]
    Corrupt {
        /// Which part.
        what: &'static str,
    },
}

pliant_core::error_code!(HierarchicalFormatError);

impl From<BytesError> for HierarchicalFormatError {
    fn from(error: BytesError) -> Self {
        Self::WrongLength { at: error.at() }
    }
}

type Error = HierarchicalFormatError;

impl HierarchicalMatrix {
    /// The matrix as bytes: magic, version, then little-endian arrays: order and factors of the nodes, blocks, and their numbers.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = ByteWriter::<u32>::new(Vec::with_capacity(self.bytes()));
        out.raw(MAGIC);
        let nodes = self.nodes() as u32;
        out.values(&[VERSION, nodes, self.leaf_size, self.blocks.len() as u32]);
        out.values(self.tree.order());
        out.values(&self.inverse_factors);
        for block in &self.blocks {
            let counts = match block.form {
                Form::LowRank { wide, narrow } => [wide, narrow],
                Form::Dense { wide } => [DENSE, u16::from(wide)],
            };
            out.values(&[block.row, block.column]);
            out.values(&counts);
        }
        out.values(&self.scales);
        out.values(&self.wide);
        out.values(&self.narrow);
        out.into_bytes()
    }

    /// Reads what [`HierarchicalMatrix::to_bytes`] wrote, to the bit.
    ///
    /// # Errors
    /// [`HierarchicalFormatError`] for anything else. No bytes make it panic, or allocate more than some times their length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, HierarchicalFormatError> {
        let mut r = ByteReader::<u32>::new(bytes);
        if r.take(MAGIC.len()).ok() != Some(MAGIC.as_slice()) {
            return Err(Error::WrongMagic);
        }
        let found = r.u32()?;
        if found != VERSION {
            return Err(Error::WrongVersion {
                found,
                expected: VERSION,
            });
        }
        let (nodes, leaf_size, count) = (r.u32()? as usize, r.u32()?, r.u32()? as usize);
        if nodes == 0 {
            return Err(corrupt("number of nodes"));
        }
        if leaf_size == 0 {
            return Err(corrupt("size of a leaf"));
        }
        let order = r.values(nodes)?;
        let inverse_factors: Vec<f32> = r.values(nodes)?;
        if !inverse_factors.iter().all(|x| x.is_normal() && *x > 0.0) {
            return Err(corrupt("factor of a node"));
        }
        let tree = ClusterTree::from_order(order, leaf_size as usize);
        let tree = tree.ok_or(corrupt("order of the nodes"))?;
        let raw: Vec<[u32; 3]> = r.values(count)?;
        let blocks = raw.iter().map(|raw| read_block(raw, tree.clusters().len()));
        let blocks: Vec<_> = blocks.collect::<Result<_, _>>()?;
        let (blocks, ends) = block_layout(&tree, blocks.into_iter()).ok_or(corrupt("rank"))?;
        if !covers_upper_triangle(&tree, &blocks) {
            return Err(corrupt("division into blocks"));
        }
        let scales: Vec<f32> = r.values(ends[0])?;
        if !scales.iter().all(|x| x.is_finite()) {
            return Err(corrupt("scale"));
        }
        let (wide, narrow) = (r.values(ends[1])?, r.values(ends[2])?);
        r.finish()?;
        Ok(Self::with_indices(
            tree,
            leaf_size,
            inverse_factors,
            blocks,
            (scales, wide, narrow),
        ))
    }
}

fn corrupt(what: &'static str) -> Error {
    Error::Corrupt { what }
}

fn read_block(raw: &[u32; 3], clusters: usize) -> Result<(u32, u32, Form), Error> {
    let [row, column, counts] = *raw;
    let counts = [counts as u16, (counts >> 16) as u16];
    let form = match counts {
        [DENSE, wide @ (0 | 1)] => Form::Dense { wide: wide == 1 },
        [DENSE, _] => return Err(corrupt("form of a block")),
        [wide, narrow] => Form::LowRank { wide, narrow },
    };
    let is_low_rank = matches!(form, Form::LowRank { .. });
    if row.max(column) as usize >= clusters || (row == column && is_low_rank) {
        return Err(corrupt("cluster of a block"));
    }
    Ok((row, column, form))
}

/// Whether the blocks are in order and cover each part of the upper triangle once.
fn covers_upper_triangle(tree: &ClusterTree, blocks: &[Block]) -> bool {
    if !blocks.is_sorted_by(|a, b| (a.row, a.column) < (b.row, b.column)) {
        return false;
    }
    let mut pending = vec![(0, 0)];
    let mut found = 0;
    while let Some((row, column)) = pending.pop() {
        if blocks
            .binary_search_by_key(&(row, column), |b| (b.row, b.column))
            .is_ok()
        {
            found += 1;
            continue;
        }
        let Some(pairs) = tree.pairs_below(row, column) else {
            return false;
        };
        pending.extend(pairs);
    }
    found == blocks.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_overlap_or_leave_a_hole_do_not_cover() {
        // a root, and two leaves with numbers 1 and 2
        let tree = ClusterTree::from_order((0..8).collect(), 4).expect("an order");
        let covers = |pairs: &[(u32, u32)]| {
            let form = Form::Dense { wide: true };
            let forms = pairs.iter().map(|&(row, column)| (row, column, form));
            covers_upper_triangle(&tree, &block_layout(&tree, forms).expect("small").0)
        };
        assert!(covers(&[(0, 0)]));
        assert!(covers(&[(1, 1), (1, 2), (2, 2)]));
        assert!(!covers(&[(1, 1), (2, 2)]));
        assert!(!covers(&[(0, 0), (1, 1)]));
        assert!(!covers(&[(1, 1), (1, 2), (2, 1), (2, 2)]));
        assert!(!covers(&[(1, 2), (1, 1), (2, 2)]));
    }
}
