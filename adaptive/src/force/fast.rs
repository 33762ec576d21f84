//! The fused kernel over all tetrahedra of a level.
//!
//! On one thread every tetrahedron adds its forces to the nodes at once. On several, it writes them to slots of its own, and a second pass sums the
//! slots of each node in the same order: nothing depends on which thread did what, and both ways give the same bits.

use std::sync::Arc;

use pliant_core::elasticity::ShapeGradients;
use pliant_core::material::MaterialLaw;
use pliant_core::math::Vec3;
use pliant_core::mesh::{Csr, TetMesh};
use rayon::prelude::*;

use crate::force::block::{Block, LANES};
use crate::force::corotated::CorotatedLaw;
use crate::force::lane_law::{
    CauchyLaw, GreenLaw, LaneLaw, NeoHookeanLaw, ReferenceLaw, SimplifiedLaw,
};
use crate::force::reference::{ReferenceForces, tetrahedron_forces};
use crate::force::{ElementConstants, Evaluation, NEAR_INVERTED};
use crate::hierarchy::Level;

/// Blocks with a common partial sum: the unit of parallel work.
const CHUNK: usize = 64;
/// Nodes that a thread sums at a time.
const NODE_CHUNK: usize = 512;
/// Below this many tetrahedra one thread is faster than several.
const PARALLEL_FROM: usize = 4_000;

/// All tetrahedra of a level in blocks, with slots and sums.
#[derive(Debug, Clone)]
pub struct FastForces {
    pub(crate) plain: ReferenceForces,
    blocks: Vec<Block>,
    /// for each node its slots: four a tetrahedron
    node_slots: Csr,
    slots: Vec<Vec3>,
    partial: Vec<Evaluation>,
}

impl FastForces {
    /// Packs the tetrahedra of `level`.
    pub fn new(level: &Level, constants: ElementConstants) -> Self {
        Self::from_mesh(level.mesh.clone(), level.force_shapes(), constants)
    }

    /// Packs the tetrahedra of `mesh` with `shapes`; a volume that is not that of the corners scales the forces.
    pub fn from_mesh(
        mesh: Arc<TetMesh>,
        shapes: Arc<Vec<ShapeGradients>>,
        constants: ElementConstants,
    ) -> Self {
        let tets = &mesh.tets;
        let blocks: Vec<Block> = (0..tets.len().div_ceil(LANES))
            .map(|b| Block::pack(&tets[b * LANES..], &shapes[b * LANES..]))
            .collect();
        let node_slots = Csr::from_pairs(
            mesh.nodes.len(),
            tets.iter()
                .enumerate()
                .flat_map(|(t, tet)| [0, 1, 2, 3].map(|i| (tet[i], (4 * t + i) as u32))),
        );
        Self {
            plain: ReferenceForces::from_mesh(mesh, shapes, constants),
            node_slots,
            slots: vec![Vec3::zeros(); blocks.len() * LANES * 4],
            partial: vec![Evaluation::default(); blocks.len().div_ceil(CHUNK)],
            blocks,
        }
    }

    /// See [`crate::force::ForceField::evaluate`].
    pub fn evaluate(
        &mut self,
        positions: &[Vec3],
        velocities: &[Vec3],
        forces: &mut [Vec3],
    ) -> Evaluation {
        let state = (positions, velocities);
        match self.plain.constants.law {
            MaterialLaw::Green => self.run_law::<GreenLaw>(state, forces),
            MaterialLaw::Cauchy => self.run_law::<CauchyLaw>(state, forces),
            MaterialLaw::SimplifiedCauchy => self.run_law::<SimplifiedLaw>(state, forces),
            MaterialLaw::StableNeoHookean => self.run_law::<NeoHookeanLaw>(state, forces),
            MaterialLaw::Corotated => self.run_law::<CorotatedLaw>(state, forces),
            // it has no kernel of its own
            MaterialLaw::NeoHookean => self.run_law::<ReferenceLaw>(state, forces),
        }
        Evaluation::total(&self.partial)
    }

    fn run_law<L: LaneLaw>(&mut self, (x, v): (&[Vec3], &[Vec3]), forces: &mut [Vec3]) {
        if self.plain.constants.is_damped() {
            self.run::<L, true>(x, v, forces);
        } else {
            self.run::<L, false>(x, v, forces);
        }
    }

