//! A bare explicit body in single precision: forces, kick, drift, and nothing else.

use pliant_core::math::Vec3;
use pliant_core::mesh::Csr;
use rayon::prelude::*;

use crate::force::ElementConstants;
use crate::force::lanes::SimdLevel;
use crate::force::lanes::chunk::{Local, Scratch, WIDTH, to_vec3};
use crate::force::lanes::kernel::{ChunkPass, NoRecovery};
use crate::force::lanes::law::{Green, Law};
use crate::force::lanes::pack::Packed;
use crate::hierarchy::Level;

/// Nodes that a thread moves at a time.
const NODE_CHUNK: usize = 2048;
/// Below this many tetrahedra one thread is faster than several.
const PARALLEL_FROM: usize = 12_000;

/// A body of St. Venant–Kirchhoff tetrahedra without damping or contact, moved by symplectic Euler: `v += Δt (f/m + g)`, `u += Δt v`.
///
/// This is the smallest complete step, for measuring and for studies of many steps; models use [`crate::force::lanes::LaneForces`]. Nodes of a single chunk
/// are stored with it and move right after its forces are known; only nodes that several chunks share wait for all of them.
#[derive(Debug)]
pub struct LaneBody {
    packed: Packed,
    law: Green,
    /// displacements of the nodes of every chunk, those of no other chunk first
    local: Scratch,
    forces: Scratch,
    own: Vec<Nodes>,
    /// nodes of the mesh that several chunks share
    shared: Vec<u32>,
    /// for each chunk its nodes among these
    shared_of: Csr,
    /// for each of these its slots in the forces of all chunks
    slots: Csr,
    shared_nodes: Nodes,
    displacements: Vec<[f32; 4]>,
    rest: Vec<Vec3>,
}

/// Velocities (m/s) and masses of nodes.
#[derive(Debug)]
struct Nodes {
    velocities: Vec<[f32; 4]>,
    /// 1/m (1/kg) and one; both zero for held nodes
    masses: Vec<[f32; 2]>,
}

/// How a node moves: `v += kick f/m + fall`, `u += drift v`.
#[derive(Debug, Clone, Copy)]
struct Motion {
    kick: f32,
    fall: [f32; 4],
    drift: f32,
}

impl Motion {
    #[inline(always)]
    fn step(&self, f: &[f32; 4], [inverse, free]: [f32; 2], v: &mut [f32; 4], u: &mut [f32; 4]) {
        let w = self.kick * inverse;
        // the fourth numbers are zero and stay so
        for k in 0..4 {
            v[k] += w * f[k] + free * self.fall[k];
            u[k] += self.drift * v[k];
        }
    }
}

impl LaneBody {
    /// The level at rest; nodes of its supports are held.
    pub fn new(level: &Level, constants: &ElementConstants, simd: SimdLevel) -> Self {
        let packed = Packed::new(&level.mesh, &level.force_shapes(), simd);
        let parts = packed.chunks.parts.len();
        let held = level.held_flags();
        let mass = |n: u32| {
            if held[n as usize] {
                [0.0; 2]
            } else {
                [(1.0 / level.masses[n as usize]) as f32, 1.0]
            }
        };
        let nodes = |list: &[u32]| Nodes {
            velocities: vec![[0.0; 4]; list.len()],
            masses: list.iter().map(|&n| mass(n)).collect(),
        };
        let mut number = vec![u32::MAX; level.node_count()];
        let mut shared = Vec::new();
        let mut pairs = Vec::new();
        for chunk in 0..parts {
            for &n in packed.shared_of(chunk) {
                if number[n as usize] == u32::MAX {
                    number[n as usize] = shared.len() as u32;
                    shared.push(n);
                }
                pairs.push((chunk as u32, number[n as usize]));
            }
        }
        let slots = shared.iter().enumerate().flat_map(|(k, &n)| {
            let row = packed.node_slots.row(n as usize);
            row.iter().map(move |&slot| (k as u32, slot))
        });
        Self {
            law: Green::new(constants),
            local: Scratch::new(parts),
            forces: Scratch::new(parts),
            own: (0..parts).map(|c| nodes(packed.own_of(c))).collect(),
            shared_of: Csr::from_pairs(parts, pairs.iter().copied()),
            slots: Csr::from_pairs(shared.len(), slots),
            shared_nodes: nodes(&shared),
            displacements: vec![[0.0; 4]; shared.len()],
            rest: level.mesh.nodes.clone(),
            shared,
            packed,
        }
    }

    /// Moves the nodes of the mesh to `positions` (m) at rest; held ones too.
    pub fn set_positions(&mut self, positions: &[Vec3]) {
        let moved = |n: u32| {
            let d = positions[n as usize] - self.rest[n as usize];
            [d.x as f32, d.y as f32, d.z as f32, 0.0]
        };
        for (chunk, nodes) in self.own.iter_mut().enumerate() {
            nodes.velocities.fill([0.0; 4]);
            let places = self.local.0[chunk].chunks_exact_mut(WIDTH);
            for (u, &n) in places.zip(self.packed.own_of(chunk)) {
                u.copy_from_slice(&moved(n));
            }
        }
        self.shared_nodes.velocities.fill([0.0; 4]);
        for (u, &n) in self.displacements.iter_mut().zip(&self.shared) {
            *u = moved(n);
        }
    }

