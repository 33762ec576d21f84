//! The fused kernel: elastic and viscous force of four tetrahedra abreast.
//!
//! Every tetrahedron writes its four corner forces to slots of its own; a second pass sums the slots of each node in a fixed order.
//! So nothing depends on which thread did what. Arithmetic runs lane by lane over plain arrays, which compilers turn into vector code.

use std::sync::Arc;

use pliant_core::elasticity::ShapeGradients;
use pliant_core::material::MaterialLaw;
use pliant_core::math::Vec3;
use pliant_core::mesh::{Csr, TetMesh};
use rayon::prelude::*;

use crate::force::lane_law::{
    CauchyLaw, GreenLaw, LaneLaw, NeoHookeanLaw, SimplifiedLaw, determinant, gradient,
    symmetric_product,
};
use crate::force::reference::{strain_energy, tetrahedron_forces};
use crate::force::{ElementConstants, Evaluation, NEAR_INVERTED};
use crate::hierarchy::Level;

/// Tetrahedra abreast.
const LANES: usize = 4;
/// Blocks whose partial sums are taken together: the unit of parallel work.
const CHUNK: usize = 64;
/// Nodes a thread sums at a time.
const NODE_CHUNK: usize = 512;
/// Below this many tetrahedra one thread is faster than several.
const PARALLEL_FROM: usize = 4_000;

type Lane = [f64; LANES];
/// Number, blocks, slots and sums of a unit of parallel work.
type Chunk<'a> = (usize, ((&'a [Block], &'a mut [Vec3]), &'a mut Evaluation));

/// Four tetrahedra; missing ones at the end have volume zero.
#[derive(Debug, Clone, Copy)]
struct Block {
    nodes: [[u32; LANES]; 4],
    /// gradients of the barycentric coordinates of corners 1, 2, 3, component by component
    gradients: [Lane; 9],
    volume: Lane,
}

/// All tetrahedra of a level in blocks, with slots and sums.
#[derive(Debug, Clone)]
pub struct FastForces {
    mesh: Arc<TetMesh>,
    shapes: Arc<Vec<ShapeGradients>>,
    constants: ElementConstants,
    blocks: Vec<Block>,
    /// for each node its slots: four a tetrahedron
    node_slots: Csr,
    slots: Vec<Vec3>,
    partial: Vec<Evaluation>,
}