    fn run<L: LaneLaw, const DAMPED: bool>(
        &mut self,
        positions: &[Vec3],
        velocities: &[Vec3],
        forces: &mut [Vec3],
    ) {
        let count = self.plain.tet_count();
        let parallel = count >= PARALLEL_FROM && rayon::current_num_threads() > 1;
        let pass = Pass::<L> {
            law: L::new(&self.plain.constants),
            plain: &self.plain,
            positions,
            velocities,
        };
        let blocks = &self.blocks;
        if parallel {
            blocks
                .par_chunks(CHUNK)
                .zip(self.slots.par_chunks_mut(CHUNK * LANES * 4))
                .zip(self.partial.par_iter_mut())
                .enumerate()
                .for_each(|(chunk, ((blocks, slots), sum))| {
                    *sum = Evaluation::default();
                    for (k, (block, slots)) in blocks
                        .iter()
                        .zip(slots.chunks_exact_mut(4 * LANES))
                        .enumerate()
                    {
                        pass.run::<DAMPED>(chunk * CHUNK + k, block, slots, sum);
                    }
                });
            self.gather(forces);
        } else {
            forces.fill(Vec3::zeros());
            let mut slots = [Vec3::zeros(); 4 * LANES];
            for ((chunk, blocks), sum) in blocks.chunks(CHUNK).enumerate().zip(&mut self.partial) {
                *sum = Evaluation::default();
                for (k, block) in blocks.iter().enumerate() {
                    let index = chunk * CHUNK + k;
                    pass.run::<DAMPED>(index, block, &mut slots, sum);
                    let lanes = (count - index * LANES).min(LANES);
                    for (lane, corners) in slots.chunks_exact(4).take(lanes).enumerate() {
                        for (nodes, force) in block.nodes.iter().zip(corners) {
                            forces[nodes[lane] as usize] += force;
                        }
                    }
                }
            }
        }
    }

    fn gather(&self, forces: &mut [Vec3]) {
        let (node_slots, slots) = (&self.node_slots, &self.slots);
        forces
            .par_chunks_mut(NODE_CHUNK)
            .enumerate()
            .for_each(|(chunk, forces)| {
                for (k, force) in forces.iter_mut().enumerate() {
                    let mut sum = Vec3::zeros();
                    for &slot in node_slots.row(chunk * NODE_CHUNK + k) {
                        sum += slots[slot as usize];
                    }
                    *force = sum;
                }
            });
    }
}

/// What every block of one evaluation needs.
struct Pass<'a, L> {
    law: L,
    plain: &'a ReferenceForces,
    positions: &'a [Vec3],
    velocities: &'a [Vec3],
}

impl<L: LaneLaw> Pass<'_, L> {
    /// Forces of block `index` to `slots`, four corners a tetrahedron; nearly inverted tetrahedra of laws that soften under compression get reference forces.
    #[inline(always)]
    fn run<const DAMPED: bool>(
        &self,
        index: usize,
        block: &Block,
        slots: &mut [Vec3],
        sum: &mut Evaluation,
    ) {
        let constants = &self.plain.constants;
        let found =
            block.forces::<L, DAMPED>(&self.law, constants, self.positions, self.velocities, slots);
        sum.viscous_power += found.power;
        let recover = constants.recover && constants.law.softens_under_compression();
        if recover && found.smallest_determinant < NEAR_INVERTED {
            self.recover(index * LANES, slots, sum);
        }
    }

    #[cold]
    fn recover(&self, first: usize, slots: &mut [Vec3], sum: &mut Evaluation) {
        let ReferenceForces {
            mesh,
            shapes,
            constants,
        } = self.plain;
        let tets = mesh.tets.iter().zip(shapes.iter()).skip(first);
        for ((tet, shape), corners) in tets.zip(slots.chunks_exact_mut(4)) {
            let x = tet.map(|n| self.positions[n as usize]);
            let v = tet.map(|n| self.velocities[n as usize]);
            let (forces, _, blended) = tetrahedron_forces(x, v, shape, constants);
            if blended {
                corners.copy_from_slice(&forces);
                sum.blended += 1;
            }
        }
    }
}
