//! Element forces written like the equations: what the fast kernel has to agree with.

use std::sync::Arc;

use pliant_core::elasticity::ShapeGradients;
use pliant_core::elasticity::damping::element_damping_force;
use pliant_core::elasticity::force::{element_energy, element_force};
use pliant_core::elasticity::strain::strain_rate;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use crate::force::recovery::{recovery_energy, recovery_forces};
use crate::force::{ElementConstants, Evaluation};
use crate::hierarchy::Level;

/// Forces on one tetrahedron's corners (N), the power its damping takes (W), and whether it has recovery forces.
pub fn tetrahedron_forces(
    positions: [Vec3; 4],
    velocities: [Vec3; 4],
    shape: &ShapeGradients,
    constants: &ElementConstants,
) -> ([Vec3; 4], f64, bool) {
    let ElementConstants {
        lame, damping, law, ..
    } = constants;
    let gradient = shape.gradient_of(positions);
    let mut forces = element_force(positions, shape, lame, *law);
    let recovery = recovery_forces(&gradient, shape, constants);
    for (f, r) in forces.iter_mut().zip(recovery.into_iter().flatten()) {
        *f += r;
    }
    let mut power = 0.0;
    if constants.is_damped() {
        let viscous = element_damping_force(positions, velocities, shape, damping);
        for (f, d) in forces.iter_mut().zip(viscous) {
            *f += d;
        }
        let rate = strain_rate(&gradient, &shape.gradient_of(velocities));
        power = shape.volume
            * (damping.phi * rate.trace().powi(2) + 2.0 * damping.psi * rate.norm_squared());
    }
    (forces, power, recovery.is_some())
}

/// All tetrahedra of a level, one after the other.
#[derive(Debug, Clone)]
pub struct ReferenceForces {
    pub(crate) mesh: Arc<TetMesh>,
    pub(crate) shapes: Arc<Vec<ShapeGradients>>,
    pub(crate) constants: ElementConstants,
}

impl ReferenceForces {
    /// The forces of `level`.
    pub fn new(level: &Level, constants: ElementConstants) -> Self {
        Self::from_mesh(level.mesh.clone(), level.force_shapes(), constants)
    }

    /// The forces of `mesh` with `shapes`; a volume that is not that of the corners scales the forces.
    pub fn from_mesh(
        mesh: Arc<TetMesh>,
        shapes: Arc<Vec<ShapeGradients>>,
        constants: ElementConstants,
    ) -> Self {
        Self {
            mesh,
            shapes,
            constants,
        }
    }

    /// See [`crate::force::ForceField::evaluate`].
    pub fn evaluate(
        &mut self,
        positions: &[Vec3],
        velocities: &[Vec3],
        forces: &mut [Vec3],
    ) -> Evaluation {
        forces.fill(Vec3::zeros());
        let mut result = Evaluation::default();
        for (tet, shape) in self.mesh.tets.iter().zip(self.shapes.iter()) {
            let x = tet.map(|n| positions[n as usize]);
            let v = tet.map(|n| velocities[n as usize]);
            let (f, power, blended) = tetrahedron_forces(x, v, shape, &self.constants);
            for (&n, f) in tet.iter().zip(f) {
                forces[n as usize] += f;
            }
            result.viscous_power += power;
            result.blended += u32::from(blended);
        }
        result
    }

    /// Sum of the strain energies of all tetrahedra in their order, J.
    pub fn energy(&self, positions: &[Vec3]) -> f64 {
        let energy = |(tet, shape): (&[u32; 4], &ShapeGradients)| {
            let x = tet.map(|n| positions[n as usize]);
            tetrahedron_energy(x, shape, &self.constants)
        };
        self.mesh
            .tets
            .iter()
            .zip(self.shapes.iter())
            .map(energy)
            .sum()
    }

    /// Number of tetrahedra.
    pub(crate) fn tet_count(&self) -> usize {
        self.mesh.tets.len()
    }
}

/// Strain energy of one tetrahedron with that of its recovery, J.
pub fn tetrahedron_energy(
    positions: [Vec3; 4],
    shape: &ShapeGradients,
    constants: &ElementConstants,
) -> f64 {
    let determinant = shape.gradient_of(positions).determinant();
    element_energy(positions, shape, &constants.lame, constants.law)
        + recovery_energy(determinant, shape, constants)
}
