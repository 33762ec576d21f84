//! Compliance from single blocks, which are kept while a contact stays or slides.

use std::cmp::Ordering;

use pliant_compression::wavelet::BlockReader;
use pliant_core::math::{Mat3, Vec3};

use super::contact_row::ContactRow;
use crate::greens::{GreensMatrix, SkinRows};

/// Assembles the compliance of conditions on skin vertices. The blocks of `F` between the touched nodes are copied once and kept while a contact stays or slides.
#[derive(Debug, Clone, Default)]
pub struct BlockAssembly {
    /// Slot of each free boundary node, [`NO_SLOT`] for untouched ones.
    slot_of_node: Vec<u32>,
    nodes: Vec<u32>,
    /// `blocks[l][k] = F_kl` between slots; the mean of `F_kl` and `F_lkᵀ` where compression has made them differ.
    blocks: Vec<Vec<Mat3>>,
    /// Slots of the nodes of the present rows, ascending.
    touched: Vec<u32>,
    response: Vec<Vec3>,
    reader: BlockReader,
}

/// An order of conditions that does not depend on their places in a list.
fn compare_rows(one: &ContactRow, other: &ContactRow) -> Ordering {
    // the vertices of most pairs differ, and this runs for every pair
    one.vertex.cmp(&other.vertex).then_with(|| {
        let directions = one.direction.iter().zip(other.direction.iter());
        let first_difference = directions.map(|(x, y)| y.total_cmp(x)).find(|o| o.is_ne());
        first_difference.unwrap_or(Ordering::Equal)
    })
}

const NO_SLOT: u32 = u32::MAX;
/// Slots beyond twice the touched ones that are kept for contacts that may come back.
const SPARE_SLOTS: usize = 64;

impl BlockAssembly {
    /// Writes `C` of `contacts` into `out`, row by row. It is symmetric to the bit, even where rounding makes the columns unsymmetric, and its bits do not depend on the
    /// order of the contacts. Cost: `rows × touched nodes` block products, and a copy of blocks for new nodes.
    pub fn assemble(
        &mut self,
        greens: &GreensMatrix,
        skin: &SkinRows,
        contacts: &[ContactRow],
        out: &mut Vec<f64>,
    ) {
        self.assign_slots(greens, skin, contacts);
        let m = contacts.len();
        out.clear();
        out.resize(m * m, 0.0);
        for (b, contact) in contacts.iter().enumerate() {
            // displacement of every touched node under a unit force in condition b
            for &k in &self.touched {
                self.response[k as usize] = Vec3::zeros();
            }
            let (nodes, weights) = skin.row(contact.vertex as usize);
            for (&node, &weight) in nodes.iter().zip(weights) {
                let column = &self.blocks[self.slot_of_node[node as usize] as usize];
                let force = contact.direction * weight;
                for &k in &self.touched {
                    self.response[k as usize] += column[k as usize] * force;
                }
            }
            for (a, other) in contacts.iter().enumerate() {
                // an entry can be computed in two ways: the order decides which
                if compare_rows(other, contact).then(a.cmp(&b)).is_gt() {
                    continue;
                }
                let (nodes, weights) = skin.row(other.vertex as usize);
                let mut sum = 0.0;
                for (&node, &weight) in nodes.iter().zip(weights) {
                    let slot = self.slot_of_node[node as usize] as usize;
                    sum += weight * other.direction.dot(&self.response[slot]);
                }
                out[a * m + b] = sum;
                out[b * m + a] = sum;
            }
        }
    }

    /// Displacement of skin vertex `vertex` (m) under `forces` (node, N), all among the nodes of the last contacts.
    pub(crate) fn displacement(
        &self,
        skin: &SkinRows,
        vertex: u32,
        forces: &[(u32, Vec3)],
    ) -> Vec3 {
        let slot = |node: u32| {
            self.slot_of_node
                .get(node as usize)
                .map(|slot| *slot as usize)
        };
        let block = |row: u32, column: u32| self.blocks.get(slot(column)?)?.get(slot(row)?);
        let (nodes, weights) = skin.row(vertex as usize);
        let mut sum = Vec3::zeros();
        for (&node, &weight) in nodes.iter().zip(weights) {
            for &(column, force) in forces {
                if let Some(block) = block(node, column) {
                    sum += block * force * weight;
                }
            }
        }
        sum
    }

    /// Reads the blocks of the nodes of `contacts`, which a later [`Self::assemble`] then finds. Blocks that were read before are kept.
    pub fn read_ahead(&mut self, greens: &GreensMatrix, skin: &SkinRows, contacts: &[ContactRow]) {
        self.slot_of_node.resize(greens.nodes(), NO_SLOT);
        self.collect_nodes(greens, skin, contacts);
        self.response.resize(self.nodes.len(), Vec3::zeros());
    }

    /// Assigns a slot to every node of `contacts`, and lists the slots in use.
    fn assign_slots(&mut self, greens: &GreensMatrix, skin: &SkinRows, contacts: &[ContactRow]) {
        self.slot_of_node.resize(greens.nodes(), NO_SLOT);
        self.collect_nodes(greens, skin, contacts);
        if self.nodes.len() > 2 * self.touched.len() + SPARE_SLOTS {
            for &node in &self.nodes {
                self.slot_of_node[node as usize] = NO_SLOT;
            }
            self.nodes.clear();
            self.blocks.iter_mut().for_each(Vec::clear);
            self.collect_nodes(greens, skin, contacts);
        }
        self.response.resize(self.nodes.len(), Vec3::zeros());
    }