impl FastForces {
    /// Packs the tetrahedra of `level`.
    pub fn new(level: &Level, constants: ElementConstants) -> Self {
        let tets = &level.mesh.tets;
        let blocks: Vec<Block> = (0..tets.len().div_ceil(LANES))
            .map(|b| Block::pack(&tets[b * LANES..], &level.shapes[b * LANES..]))
            .collect();
        let node_slots = Csr::from_pairs(
            level.mesh.nodes.len(),
            tets.iter()
                .enumerate()
                .flat_map(|(t, tet)| [0, 1, 2, 3].map(|i| (tet[i], (4 * t + i) as u32))),
        );
        Self {
            mesh: level.mesh.clone(),
            shapes: level.shapes.clone(),
            constants,
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
        match (self.constants.law, self.constants.is_damped()) {
            (MaterialLaw::Green, false) => self.run::<GreenLaw, false>(positions, velocities),
            (MaterialLaw::Green, true) => self.run::<GreenLaw, true>(positions, velocities),
            (MaterialLaw::Cauchy, false) => self.run::<CauchyLaw, false>(positions, velocities),
            (MaterialLaw::Cauchy, true) => self.run::<CauchyLaw, true>(positions, velocities),
            (MaterialLaw::SimplifiedCauchy, false) => {
                self.run::<SimplifiedLaw, false>(positions, velocities);
            }
            (MaterialLaw::SimplifiedCauchy, true) => {
                self.run::<SimplifiedLaw, true>(positions, velocities);
            }
            (MaterialLaw::StableNeoHookean, false) => {
                self.run::<NeoHookeanLaw, false>(positions, velocities);
            }
            (MaterialLaw::StableNeoHookean, true) => {
                self.run::<NeoHookeanLaw, true>(positions, velocities);
            }
        }
        self.gather(forces);
        let mut total = Evaluation::default();
        for part in &self.partial {
            total.viscous_power += part.viscous_power;
            total.blended += part.blended;
        }
        total
    }

    /// Strain energy of the law without recovery, J.
    pub fn energy(&self, positions: &[Vec3]) -> f64 {
        strain_energy(&self.mesh, &self.shapes, &self.constants, positions)
    }

    /// Number of tetrahedra.
    pub fn tet_count(&self) -> usize {
        self.mesh.tets.len()
    }

    fn is_parallel(&self) -> bool {
        self.mesh.tets.len() >= PARALLEL_FROM && rayon::current_num_threads() > 1
    }

    fn run<L: LaneLaw, const DAMPED: bool>(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        let parallel = self.is_parallel();
        let Self {
            mesh,
            shapes,
            constants,
            blocks,
            slots,
            partial,
            ..
        } = self;
        let law = L::new(constants);
        let recover = constants.recover && constants.law == MaterialLaw::Green;
        let work = |(chunk, ((blocks, slots), sum)): Chunk<'_>| {
            *sum = Evaluation::default();
            for (k, (block, slots)) in blocks
                .iter()
                .zip(slots.chunks_exact_mut(4 * LANES))
                .enumerate()
            {
                let found =
                    block.forces::<L, DAMPED>(&law, constants, positions, velocities, slots);
                sum.viscous_power += found.power;
                if recover && found.smallest_determinant < NEAR_INVERTED {
                    let first = (chunk * CHUNK + k) * LANES;
                    for t in first..(first + LANES).min(mesh.tets.len()) {
                        let tet = mesh.tets[t];
                        let x = tet.map(|n| positions[n as usize]);
                        let v = tet.map(|n| velocities[n as usize]);
                        let (f, _, blended) = tetrahedron_forces(x, v, &shapes[t], constants);
                        if blended {
                            slots[4 * (t - first)..4 * (t - first) + 4].copy_from_slice(&f);
                            sum.blended += 1;
                        }
                    }
                }
            }
        };
        if parallel {
            blocks
                .par_chunks(CHUNK)
                .zip(slots.par_chunks_mut(CHUNK * LANES * 4))
                .zip(partial.par_iter_mut())
                .enumerate()
                .for_each(work);
        } else {
            blocks
                .chunks(CHUNK)
                .zip(slots.chunks_mut(CHUNK * LANES * 4))
                .zip(partial.iter_mut())
                .enumerate()
                .for_each(work);
        }
    }

    fn gather(&self, forces: &mut [Vec3]) {
        let (node_slots, slots) = (&self.node_slots, &self.slots);
        let work = |(chunk, forces): (usize, &mut [Vec3])| {
            for (k, force) in forces.iter_mut().enumerate() {
                let mut sum = Vec3::zeros();
                for &slot in node_slots.row(chunk * NODE_CHUNK + k) {
                    sum += slots[slot as usize];
                }
                *force = sum;
            }
        };
        if self.is_parallel() {
            forces.par_chunks_mut(NODE_CHUNK).enumerate().for_each(work);
        } else {
            forces.chunks_mut(NODE_CHUNK).enumerate().for_each(work);
        }
    }
}

/// What a block reports besides its forces.
struct BlockResult {
    power: f64,
    smallest_determinant: f64,
}

impl Block {
    fn pack(tets: &[[u32; 4]], shapes: &[ShapeGradients]) -> Self {
        let mut block = Self {
            nodes: [[0; LANES]; 4],
            gradients: [[0.0; LANES]; 9],
            volume: [0.0; LANES],
        };
        for (lane, (tet, shape)) in tets.iter().zip(shapes).take(LANES).enumerate() {
            for (row, &node) in block.nodes.iter_mut().zip(tet) {
                row[lane] = node;
            }
            for i in 0..3 {
                for axis in 0..3 {
                    block.gradients[3 * i + axis][lane] = shape.gradients[i + 1][axis];
                }
            }
            block.volume[lane] = shape.volume;
        }
        // a missing tetrahedron repeats the first one's place without a volume, so that its numbers stay ordinary
        for lane in tets.len().min(LANES)..LANES {
            for row in &mut block.nodes {
                row[lane] = row[0];
            }
            for row in &mut block.gradients {
                row[lane] = row[0];
            }
        }
        block
    }

