//! The mass-spring baseline: springs along the edges of the tetrahedra.

use pliant_core::elasticity::ShapeGradients;
use pliant_core::math::Vec3;
use pliant_core::mesh::quadratic::EDGES;
use pliant_core::mesh::{Csr, TetMesh};

use crate::force::Evaluation;
use crate::hierarchy::Level;

/// One edge spring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// Its two nodes, ascending.
    pub nodes: [u32; 2],
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Rest length, m.
    pub length: f64,
}

/// Edge springs of a level with parallel dashpots.
#[derive(Debug, Clone)]
pub struct SpringForces {
    springs: Vec<Spring>,
    /// for each node its springs; the low bit says which end
    ends: Csr,
    slots: Vec<Vec3>,
    damping_time: f64,
}

/// The springs of a level, sorted by nodes: `k = E Σ V_e / L²` over the tetrahedra around an edge (Van Gelder 1998, in the
/// three-dimensional form; `young` in Pa). On average they represent a material of ν = 1/4, whatever the body's own ratio is.
pub fn edge_springs(level: &Level, young: f64) -> Vec<Spring> {
    springs_of(&level.mesh, &level.shapes, young)
}

/// The springs of any tetrahedra; volumes in `shapes` may hold weights.
fn springs_of(mesh: &TetMesh, shapes: &[ShapeGradients], young: f64) -> Vec<Spring> {
    let mut parts: Vec<([u32; 2], f64)> = Vec::with_capacity(6 * mesh.tets.len());
    for (tet, shape) in mesh.tets.iter().zip(shapes) {
        for [i, j] in EDGES {
            let (a, b) = (tet[i], tet[j]);
            parts.push(([a.min(b), a.max(b)], shape.volume));
        }
    }
    // stable: the volumes of an edge are summed in the order of the tetrahedra
    parts.sort_by_key(|p| p.0);
    let mut springs: Vec<Spring> = Vec::new();
    for (nodes, volume) in parts {
        match springs.last_mut() {
            Some(last) if last.nodes == nodes => last.stiffness += volume,
            _ => springs.push(Spring {
                nodes,
                stiffness: volume,
                length: (mesh.nodes[nodes[1] as usize] - mesh.nodes[nodes[0] as usize]).norm(),
            }),
        }
    }
    for spring in &mut springs {
        spring.stiffness *= young / (spring.length * spring.length);
    }
    springs
}

impl SpringForces {
    /// The springs of `level`; `damping_time` is the dashpot constant over the spring constant, s.
    pub fn new(level: &Level, young: f64, damping_time: f64) -> Self {
        Self::from_mesh(&level.mesh, &level.shapes, young, damping_time)
    }

    /// The springs of tetrahedra outside of a level; volumes in `shapes` may hold weights.
    pub(crate) fn from_mesh(
        mesh: &TetMesh,
        shapes: &[ShapeGradients],
        young: f64,
        damping_time: f64,
    ) -> Self {
        let springs = springs_of(mesh, shapes, young);
        let ends = Csr::from_pairs(
            mesh.nodes.len(),
            springs
                .iter()
                .enumerate()
                .flat_map(|(k, s)| [(s.nodes[0], 2 * k as u32), (s.nodes[1], 2 * k as u32 + 1)]),
        );
        Self {
            slots: vec![Vec3::zeros(); springs.len()],
            springs,
            ends,
            damping_time,
        }
    }

    /// See [`crate::force::ForceField::evaluate`].
    pub fn evaluate(
        &mut self,
        positions: &[Vec3],
        velocities: &[Vec3],
        forces: &mut [Vec3],
    ) -> Evaluation {
        let mut power = 0.0;
        for (spring, slot) in self.springs.iter().zip(&mut self.slots) {
            let [a, b] = spring.nodes.map(|n| n as usize);
            let edge = positions[b] - positions[a];
            let length = edge.norm();
            if length == 0.0 {
                *slot = Vec3::zeros();
                continue;
            }
            let along = edge / length;
            let rate = along.dot(&(velocities[b] - velocities[a]));
            let tension = (length - spring.length) + self.damping_time * rate;
            *slot = along * (spring.stiffness * tension);
            power += spring.stiffness * self.damping_time * rate * rate;
        }
        for (node, force) in forces.iter_mut().enumerate() {
            let mut sum = Vec3::zeros();
            for &end in self.ends.row(node) {
                let pull = self.slots[(end / 2) as usize];
                if end & 1 == 0 {
                    sum += pull;
                } else {
                    sum -= pull;
                }
            }
            *force = sum;
        }
        Evaluation {
            viscous_power: power,
            blended: 0,
        }
    }

    /// Energy of all springs, J.
    pub fn energy(&self, positions: &[Vec3]) -> f64 {
        self.springs
            .iter()
            .map(|s| {
                let length =
                    (positions[s.nodes[1] as usize] - positions[s.nodes[0] as usize]).norm();
                0.5 * s.stiffness * (length - s.length).powi(2)
            })
            .sum()
    }

    /// Number of springs.
    pub(crate) fn spring_count(&self) -> usize {
        self.springs.len()
    }
}
