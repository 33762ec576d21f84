//! The forces of a level in lanes, for a state in double precision.

use std::sync::Arc;

use pliant_core::elasticity::ShapeGradients;
use pliant_core::material::MaterialLaw;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use rayon::prelude::*;

use crate::force::lanes::chunk::{LaneWorkspace, Local, WIDTH, to_vec3};
use crate::force::lanes::kernel::{BlockForces, ChunkPass, Recovery};
use crate::force::lanes::law::{Green, Law, Linear, LogNeoHookean, NeoHookean};
use crate::force::lanes::level::SimdLevel;
use crate::force::lanes::pack::Packed;
use crate::force::reference::{ReferenceForces, tetrahedron_forces};
use crate::force::{ElementConstants, Evaluation, NEAR_INVERTED};
use crate::hierarchy::Level;

/// Nodes that a thread sums at a time.
const NODE_CHUNK: usize = 1024;
/// Below this many tetrahedra one thread is faster than several.
const PARALLEL_FROM: usize = 12_000;

/// All tetrahedra of a level in chunks, with their workspace.
///
/// Displacements are taken relative to the first node of each chunk in double precision and rounded then: neither a distant origin nor a fast flight costs
/// digits. Forces agree with those in double precision to about 1e-6 of the largest.
#[derive(Debug, Clone)]
pub struct LaneForces {
    pub(crate) plain: ReferenceForces,
    packed: Packed,
    workspace: LaneWorkspace,
    partial: Vec<Evaluation>,
}

impl LaneForces {
    /// Packs the tetrahedra of `level`.
    pub fn new(level: &Level, constants: ElementConstants, simd: SimdLevel) -> Self {
        let (mesh, shapes) = (level.mesh.clone(), level.force_shapes());
        Self::from_mesh(mesh, shapes, constants, simd, None)
    }

    /// Packs the tetrahedra of `mesh` with `shapes`; a volume that is not that of the corners scales the forces. `spare` is the workspace of a dropped
    /// mesh.
    pub fn from_mesh(
        mesh: Arc<TetMesh>,
        shapes: Arc<Vec<ShapeGradients>>,
        constants: ElementConstants,
        simd: SimdLevel,
        spare: Option<LaneWorkspace>,
    ) -> Self {
        let packed = Packed::new(&mesh, &shapes, simd);
        let parts = packed.chunks.parts.len();
        Self {
            plain: ReferenceForces::from_mesh(mesh, shapes, constants),
            workspace: LaneWorkspace::new(parts, spare),
            partial: vec![Evaluation::default(); parts],
            packed,
        }
    }

    /// The workspace, for another mesh.
    pub(crate) fn into_workspace(self) -> LaneWorkspace {
        self.workspace
    }

    /// See [`crate::force::ForceField::evaluate`].
    pub fn evaluate(
        &mut self,
        positions: &[Vec3],
        velocities: &[Vec3],
        forces: &mut [Vec3],
    ) -> Evaluation {
        match self.plain.constants.law {
            MaterialLaw::Green => self.run::<Green>(positions, velocities),
            MaterialLaw::Cauchy => self.run::<Linear<true>>(positions, velocities),
            MaterialLaw::SimplifiedCauchy => self.run::<Linear<false>>(positions, velocities),
            MaterialLaw::StableNeoHookean => self.run::<NeoHookean>(positions, velocities),
            MaterialLaw::NeoHookean => self.run::<LogNeoHookean>(positions, velocities),
            // a `ForceField` has another kernel for this law
            MaterialLaw::Corotated => return self.plain.evaluate(positions, velocities, forces),
        }
        self.collect(forces);
        Evaluation::total(&self.partial)
    }

    fn run<L: Law>(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        let parallel = self.is_parallel();
        let pass = Pass {
            law: L::new(&self.plain.constants),
            plain: &self.plain,
            packed: &self.packed,
            positions,
            velocities,
        };
        let run = |chunk: usize, u: &mut Local, v: &mut Local, f: &mut Local| {
            if pass.plain.constants.is_damped() {
                pass.run::<true>(chunk, u, v, f)
            } else {
                pass.run::<false>(chunk, u, v, f)
            }
        };
        let LaneWorkspace {
            displacements,
            velocities,
            forces,
        } = &mut self.workspace;
        let (u, v, f) = (&mut displacements.0, &mut velocities.0, &mut forces.0);
        if parallel {
            u.par_iter_mut()
                .zip(v)
                .zip(f)
                .zip(&mut self.partial)
                .enumerate()
                .for_each(|(chunk, (((u, v), f), sum))| *sum = run(chunk, u, v, f));
        } else {
            for (chunk, sum) in self.partial.iter_mut().enumerate() {
                *sum = run(chunk, &mut u[chunk], &mut v[chunk], &mut f[chunk]);
            }
        }
    }

