//! Compliance from whole columns. Coarse constraints have many nodes each, so that sums of columns are cheaper than blocks between all pairs of nodes.

use pliant_core::math::Vec3;

use super::contact_row::ContactRow;
use super::supports::RowSupports;
use crate::greens::{GreensMatrix, NodeSums};

const NO_SLOT: u32 = u32::MAX;

/// Assembles the compliance of conditions that have many nodes each, and keeps the response of the touched nodes to each of them.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnAssembly {
    /// Slot of each free boundary node, [`NO_SLOT`] for untouched ones.
    slot_of_node: Vec<u32>,
    /// Touched nodes, ascending.
    nodes: Vec<u32>,
    /// Sums of columns at them.
    sums: NodeSums,
    /// First coefficient of each row, one more than rows.
    offsets: Vec<usize>,
    coefficients: Vec<(u32, Vec3)>,
    /// Displacement of each touched node under a unit force of each row, m/N.
    responses: Vec<f64>,
}

impl ColumnAssembly {
    /// Writes the compliance, row by row, with the mean of both entries where compression has made them differ. Cost: a sum of columns at the touched nodes for each row, and `nodes of
    /// a row` products for each entry.
    pub fn assemble(
        &mut self,
        greens: &GreensMatrix,
        supports: RowSupports<'_>,
        contacts: &[ContactRow],
        out: &mut Vec<f64>,
    ) {
        for &node in &self.nodes {
            self.slot_of_node[node as usize] = NO_SLOT;
        }
        self.slot_of_node.resize(greens.nodes(), NO_SLOT);
        self.nodes.clear();
        self.coefficients.clear();
        self.offsets.clear();
        self.offsets.push(0);
        for contact in contacts {
            let coefficients = &mut self.coefficients;
            supports.visit(contact, |node, coefficient| {
                coefficients.push((node, coefficient))
            });
            self.offsets.push(self.coefficients.len());
        }
        self.nodes
            .extend(self.coefficients.iter().map(|(node, _)| *node));
        self.nodes.sort_unstable();
        self.nodes.dedup();
        for (slot, &node) in self.nodes.iter().enumerate() {
            self.slot_of_node[node as usize] = slot as u32;
        }
        let (m, length) = (contacts.len(), 3 * self.nodes.len());
        self.responses.clear();
        self.responses.resize(m * length, 0.0);
        let rows = self.responses.chunks_exact_mut(length.max(1));
        self.sums.select(greens, self.nodes.iter().copied());
        for (range, response) in self.offsets.windows(2).zip(rows) {
            let forces = &self.coefficients[range[0]..range[1]];
            self.sums.add(greens, forces, response);
        }
        for (node, _) in &mut self.coefficients {
            *node = self.slot_of_node[*node as usize];
        }
        out.clear();
        out.resize(m * m, 0.0);
        for (a, range) in self.offsets.windows(2).enumerate() {
            let coefficients = &self.coefficients[range[0]..range[1]];
            let responses = self.responses.chunks_exact(length.max(1));
            for (entry, response) in out[a * m..].iter_mut().zip(responses) {
                *entry = product(coefficients, response);
            }
        }
        for a in 0..m {
            for b in 0..a {
                let mean = 0.5 * (out[a * m + b] + out[b * m + a]);
                (out[a * m + b], out[b * m + a]) = (mean, mean);
            }
        }
    }

    /// Displacement of row `row` under `forces` (node, N) by reciprocity, from the response of their nodes to the row, m.
    pub fn reciprocal_displacement(&self, row: usize, forces: &[(u32, Vec3)]) -> f64 {
        let length = 3 * self.nodes.len();
        let Some(response) = self.responses.get(row * length..(row + 1) * length) else {
            return 0.0;
        };
        let at = response.as_chunks::<3>().0;
        let slot = |node: u32| self.slot_of_node.get(node as usize).copied();
        let parts = forces.iter().filter_map(|&(node, force)| {
            let moved = at.get(slot(node)? as usize)?;
            Some(force.dot(&Vec3::from(*moved)))
        });
        parts.sum()
    }
}

/// `Σ coefficient · response` over the slots of a row.
fn product(coefficients: &[(u32, Vec3)], response: &[f64]) -> f64 {
    let at = response.as_chunks::<3>().0;
    let parts = coefficients.iter();
    parts
        .map(|(slot, coefficient)| {
            let [x, y, z] = at[*slot as usize];
            coefficient.x * x + coefficient.y * y + coefficient.z * z
        })
        .sum()
}
