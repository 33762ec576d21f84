//! A bare explicit body in single precision: forces, kick, drift, and nothing else.

use pliant_core::math::Vec3;
use pliant_core::mesh::Csr;
use rayon::prelude::*;

use crate::force::ElementConstants;
use crate::hierarchy::Level;
use crate::lanes::SimdLevel;
use crate::lanes::chunk::{Local, Scratch, WIDTH};
use crate::lanes::kernel::{ChunkPass, NoRecovery};
use crate::lanes::law::{Green, Law};
use crate::lanes::pack::Packed;

/// Nodes a thread moves at a time.
const NODE_CHUNK: usize = 2048;
/// Below this many tetrahedra one thread is faster than several.
const PARALLEL_FROM: usize = 12_000;

/// A body of St. Venant–Kirchhoff tetrahedra without damping or contact, moved by symplectic Euler: `v += Δt (f/m + g)`, `u += Δt v`.
///
/// This is the smallest complete step, for measuring and for studies of many steps. Models use [`crate::lanes::LaneForces`].
#[derive(Debug, Clone)]
pub struct LaneBody {
    packed: Packed,
    law: Green,
    /// node of the mesh behind each node here, which are numbered by first use
    order: Vec<u32>,
    /// nodes of the chunks in the same numbers
    nodes: Vec<u32>,
    slots: Csr,
    displacements: Vec<[f32; 4]>,
    velocities: Vec<[f32; 4]>,
    /// 1/m (1/kg) and one; both zero for held nodes
    masses: Vec<[f32; 2]>,
    local: Scratch,
    forces: Scratch,
    rest: Vec<Vec3>,
}

impl LaneBody {
    /// The level at rest; nodes of its supports are held.
    pub fn new(level: &Level, constants: &ElementConstants, simd: SimdLevel) -> Self {
        let packed = Packed::new(&level.mesh, &level.shapes, simd);
        let count = level.node_count();
        let mut number = vec![u32::MAX; count];
        let mut order = Vec::with_capacity(count);
        let mut nodes = Vec::with_capacity(packed.chunks.nodes.len());
        for &n in &packed.chunks.nodes {
            if number[n as usize] == u32::MAX {
                number[n as usize] = order.len() as u32;
                order.push(n);
            }
            nodes.push(number[n as usize]);
        }
        let rows = order.iter().enumerate().flat_map(|(k, &n)| {
            let row = packed.node_slots.row(n as usize);
            row.iter().map(move |&slot| (k as u32, slot))
        });
        let slots = Csr::from_pairs(order.len(), rows);
        let held = level.held_flags();
        let mass = |&n: &u32| {
            if held[n as usize] {
                [0.0; 2]
            } else {
                [(1.0 / level.masses[n as usize]) as f32, 1.0]
            }
        };
        let parts = packed.chunks.parts.len();
        Self {
            law: Green::new(constants),
            masses: order.iter().map(mass).collect(),
            displacements: vec![[0.0; 4]; order.len()],
            velocities: vec![[0.0; 4]; order.len()],
            local: Scratch::new(parts),
            forces: Scratch::new(parts),
            rest: level.mesh.nodes.clone(),
            packed,
            order,
            nodes,
            slots,
        }
    }

    /// What runs: never [`SimdLevel::Auto`].
    pub fn simd(&self) -> SimdLevel {
        self.packed.level()
    }

    /// Number of tetrahedra.
    pub fn tet_count(&self) -> usize {
        self.packed.tet_count()
    }

    /// Moves the nodes of the mesh to `positions` (m) at rest; held ones too.
    pub fn set_positions(&mut self, positions: &[Vec3]) {
        self.velocities.fill([0.0; 4]);
        for (u, &n) in self.displacements.iter_mut().zip(&self.order) {
            let d = positions[n as usize] - self.rest[n as usize];
            *u = [d.x as f32, d.y as f32, d.z as f32, 0.0];
        }
    }

    /// Present position of node `n` of the mesh, m. Cost O(nodes).
    pub fn position(&self, n: usize) -> Vec3 {
        let place = self.order.iter().position(|&o| o as usize == n);
        let u = place.map_or([0.0; 4], |k| self.displacements[k]);
        self.rest[n] + Vec3::new(f64::from(u[0]), f64::from(u[1]), f64::from(u[2]))
    }

