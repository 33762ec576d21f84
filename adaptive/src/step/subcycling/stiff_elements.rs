//! The substeps of stiff elements in one step of the others.

use std::sync::Arc;

use pliant_core::elasticity::ShapeGradients;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use crate::force::{Evaluation, ForceField};
use crate::params::AdaptiveParams;

/// The forces of a level: those of stiff elements apart from those of the others.
#[derive(Debug, Clone)]
pub(crate) struct Subcycled {
    /// forces of the elements that move and are not stiff, on all nodes
    pub slow: ForceField,
    pub stiff: StiffElements,
}

impl Subcycled {
    /// Splits the elements of a mesh with these shapes, whose forces are `whole`. `stiff` has the ascending numbers of the stiff ones. Elements that do not move are left out. `None` for springs, which are not split.
    pub fn new(
        whole: &ForceField,
        (mesh, shapes): (&TetMesh, &[ShapeGradients]),
        stiff: &[u32],
        moves: impl Fn(u32) -> bool,
        params: &AdaptiveParams,
    ) -> Option<Self> {
        let constants = whole.constants()?;
        let field = |mesh: TetMesh, shapes: Vec<ShapeGradients>| {
            let (mesh, shapes) = (Arc::new(mesh), Arc::new(shapes));
            ForceField::from_mesh(mesh, shapes, constants, params, &mut Vec::new())
        };
        let numbers = 0..mesh.tets.len() as u32;
        let others = numbers.filter(|t| stiff.binary_search(t).is_err() && moves(*t));
        let others: Vec<usize> = others.map(|t| t as usize).collect();
        let slow = TetMesh {
            nodes: mesh.nodes.clone(),
            tets: others.iter().map(|&t| mesh.tets[t]).collect(),
        };
        let corners = stiff.iter().map(|&t| mesh.tets[t as usize]);
        let mut nodes: Vec<u32> = corners.clone().flatten().collect();
        nodes.sort_unstable();
        nodes.dedup();
        let local = |n: u32| nodes.partition_point(|m| *m < n) as u32;
        let own = TetMesh {
            nodes: nodes.iter().map(|&n| mesh.nodes[n as usize]).collect(),
            tets: corners.map(|tet| tet.map(local)).collect(),
        };
        let own_shapes = stiff.iter().map(|&t| shapes[t as usize]).collect();
        let zeros = vec![Vec3::zeros(); nodes.len()];
        Some(Self {
            slow: field(slow, others.iter().map(|&t| shapes[t]).collect()),
            stiff: StiffElements {
                field: field(own, own_shapes),
                ratio: 1,
                positions: zeros.clone(),
                velocities: zeros.clone(),
                smooth_velocities: zeros.clone(),
                velocity_changes: zeros.clone(),
                forces: zeros.clone(),
                mean_forces: zeros,
                last_evaluation: Evaluation::default(),
                nodes,
            },
        })
    }
}

/// Stiff elements with copies of the nodes that they share with others.
#[derive(Debug, Clone)]
pub(crate) struct StiffElements {
    /// nodes of these elements: their numbers in the level, ascending
    nodes: Vec<u32>,
    field: ForceField,
    /// steps in a step of the others
    pub ratio: u32,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    /// velocities without the ripple that the kicks of the others cause, m/s
    smooth_velocities: Vec<Vec3>,
    /// changes of the velocities in this step by everything but the stiff elements, m/s
    velocity_changes: Vec<Vec3>,
    forces: Vec<Vec3>,
    /// mean forces in the last step, N
    mean_forces: Vec<Vec3>,
    /// mean viscous power, and the number of recovered elements, in the last step
    pub last_evaluation: Evaluation,
}

impl StiffElements {
    /// Saves the velocities (m/s) before the others act.
    pub fn save_velocities(&mut self, velocities: &[Vec3]) {
        for (saved, &n) in self.velocity_changes.iter_mut().zip(&self.nodes) {
            *saved = velocities[n as usize];
        }
    }

    /// Copies the positions (m) and velocities (m/s) of the level after the others have acted.
    pub fn copy_from(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        for (k, &n) in self.nodes.iter().enumerate() {
            self.positions[k] = positions[n as usize];
            self.velocities[k] = velocities[n as usize];
            self.velocity_changes[k] = self.velocities[k] - self.velocity_changes[k];
        }
    }

    /// Moves the nodes through `step` seconds in substeps with the forces of the stiff elements.
    ///
    /// In a body at rest, the m kicks of stiff elements between two kicks by Δv of the others cancel Δv in equal parts. This ripple, Δv (m + 1 − 2j)/2m before kick j,
    /// is not a motion of the body, and damping must not act on it.
    pub fn advance(&mut self, step: f64, inverse_masses: &[f64]) {
        let m = f64::from(self.ratio);
        let substep = step / m;
        self.last_evaluation = Evaluation::default();
        self.mean_forces.fill(Vec3::zeros());
        for j in 0..self.ratio {
            let ripple = (m + 1.0 - 2.0 * f64::from(j)) / (2.0 * m);
            let states = self.velocities.iter().zip(&self.velocity_changes);
            for (smooth, (v, change)) in self.smooth_velocities.iter_mut().zip(states) {
                *smooth = v - change * ripple;
            }
            let evaluation =
                self.field
                    .evaluate(&self.positions, &self.smooth_velocities, &mut self.forces);
            let total = &mut self.last_evaluation;
            total.viscous_power += evaluation.viscous_power / m;
            total.blended = total.blended.max(evaluation.blended);
            for (k, &n) in self.nodes.iter().enumerate() {
                let force = self.forces[k];
                self.velocities[k] += force * (inverse_masses[n as usize] * substep);
                self.positions[k] += self.velocities[k] * substep;
                self.mean_forces[k] += force / m;
            }
        }
    }

    /// Writes positions (m) and velocities (m/s) back to the level.
    pub fn copy_to(&self, positions: &mut [Vec3], velocities: &mut [Vec3]) {
        for (k, &n) in self.nodes.iter().enumerate() {
            positions[n as usize] = self.positions[k];
            velocities[n as usize] = self.velocities[k];
        }
    }

    /// Computes the forces at a state: positions (m) and velocities (m/s) of all nodes.
    pub fn evaluate(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        for (k, &n) in self.nodes.iter().enumerate() {
            self.positions[k] = positions[n as usize];
            self.smooth_velocities[k] = velocities[n as usize];
        }
        self.field
            .evaluate(&self.positions, &self.smooth_velocities, &mut self.forces);
    }

    /// Force on a node of the level in the last evaluation, N.
    pub fn force_on(&self, node: usize) -> Vec3 {
        let at = self.nodes.binary_search(&(node as u32));
        at.map_or_else(|_| Vec3::zeros(), |k| self.forces[k])
    }

    /// Nodes with the force on each in the last evaluation, N.
    pub fn forces(&self) -> impl Iterator<Item = (u32, Vec3)> + '_ {
        let nodes = self.nodes.iter().copied();
        nodes.zip(self.forces.iter().copied())
    }

    /// Nodes with the mean force on each in the last step, N.
    pub fn mean_forces(&self) -> impl Iterator<Item = (u32, Vec3)> + '_ {
        let nodes = self.nodes.iter().copied();
        nodes.zip(self.mean_forces.iter().copied())
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.field.element_count()
    }
}