    fn collect_nodes(&mut self, greens: &GreensMatrix, skin: &SkinRows, contacts: &[ContactRow]) {
        self.touched.clear();
        let first_new = self.nodes.len();
        for contact in contacts {
            for &node in skin.row(contact.vertex as usize).0 {
                let slot = &mut self.slot_of_node[node as usize];
                if *slot == NO_SLOT {
                    *slot = self.nodes.len() as u32;
                    self.nodes.push(node);
                }
                self.touched.push(*slot);
            }
        }
        self.read_new_blocks(greens, first_new);
        self.touched.sort_unstable();
        self.touched.dedup();
    }

    /// Reads the blocks of the nodes from slot `first_new` on.
    fn read_new_blocks(&mut self, greens: &GreensMatrix, first_new: usize) {
        if first_new == self.nodes.len() {
            return;
        }
        self.blocks.resize_with(self.nodes.len(), Vec::new);
        let mean = !greens.is_reciprocal();
        // old columns have a block for each old node already
        let (old_nodes, new_nodes) = self.nodes.split_at(first_new);
        let (old, new) = self.blocks.split_at_mut(first_new);
        greens.append_blocks(new_nodes, old_nodes, &mut self.reader, old);
        greens.append_blocks(&self.nodes, new_nodes, &mut self.reader, new);
        for l in 0..self.nodes.len() {
            for k in first_new.max(l)..self.nodes.len() {
                if mean {
                    let block = (self.blocks[l][k] + self.blocks[k][l].transpose()) * 0.5;
                    self.blocks[l][k] = block;
                    self.blocks[k][l] = block.transpose();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_compression::CompressionError;
    use pliant_core::asset::Progress;

    use super::*;
    use crate::benchmark::rabbit::SubdividedRabbit;
    use crate::greens::wavelets::{WaveletSpec, compress};
    use crate::greens::{CompressedColumns, Precision};

    /// Columns, dense and as wavelets.
    fn matrices() -> Result<[GreensMatrix; 2], CompressionError> {
        let body = SubdividedRabbit::new(2)?;
        let boundary = body.boundary();
        let nodes = body.free.iter().filter(|free| **free).count();
        let entry = |k: usize| ((k * 7919) % 1009) as f64 / 1009.0 - 0.5;
        let dense = GreensMatrix::from_columns(nodes, Precision::Single, |node, out| {
            for (k, x) in out.iter_mut().enumerate() {
                *x = entry(9 * nodes * node + k);
            }
        });
        let dense = dense.expect("few nodes");
        let spec = WaveletSpec::default();
        let (matrix, report) = compress::<f32>(&dense, &boundary, &spec, &Progress::new())?;
        let columns = CompressedColumns::from(boundary.columns(matrix, report.epsilon, &spec));
        Ok([dense, GreensMatrix::compressed(columns)])
    }

    #[test]
    fn blocks_of_many_columns_are_the_single_ones() -> Result<(), CompressionError> {
        // wavelets add the same products in another order
        for (matrix, rounding) in matrices()?.iter().zip([0.0, 1e-6]) {
            let rows: Vec<u32> = (0..matrix.nodes() as u32).step_by(3).collect();
            let nodes = [7, 0, 50];
            let mut columns = vec![vec![Mat3::identity()]; nodes.len()];
            matrix.append_blocks(&rows, &nodes, &mut BlockReader::default(), &mut columns);
            for (column, &j) in columns.iter().zip(&nodes) {
                assert_eq!(column.len(), 1 + rows.len());
                assert_eq!(column[0], Mat3::identity());
                for (block, &i) in column[1..].iter().zip(&rows) {
                    let error = (block - matrix.block(i as usize, j as usize)).amax();
                    assert!(error <= rounding, "{i} {j}: {error:e}");
                }
            }
        }
        Ok(())
    }

    /// Nodes that come later are read in other selections than nodes that come together.
    #[test]
    fn a_contact_that_slides_and_grows_has_the_bits_of_a_new_one() -> Result<(), CompressionError> {
        let matrices = matrices()?;
        let nodes = matrices[0].nodes() as u32;
        let mut skin = SkinRows::empty(0.0, 0);
        for node in 0..nodes {
            let next = (node + 1) % nodes;
            skin.push_row([((node, 0, 0), 0.75), ((next, 0, 0), 0.25)]);
        }
        let contact = |vertex: u32| ContactRow {
            vertex,
            direction: Vec3::y(),
            unilateral: true,
        };
        for matrix in &matrices {
            let mut kept = BlockAssembly::default();
            for vertices in [0..5, 3..9, 3..40] {
                let contacts: Vec<ContactRow> = vertices.clone().map(contact).collect();
                let (mut grown, mut anew) = (Vec::new(), Vec::new());
                kept.assemble(matrix, &skin, &contacts, &mut grown);
                BlockAssembly::default().assemble(matrix, &skin, &contacts, &mut anew);
                assert!(grown == anew, "{vertices:?}");
            }
        }
        Ok(())
    }
}