    /// Computes the elastic forces at the present displacements, into the slots of the chunks.
    pub fn evaluate(&mut self) {
        let parallel = self.is_parallel();
        let Self {
            packed,
            law,
            nodes,
            displacements,
            local,
            forces,
            ..
        } = self;
        let pass = |chunk: usize, local: &mut Local, forces: &mut Local| {
            let part = &packed.chunks.parts[chunk];
            let list = &nodes[part.nodes.clone()];
            for (to, &n) in local.chunks_exact_mut(WIDTH).zip(list) {
                to.copy_from_slice(&displacements[n as usize]);
            }
            forces[..WIDTH * list.len()].fill(0.0);
            packed.machine.run(ChunkPass::<_, _, false> {
                law: *law,
                phi: 0.0,
                psi: 0.0,
                corners: packed.corners_of(chunk),
                shapes: packed.shapes_of(chunk),
                displacements: local,
                velocities: local,
                forces,
                recovery: &mut NoRecovery,
            });
        };
        if parallel {
            local
                .0
                .par_iter_mut()
                .zip(&mut forces.0)
                .enumerate()
                .for_each(|(chunk, (local, forces))| pass(chunk, local, forces));
        } else {
            for (chunk, (local, forces)) in local.0.iter_mut().zip(&mut forces.0).enumerate() {
                pass(chunk, local, forces);
            }
        }
    }

    /// Elastic force on every node of the mesh at the present displacements, N.
    pub fn forces(&mut self) -> Vec<Vec3> {
        self.evaluate();
        let mut all = vec![Vec3::zeros(); self.rest.len()];
        let slots = self.forces.0.as_flattened();
        for (k, &n) in self.order.iter().enumerate() {
            let f = sum(self.slots.row(k), slots);
            all[n as usize] = Vec3::new(f64::from(f[0]), f64::from(f[1]), f64::from(f[2]));
        }
        all
    }

    /// One step of `step` seconds under `gravity` (m/s²).
    pub fn step(&mut self, step: f64, gravity: &Vec3) {
        self.kick_and_drift(step, step, gravity);
    }

    /// Puts the velocities half a step back, where symplectic Euler has them: steps of `step` seconds are of second order then.
    pub fn begin(&mut self, step: f64, gravity: &Vec3) {
        self.kick_and_drift(-0.5 * step, 0.0, gravity);
    }

    fn kick_and_drift(&mut self, kick: f64, drift: f64, gravity: &Vec3) {
        self.evaluate();
        let parallel = self.is_parallel();
        let (h, drift) = (kick as f32, drift as f32);
        let fall = [gravity.x, gravity.y, gravity.z].map(|g| (g * kick) as f32);
        let slots = self.forces.0.as_flattened();
        let rows = &self.slots;
        let masses = &self.masses;
        let pass = |first: usize, velocities: &mut [[f32; 4]], displacements: &mut [[f32; 4]]| {
            for (k, (v, u)) in velocities.iter_mut().zip(displacements).enumerate() {
                let f = sum(rows.row(first + k), slots);
                let [inverse, free] = masses[first + k];
                let w = h * inverse;
                let new = [
                    v[0] + w * f[0] + free * fall[0],
                    v[1] + w * f[1] + free * fall[1],
                    v[2] + w * f[2] + free * fall[2],
                    0.0,
                ];
                *v = new;
                *u = [
                    u[0] + drift * new[0],
                    u[1] + drift * new[1],
                    u[2] + drift * new[2],
                    0.0,
                ];
            }
        };
        if parallel {
            self.velocities
                .par_chunks_mut(NODE_CHUNK)
                .zip(self.displacements.par_chunks_mut(NODE_CHUNK))
                .enumerate()
                .for_each(|(c, (v, u))| pass(c * NODE_CHUNK, v, u));
        } else {
            pass(0, &mut self.velocities, &mut self.displacements);
        }
    }

    fn is_parallel(&self) -> bool {
        self.tet_count() >= PARALLEL_FROM && rayon::current_num_threads() > 1
    }
}

#[inline(always)]
fn sum(row: &[u32], slots: &[f32]) -> [f32; 4] {
    let mut all = [0.0_f32; 4];
    for &slot in row {
        let f = &slots[slot as usize..slot as usize + WIDTH];
        all = [all[0] + f[0], all[1] + f[1], all[2] + f[2], all[3] + f[3]];
    }
    all
}