    /// Sums the slots of every node in the order of the chunks.
    fn collect(&self, forces: &mut [Vec3]) {
        let slots = self.workspace.forces.0.as_flattened();
        let rows = &self.packed.node_slots;
        let pass = |first: usize, forces: &mut [Vec3]| {
            for (k, force) in forces.iter_mut().enumerate() {
                let mut sum = Vec3::zeros();
                for &slot in rows.row(first + k) {
                    sum += to_vec3(&slots[slot as usize..slot as usize + WIDTH]);
                }
                *force = sum;
            }
        };
        if self.is_parallel() {
            forces
                .par_chunks_mut(NODE_CHUNK)
                .enumerate()
                .for_each(|(c, forces)| pass(c * NODE_CHUNK, forces));
        } else {
            pass(0, forces);
        }
    }

    fn is_parallel(&self) -> bool {
        self.plain.tet_count() >= PARALLEL_FROM && rayon::current_num_threads() > 1
    }
}

/// What every chunk of one evaluation needs.
struct Pass<'a, L> {
    law: L,
    plain: &'a ReferenceForces,
    packed: &'a Packed,
    positions: &'a [Vec3],
    velocities: &'a [Vec3],
}

impl<L: Law> Pass<'_, L> {
    fn run<const DAMPED: bool>(
        &self,
        chunk: usize,
        displacements: &mut Local,
        velocities: &mut Local,
        forces: &mut Local,
    ) -> Evaluation {
        let nodes = self.packed.nodes_of(chunk);
        let (rest, damping) = (&self.plain.mesh.nodes, &self.plain.constants.damping);
        let moved = |n: u32| self.positions[n as usize] - rest[n as usize];
        to_single(nodes, moved, displacements);
        if DAMPED {
            to_single(nodes, |n| self.velocities[n as usize], velocities);
        }
        let used = WIDTH * nodes.len();
        forces[..used].fill(0.0);
        let mut blend = Blend {
            tets: self.packed.tets_of(chunk),
            plain: self.plain,
            positions: self.positions,
            velocities: self.velocities,
            blended: 0,
        };
        self.packed.machine.run(ChunkPass::<_, _, DAMPED> {
            law: self.law,
            phi: damping.phi as f32,
            psi: damping.psi as f32,
            corners: self.packed.corners_of(chunk),
            shapes: self.packed.shapes_of(chunk),
            displacements,
            velocities,
            forces,
            recovery: &mut blend,
        });
        let mut power = 0.0;
        if DAMPED {
            for node in forces[..used].chunks_exact(WIDTH) {
                power += f64::from(node[3]);
            }
        }
        Evaluation {
            viscous_power: power,
            blended: blend.blended,
        }
    }
}

/// Writes the values of `nodes` relative to that of the first, in single precision.
fn to_single(nodes: &[u32], value: impl Fn(u32) -> Vec3, to: &mut Local) {
    let Some(&first) = nodes.first() else {
        return;
    };
    let origin = value(first);
    for (to, &n) in to.chunks_exact_mut(WIDTH).zip(nodes) {
        let x = value(n) - origin;
        to[0] = x.x as f32;
        to[1] = x.y as f32;
        to[2] = x.z as f32;
        to[3] = 0.0;
    }
}

/// Nearly inverted tetrahedra of laws that soften under compression, by the reference forces in double precision.
struct Blend<'a> {
    tets: &'a [u32],
    plain: &'a ReferenceForces,
    positions: &'a [Vec3],
    velocities: &'a [Vec3],
    blended: u32,
}

impl Recovery for Blend<'_> {
    #[cold]
    fn recover(&mut self, first: usize, mut forces: BlockForces<'_>) {
        let ReferenceForces {
            mesh,
            shapes,
            constants,
        } = self.plain;
        if !constants.recover {
            return;
        }
        for lane in 0..forces[0].len() {
            let t = self.tets[first + lane] as usize;
            let (Some(tet), Some(shape)) = (mesh.tets.get(t), shapes.get(t)) else {
                continue;
            };
            let x = tet.map(|n| self.positions[n as usize]);
            if shape.gradient_of(x).determinant() >= NEAR_INVERTED {
                continue;
            }
            let v = tet.map(|n| self.velocities[n as usize]);
            let (corners, power, blended) = tetrahedron_forces(x, v, shape, constants);
            for (rows, f) in forces.iter_mut().zip(corners) {
                rows[lane] = [f.x as f32, f.y as f32, f.z as f32, 0.0];
            }
            forces[0][lane][3] = power as f32;
            self.blended += u32::from(blended);
        }
    }
}