    /// Present position of node `n` of the mesh, m. Cost O(nodes).
    pub fn position(&self, n: usize) -> Vec3 {
        let own = (0..self.own.len()).find_map(|chunk| {
            let place = self
                .packed
                .own_of(chunk)
                .iter()
                .position(|&o| o as usize == n)?;
            Some(to_vec3(&self.local.0[chunk][place * WIDTH..]))
        });
        let shared = || {
            let place = self.shared.iter().position(|&o| o as usize == n)?;
            Some(to_vec3(&self.displacements[place]))
        };
        self.rest[n] + own.or_else(shared).unwrap_or_default()
    }

    /// Computes the elastic forces at the present displacements.
    pub fn evaluate(&mut self) {
        self.visit_chunks(None);
    }

    /// Elastic force on every node of the mesh at the present displacements, N.
    pub fn forces(&mut self) -> Vec<Vec3> {
        self.evaluate();
        let mut all = vec![Vec3::zeros(); self.rest.len()];
        for chunk in 0..self.own.len() {
            let forces = self.forces.0[chunk].chunks_exact(WIDTH);
            for (f, &n) in forces.zip(self.packed.own_of(chunk)) {
                all[n as usize] = to_vec3(f);
            }
        }
        for (k, &n) in self.shared.iter().enumerate() {
            all[n as usize] = to_vec3(&sum(self.slots.row(k), self.forces.0.as_flattened()));
        }
        all
    }

    /// One step of `step` seconds under `gravity` (m/s²).
    pub fn step(&mut self, step: f64, gravity: &Vec3) {
        self.kick_and_drift(step, step, gravity);
    }

    /// Moves the velocities back by half a step, as symplectic Euler has them, so that steps of `step` seconds are of second order.
    pub fn begin(&mut self, step: f64, gravity: &Vec3) {
        self.kick_and_drift(-0.5 * step, 0.0, gravity);
    }

    fn kick_and_drift(&mut self, kick: f64, drift: f64, gravity: &Vec3) {
        let motion = Motion {
            kick: kick as f32,
            fall: [gravity.x, gravity.y, gravity.z, 0.0].map(|g| (g * kick) as f32),
            drift: drift as f32,
        };
        self.visit_chunks(Some(motion));
        let parallel = self.is_parallel();
        let slots = self.forces.0.as_flattened();
        let (rows, masses) = (&self.slots, &self.shared_nodes.masses);
        let pass = |first: usize, velocities: &mut [[f32; 4]], places: &mut [[f32; 4]]| {
            for (k, (v, u)) in velocities.iter_mut().zip(places).enumerate() {
                let f = sum(rows.row(first + k), slots);
                motion.step(&f, masses[first + k], v, u);
            }
        };
        let (velocities, places) = (&mut self.shared_nodes.velocities, &mut self.displacements);
        if parallel {
            velocities
                .par_chunks_mut(NODE_CHUNK)
                .zip(places.par_chunks_mut(NODE_CHUNK))
                .enumerate()
                .for_each(|(c, (v, u))| pass(c * NODE_CHUNK, v, u));
        } else {
            pass(0, velocities, places);
        }
    }

    /// Forces of every chunk; with a `motion`, its own nodes move.
    fn visit_chunks(&mut self, motion: Option<Motion>) {
        let parallel = self.is_parallel();
        let Self {
            packed,
            law,
            local,
            forces,
            own,
            shared_of,
            displacements,
            ..
        } = self;
        let pass = |chunk: usize, local: &mut Local, forces: &mut Local, own: &mut Nodes| {
            let inner = own.masses.len();
            let outer = shared_of.row(chunk);
            let places = local.chunks_exact_mut(WIDTH).skip(inner);
            for (to, &n) in places.zip(outer) {
                to.copy_from_slice(&displacements[n as usize]);
            }
            forces[..WIDTH * (inner + outer.len())].fill(0.0);
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
            if let Some(motion) = motion {
                let nodes = own.velocities.iter_mut().zip(&own.masses);
                let (local, forces) = (local.as_chunks_mut().0, forces.as_chunks().0);
                let places = local.iter_mut().zip(forces);
                for ((v, &mass), (u, f)) in nodes.zip(places) {
                    motion.step(f, mass, v, u);
                }
            }
        };
        let (local, forces) = (&mut local.0, &mut forces.0);
        if parallel {
            local
                .par_iter_mut()
                .zip(forces)
                .zip(own)
                .enumerate()
                .for_each(|(chunk, ((u, f), own))| pass(chunk, u, f, own));
        } else {
            for (chunk, own) in own.iter_mut().enumerate() {
                pass(chunk, &mut local[chunk], &mut forces[chunk], own);
            }
        }
    }

    fn is_parallel(&self) -> bool {
        self.packed.tet_count() >= PARALLEL_FROM && rayon::current_num_threads() > 1
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
