//! Contact compliance of scalar conditions on an embedded skin.

mod blocks;
mod columns;
mod contact_row;
mod supports;

use pliant_core::math::Vec3;

use self::blocks::BlockAssembly;
use self::columns::ColumnAssembly;
use crate::capacitance::work_meter::{Abandoned, WorkMeter};
use crate::greens::{GreensMatrix, SkinRows};

pub use contact_row::ContactRow;
pub use supports::{CoarseSupports, RowSupports};

/// Work units of a coarse constraint for each node of the body: a sum of columns and its inverse transform, measured on the rabbit of 2,172 nodes.
pub(crate) const COLUMN_COST: u64 = 4;

/// Assembles `C = W F Wᵀ`, the displacement of each condition (m) for a unit force (N) in each other.
///
/// `W` holds the weights of each condition on nodes times its directions. For a skin that is its own boundary this is the negated submatrix of James and Pai's
/// `C = −EᵀΞE` in nodal forces. Conditions on vertices take single blocks of `F`, coarse ones whole columns.
#[derive(Debug, Clone, Default)]
pub struct ComplianceAssembly {
    blocks: BlockAssembly,
    columns: ColumnAssembly,
}

impl ComplianceAssembly {
    /// Writes `C` of `contacts` into `out`, row by row. It is symmetric to the bit, even where rounding or compression makes the columns unsymmetric.
    ///
    /// Cost: `rows × touched nodes` block products, and a copy of blocks for new nodes; with coarse constraints a sum of columns for each row.
    pub fn assemble<'a>(
        &mut self,
        greens: &GreensMatrix,
        supports: impl Into<RowSupports<'a>>,
        contacts: &[ContactRow],
        out: &mut Vec<f64>,
    ) {
        let supports = supports.into();
        if supports.coarse.is_some() {
            self.columns.assemble(greens, supports, contacts, out);
        } else {
            self.blocks.assemble(greens, supports.skin, contacts, out);
        }
    }

    /// Spends the work units of [`Self::assemble`]. The blocks of `known` of the touched vertices count as read before. Where the limit does not pay for the others, it reads as many as the
    /// limit pays for, and a later assembly finds them.
    ///
    /// # Errors
    /// [`Abandoned`] where the limit does not pay for all.
    pub(crate) fn spend(
        &mut self,
        greens: &GreensMatrix,
        supports: RowSupports<'_>,
        contacts: &[ContactRow],
        known: usize,
        meter: &mut WorkMeter,
    ) -> Result<(), Abandoned> {
        if supports.coarse.is_some() {
            return meter.spend(COLUMN_COST * (greens.nodes() * contacts.len()) as u64);
        }
        let of_vertices = || contacts.chunk_by(|a, b| a.vertex == b.vertex);
        let vertices = of_vertices().count().min(greens.nodes());
        let square = |count: usize| (count as u64).pow(2);
        let known = square(known.min(vertices));
        let cost = greens.block_cost();
        if meter.spend(cost * (square(vertices) - known)).is_err() {
            let left = meter.limit().unwrap_or(0).saturating_sub(meter.used());
            let affordable = (left / cost + known).isqrt() as usize;
            let rows = of_vertices().take(affordable).map(<[ContactRow]>::len);
            let rows = rows.sum::<usize>();
            self.blocks
                .read_ahead(greens, supports.skin, &contacts[..rows]);
            return Err(Abandoned);
        }
        let nodes = contacts.iter().map(|c| supports.weights(c.vertex).0.len());
        meter.spend((nodes.sum::<usize>() * contacts.len()) as u64)
    }

    /// Displacement of skin vertex `vertex` (m) under `forces` (node, N) by the symmetric compliance, all among the nodes of the last contacts on vertices.
    pub(crate) fn displacement(
        &self,
        skin: &SkinRows,
        vertex: u32,
        forces: &[(u32, Vec3)],
    ) -> Vec3 {
        self.blocks.displacement(skin, vertex, forces)
    }

    /// Displacement `moved` of row `row` of the last coarse contacts by the columns, minus that by the symmetric compliance, under `forces` (node, N), m.
    pub(crate) fn deviation(&self, row: usize, moved: f64, forces: &[(u32, Vec3)]) -> f64 {
        0.5 * (moved - self.columns.reciprocal_displacement(row, forces))
    }
}
