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
        let Self {
            geometry,
            held,
            elasticity,
            system,
            factor,
            ..
        } = *self;
        let mut memory = factor.solve_memory(3);
        let mut result = Vec::with_capacity(geometry.supports.len());
        for (k, support) in geometry.supports.iter().enumerate() {
            let is_held = |node: u32| held.support_of_node[node as usize] == k as u32;
            let mut z = Mat::<f64>::zeros(system.stiffness.size(), 3);
            for (t, tet) in system.elements.tets().enumerate() {
                for (b, &node) in tet.iter().enumerate() {
                    if !is_held(node) {
                        continue;
                    }
                    for (a, &other) in tet.iter().enumerate() {
                        if let Some(i) = system.free.get(other) {
                            let coupling = system.elements.block(elasticity, t, a, b);
                            add_block(&mut z, i, &coupling);
                        }
                    }
                }
            }
            factor.solve(&mut z, &mut memory);
            // the weight of held nodes acts on the support directly
            let own: f64 = (0..masses.len())
                .filter(|&n| held.solved[n] && is_held(n as u32))
                .map(|n| masses[n])
                .sum();
            let mut gravity = -Mat3::identity() * own;
            for (i, &node) in system.free.nodes.iter().enumerate() {
                gravity += block_of(&z, i).transpose() * masses[node as usize];
            }
            result.push(SupportRows {
                name: support.name.clone(),
                reactions: rows
                    .iter()
                    .map(|&row| block_of(&z, row).transpose())
                    .collect(),
                gravity,
            });
        }
        result
    }
}
