//! What stiff elements do in one step of the others.

use std::sync::Arc;

use pliant_core::elasticity::ShapeGradients;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use crate::force::{Evaluation, ForceField};
use crate::params::AdaptiveParams;

/// The forces of a level in two parts.
#[derive(Debug, Clone)]
pub(crate) struct Subcycled {
    /// of the elements that move and are not stiff, on all nodes
    pub slow: ForceField,
    pub stiff: StiffElements,
}

impl Subcycled {
    /// Splits the elements of a mesh with their shapes, whose forces are `whole`, by the ascending numbers of the `stiff` ones, and leaves those out that do not move; `None` for springs, which are not split.
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
                smooth: zeros.clone(),
                jumps: zeros.clone(),
                forces: zeros.clone(),
                mean_forces: zeros,
                found: Evaluation::default(),
                nodes,
            },
        })
    }
}

/// Stiff elements with copies of the nodes that they share with others.
#[derive(Debug, Clone)]
pub(crate) struct StiffElements {
    /// numbers in the level, ascending
    nodes: Vec<u32>,
    field: ForceField,
    /// steps in a step of the others
    pub ratio: u32,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    /// the same without the ripple of the others
    smooth: Vec<Vec3>,
    /// what all but the stiff elements changed of the velocities in this step, m/s
    jumps: Vec<Vec3>,
    forces: Vec<Vec3>,
    /// means over the last step, N
    mean_forces: Vec<Vec3>,
    /// mean viscous power, and recovered elements, in the last step
    pub found: Evaluation,
}

impl StiffElements {
    /// Notes the velocities (m/s) before the others act.
    pub fn note(&mut self, velocities: &[Vec3]) {
        for (jump, &n) in self.jumps.iter_mut().zip(&self.nodes) {
            *jump = velocities[n as usize];
        }
    }

    /// Takes over positions (m) and velocities (m/s) after the others have acted.
    pub fn take(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        for (k, &n) in self.nodes.iter().enumerate() {
            self.positions[k] = positions[n as usize];
            self.velocities[k] = velocities[n as usize];
            self.jumps[k] = self.velocities[k] - self.jumps[k];
        }
    }

    /// Moves the nodes for `step` seconds by the stiff elements, whose viscous power sums up.
    ///
    /// Between two kicks by Δv of the others, the m kicks of stiff elements in a body at rest take Δv back in equal parts. That ripple, Δv (m + 1 − 2j)/2m before kick j,
    /// is no motion of the body, and damping must not see it.
    pub fn run(&mut self, step: f64, inverse_masses: &[f64]) {
        let m = f64::from(self.ratio);
        let short = step / m;
        self.found = Evaluation::default();
        self.mean_forces.fill(Vec3::zeros());
        for j in 0..self.ratio {
            let ripple = (m + 1.0 - 2.0 * f64::from(j)) / (2.0 * m);
            let both = self.velocities.iter().zip(&self.jumps);
            for (smooth, (v, jump)) in self.smooth.iter_mut().zip(both) {
                *smooth = v - jump * ripple;
            }
            let found = self
                .field
                .evaluate(&self.positions, &self.smooth, &mut self.forces);
            self.found.viscous_power += found.viscous_power / m;
            self.found.blended = self.found.blended.max(found.blended);
            for (k, &n) in self.nodes.iter().enumerate() {
                let force = self.forces[k];
                self.velocities[k] += force * (inverse_masses[n as usize] * short);
                self.positions[k] += self.velocities[k] * short;
                self.mean_forces[k] += force / m;
            }
        }
    }

    /// Writes positions and velocities.
    pub fn give(&self, positions: &mut [Vec3], velocities: &mut [Vec3]) {
        for (k, &n) in self.nodes.iter().enumerate() {
            positions[n as usize] = self.positions[k];
            velocities[n as usize] = self.velocities[k];
        }
    }

    /// Computes the forces at a state: positions (m) and velocities (m/s) of all nodes.
    pub fn evaluate(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        for (k, &n) in self.nodes.iter().enumerate() {
            self.positions[k] = positions[n as usize];
            self.smooth[k] = velocities[n as usize];
        }
        self.field
            .evaluate(&self.positions, &self.smooth, &mut self.forces);
    }

    /// Force of the last evaluation on a node of the level, N.
    pub fn force_on(&self, node: usize) -> Vec3 {
        let at = self.nodes.binary_search(&(node as u32));
        at.map_or_else(|_| Vec3::zeros(), |k| self.forces[k])
    }

    /// Nodes with the force on each of the last evaluation, N.
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