    /// Differences of the corner values to corner 0: component `axis` of corner `i + 1` at `3 i + axis`.
    #[inline(always)]
    fn edges(&self, values: &[Vec3]) -> [Lane; 9] {
        let mut d = [[0.0; LANES]; 9];
        for lane in 0..LANES {
            let origin = values[self.nodes[0][lane] as usize];
            for i in 0..3 {
                let edge = values[self.nodes[i + 1][lane] as usize] - origin;
                for axis in 0..3 {
                    d[3 * i + axis][lane] = edge[axis];
                }
            }
        }
        d
    }

    /// Writes `4 LANES` corner forces, tetrahedron by tetrahedron.
    #[inline(always)]
    #[allow(non_snake_case)]
    fn forces<L: LaneLaw, const DAMPED: bool>(
        &self,
        law: &L,
        constants: &ElementConstants,
        positions: &[Vec3],
        velocities: &[Vec3],
        slots: &mut [Vec3],
    ) -> BlockResult {
        let (phi, psi) = (constants.damping.phi, constants.damping.psi);
        let d = self.edges(positions);
        let w = if DAMPED {
            self.edges(velocities)
        } else {
            [[0.0; LANES]; 9]
        };
        let mut out = [[0.0; LANES]; 9];
        let mut power = [0.0; LANES];
        let mut volume_ratio = [0.0; LANES];
        for lane in 0..LANES {
            let g: [f64; 9] = std::array::from_fn(|k| self.gradients[k][lane]);
            let F = gradient(&std::array::from_fn(|k| d[k][lane]), &g);
            let J = determinant(&F);
            volume_ratio[lane] = J;
            let mut P = law.stress(&F, J);
            if DAMPED {
                let rate = gradient(&std::array::from_fn(|k| w[k][lane]), &g);
                // Ė = sym(Fᵀ Ḟ): xx, yy, zz, yz, xz, xy
                let column = |i: usize, j: usize| {
                    F[i] * rate[j] + F[3 + i] * rate[3 + j] + F[6 + i] * rate[6 + j]
                };
                let e = [
                    column(0, 0),
                    column(1, 1),
                    column(2, 2),
                    0.5 * (column(1, 2) + column(2, 1)),
                    0.5 * (column(0, 2) + column(2, 0)),
                    0.5 * (column(0, 1) + column(1, 0)),
                ];
                let trace = e[0] + e[1] + e[2];
                let square = e[0] * e[0]
                    + e[1] * e[1]
                    + e[2] * e[2]
                    + 2.0 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]);
                power[lane] = self.volume[lane] * (phi * trace * trace + 2.0 * psi * square);
                let viscous = symmetric_product(&F, phi * trace, 2.0 * psi, &e);
                for k in 0..9 {
                    P[k] += viscous[k];
                }
            }
            // f_i = −V P ∇L^i
            let V = -self.volume[lane];
            for i in 0..3 {
                for row in 0..3 {
                    out[3 * i + row][lane] = V
                        * (P[3 * row] * g[3 * i]
                            + P[3 * row + 1] * g[3 * i + 1]
                            + P[3 * row + 2] * g[3 * i + 2]);
                }
            }
        }
        for (lane, corner) in slots.chunks_exact_mut(4).enumerate() {
            let f: [Vec3; 3] = std::array::from_fn(|i| {
                Vec3::new(out[3 * i][lane], out[3 * i + 1][lane], out[3 * i + 2][lane])
            });
            corner[0] = -(f[0] + f[1] + f[2]);
            corner[1..4].copy_from_slice(&f);
        }
        BlockResult {
            power: power[0] + power[1] + power[2] + power[3],
            smallest_determinant: volume_ratio.into_iter().fold(f64::INFINITY, f64::min),
        }
    }
}
