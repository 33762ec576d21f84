//! Reactions of supports, by reciprocity.

use faer::Mat;
use pliant_core::asset::BodyGeometry;
use pliant_core::math::Mat3;
use pliant_core::mesh::TetMesh;
use pliant_statics::SparseCholesky;

use crate::bake::held_nodes::HeldNodes;
use crate::finite_elements::elasticity::BodyElasticity;
use crate::finite_elements::linear_system::{LinearSystem, add_block, block_of};
use crate::greens::SupportRows;

/// Solves for the reaction of each support by reciprocity.
///
/// The reaction of support `k` to forces `f` is `1ᵀ K_cf K_ff⁻¹ f` over its nodes, so three solutions `Z = K_ff⁻¹ K_fc 1` give the rows
/// `R_j = Z_jᵀ` of all nodes at once; `−Z` is the displacement when the support moves by one unit. Over all supports `Σ Z = −I`.
pub(super) struct SupportSolve<'a> {
    pub geometry: &'a BodyGeometry,
    pub mesh: &'a TetMesh,
    pub held: &'a HeldNodes,
    pub elasticity: &'a BodyElasticity,
    pub system: &'a LinearSystem,
    pub factor: &'a SparseCholesky<'a>,
}

impl SupportSolve<'_> {
    /// Reaction rows of each support for the free nodes `rows`; `masses` are those of all nodes, kg.
    pub fn rows(&self, rows: &[usize], masses: &[f64]) -> Vec<SupportRows> {
        let held = self.held;
        let supports = self.geometry.supports.iter().zip(0..);
        let rows = supports.map(|(support, k)| {
            let is_held = |node: u32| held.support_of_node[node as usize] == k;
            let z = self.response_to_motion(is_held);
            let own = (0..masses.len()).filter(|&n| held.solved[n] && is_held(n as u32));
            SupportRows {
                name: support.name.clone(),
                reactions: rows.iter().map(|&i| block_of(&z, i).transpose()).collect(),
                gravity: self.weight(&z, own.map(|n| masses[n]).sum(), masses),
            }
        });
        rows.collect()
    }

    /// `K_ff⁻¹ K_fc 1` over the held nodes that `moves` selects: minus the displacements of the free nodes for a unit displacement of these nodes.
    pub(super) fn response_to_motion(&self, moves: impl Fn(u32) -> bool) -> Mat<f64> {
        let system = self.system;
        let mut z = Mat::<f64>::zeros(system.stiffness.size(), 3);
        for (t, tet) in system.elements.tets().enumerate() {
            for (b, _) in tet.iter().enumerate().filter(|(_, node)| moves(**node)) {
                for (a, &other) in tet.iter().enumerate() {
                    if let Some(i) = system.free.get(other) {
                        let coupling = system.elements.block(self.elasticity, t, a, b);
                        add_block(&mut z, i, &coupling);
                    }
                }
            }
        }
        self.factor.solve_once(&mut z);
        z
    }

    /// Force of held nodes with this response on the body for unit gravity, kg. Their `own` mass acts on the support directly.
    pub(super) fn weight(&self, z: &Mat<f64>, own: f64, masses: &[f64]) -> Mat3 {
        let mut weight = -Mat3::identity() * own;
        for (i, &node) in self.system.free.nodes.iter().enumerate() {
            weight += block_of(z, i).transpose() * masses[node as usize];
        }
        weight
    }
}
