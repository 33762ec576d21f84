//! Compliance from whole columns: coarse constraints have many nodes each, so that sums of their columns are cheaper than blocks between all pairs of nodes.

use pliant_core::math::Vec3;

use super::contact_row::ContactRow;
use super::supports::RowSupports;
use crate::greens::GreensMatrix;

const NO_SLOT: u32 = u32::MAX;

/// Assembles the compliance of conditions that have many nodes each, and keeps what each of them does to the touched nodes.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnAssembly {
    /// Slot of each free boundary node, [`NO_SLOT`] for untouched ones.
    slot_of_node: Vec<u32>,
    /// Touched nodes, ascending.
    nodes: Vec<u32>,
    /// First arm of each row, one more than rows.
    offsets: Vec<usize>,
    arms: Vec<(u32, Vec3)>,
    /// Displacement of each touched node under a unit force of each row, m/N.
    responses: Vec<f64>,
}

impl ColumnAssembly {
    /// Writes the compliance, row by row: the mean of both entries where compression has made them differ. Cost: a sum of columns and `touched nodes` products a row, and `nodes of a
    /// row` products an entry.
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
        self.arms.clear();
        self.offsets.clear();
        self.offsets.push(0);
        for contact in contacts {
            let arms = &mut self.arms;
            supports.visit(contact, |node, arm| arms.push((node, arm)));
            self.offsets.push(self.arms.len());
        }
        self.nodes.extend(self.arms.iter().map(|(node, _)| *node));
        self.nodes.sort_unstable();
        self.nodes.dedup();
        for (slot, &node) in self.nodes.iter().enumerate() {
            self.slot_of_node[node as usize] = slot as u32;
        }
        let (m, length) = (contacts.len(), 3 * self.nodes.len());
        self.responses.clear();
        self.responses.resize(m * length, 0.0);
        let rows = self.responses.chunks_exact_mut(length.max(1));
        for (range, response) in self.offsets.windows(2).zip(rows) {
            greens.add_rows(&self.arms[range[0]..range[1]], &self.nodes, response);
        }
        for (node, _) in &mut self.arms {
            *node = self.slot_of_node[*node as usize];
        }
        out.clear();
        out.resize(m * m, 0.0);
        for (a, range) in self.offsets.windows(2).enumerate() {
            let arms = &self.arms[range[0]..range[1]];
            let responses = self.responses.chunks_exact(length.max(1));
            for (entry, response) in out[a * m..].iter_mut().zip(responses) {
                *entry = product(arms, response);
            }
        }
        for a in 0..m {
            for b in 0..a {
                let mean = 0.5 * (out[a * m + b] + out[b * m + a]);
                (out[a * m + b], out[b * m + a]) = (mean, mean);
            }
        }
    }

    /// Displacement that reciprocity would give row `row` under `forces` (node, N), m.
    pub fn transposed(&self, row: usize, forces: &[(u32, Vec3)]) -> f64 {
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

/// `Σ arm · response` over the slots of a row.
fn product(arms: &[(u32, Vec3)], response: &[f64]) -> f64 {
    let at = response.as_chunks::<3>().0;
    let parts = arms.iter();
    parts
        .map(|(slot, arm)| {
            let [x, y, z] = at[*slot as usize];
            arm.x * x + arm.y * y + arm.z * z
        })
        .sum()
}
