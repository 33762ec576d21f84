//! A hierarchical matrix to bytes and back.

use pliant_core::diagnostics::variant_name;

use super::assembly::placed;
use super::cluster_tree::ClusterTree;
use super::matrix::{Block, Form, HierarchicalMatrix};

const MAGIC: &[u8; 8] = b"PLNTHMAT";
const VERSION: u32 = 1;
/// Bytes of a block: two clusters, and numbers of terms or one of the marks below.
const BLOCK: usize = 12;
/// What stands for the number of wide terms of a dense block; the number of narrow ones then says whether it is wide.
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

impl HierarchicalFormatError {
    /// The variant's name, the error code of the JSON output.
    pub fn code(&self) -> String {
        variant_name(self)
    }
}

type Error = HierarchicalFormatError;

impl HierarchicalMatrix {
    /// The matrix as bytes: magic, version, then little-endian arrays: order and factors of the nodes, blocks, and their numbers.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.reserve(self.bytes());
        for number in [
            VERSION,
            self.nodes() as u32,
            self.leaf_size,
            self.blocks.len() as u32,
        ] {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.tree.order().iter().flat_map(|x| x.to_le_bytes()));
        out.extend(self.unscale.iter().flat_map(|x| x.to_le_bytes()));
        for block in &self.blocks {
            let counts = match block.form {
                Form::LowRank { wide, narrow } => [wide, narrow],
                Form::Dense { wide } => [DENSE, u16::from(wide)],
            };
            out.extend(
                [block.row, block.column]
                    .iter()
                    .flat_map(|x| x.to_le_bytes()),
            );
            out.extend(counts.iter().flat_map(|x| x.to_le_bytes()));
        }
        out.extend(self.scales.iter().flat_map(|x| x.to_le_bytes()));
        out.extend(self.wide.iter().flat_map(|x| x.to_le_bytes()));
        out.extend(self.narrow.iter().flat_map(|x| x.to_le_bytes()));
        out
    }

    /// Takes back what [`HierarchicalMatrix::to_bytes`] wrote, to the bit.
    ///
    /// # Errors
    /// [`HierarchicalFormatError`] for anything else. No bytes make it panic, or allocate more than some times their length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, HierarchicalFormatError> {
        let mut r = Reader { bytes, at: 0 };
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
        let order = r.array(nodes, u32::from_le_bytes)?;
        let unscale = r.array(nodes, f32::from_le_bytes)?;
        if !unscale.iter().all(|x| x.is_normal() && *x > 0.0) {
            return Err(corrupt("factor of a node"));
        }
        let tree = ClusterTree::with_order(order, leaf_size as usize);
        let tree = tree.ok_or(corrupt("order of the nodes"))?;
        let raw = r.array(count, |raw: [u8; BLOCK]| raw)?;
        let blocks = raw.iter().map(|raw| read_block(raw, tree.clusters().len()));
        let blocks: Vec<_> = blocks.collect::<Result<_, _>>()?;
        let (blocks, ends) = placed(&tree, blocks.into_iter()).ok_or(corrupt("rank"))?;
        if !cover(&tree, &blocks) {
            return Err(corrupt("division into blocks"));
        }
        let scales = r.array(ends[0], f32::from_le_bytes)?;
        if !scales.iter().all(|x| x.is_finite()) {
            return Err(corrupt("scale"));
        }
        let wide = r.array(ends[1], i16::from_le_bytes)?;
        let narrow = r.array(ends[2], i8::from_le_bytes)?;
        if r.at != bytes.len() {
            return Err(Error::WrongLength { at: r.at });
        }
        Ok(Self::indexed(
            tree,
            leaf_size,
            unscale,
            blocks,
            (scales, wide, narrow),
        ))
    }
}

fn corrupt(what: &'static str) -> Error {
    Error::Corrupt { what }
}

fn read_block(raw: &[u8; BLOCK], clusters: usize) -> Result<(u32, u32, Form), Error> {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = *raw;
    let row = u32::from_le_bytes([a, b, c, d]);
    let column = u32::from_le_bytes([e, f, g, h]);
    let counts = [u16::from_le_bytes([i, j]), u16::from_le_bytes([k, l])];
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

/// Whether blocks are in order and divide the upper triangle.
fn cover(tree: &ClusterTree, blocks: &[Block]) -> bool {
    if !blocks.is_sorted_by(|a, b| (a.row, a.column) < (b.row, b.column)) {
        return false;
    }
    let mut open = vec![(0, 0)];
    let mut found = 0;
    while let Some((row, column)) = open.pop() {
        if blocks
            .binary_search_by_key(&(row, column), |b| (b.row, b.column))
            .is_ok()
        {
            found += 1;
            continue;
        }
        let children = [row, column].map(|c| tree.cluster(c).children());
        let [Some(rows), Some(columns)] = children else {
            return false;
        };
        for r in rows {
            open.extend(columns.iter().filter(|&&c| r <= c).map(|&c| (r, c)));
        }
    }
    found == blocks.len()
}

/// Takes arrays off the front; lengths are compared with the bytes left before anything is allocated.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let wrong = Error::WrongLength { at: self.at };
        let end = self.at.checked_add(count).ok_or(wrong.clone())?;
        let piece = self.bytes.get(self.at..end).ok_or(wrong)?;
        self.at = end;
        Ok(piece)
    }

    fn u32(&mut self) -> Result<u32, Error> {
        let mut raw = [0; 4];
        raw.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(raw))
    }

    fn array<T, const N: usize>(
        &mut self,
        count: usize,
        read: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, Error> {
        let wrong = Error::WrongLength { at: self.at };
        let raw = self.take(count.checked_mul(N).ok_or(wrong)?)?;
        Ok(raw.as_chunks::<N>().0.iter().map(|x| read(*x)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_overlap_or_leave_a_hole_do_not_cover() {
        // a root, and two leaves with numbers 1 and 2
        let tree = ClusterTree::with_order((0..8).collect(), 4).expect("an order");
        let covers = |pairs: &[(u32, u32)]| {
            let form = Form::Dense { wide: true };
            let forms = pairs.iter().map(|&(row, column)| (row, column, form));
            cover(&tree, &placed(&tree, forms).expect("small").0)
        };
        assert!(covers(&[(0, 0)]));
        assert!(covers(&[(1, 1), (1, 2), (2, 2)]));
        assert!(!covers(&[(1, 1), (2, 2)]));
        assert!(!covers(&[(0, 0), (1, 1)]));
        assert!(!covers(&[(1, 1), (1, 2), (2, 1), (2, 2)]));
        assert!(!covers(&[(1, 2), (1, 1), (2, 2)]));
    }
}
