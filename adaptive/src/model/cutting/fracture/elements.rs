//! Stress and energy of the elements near a front.

use pliant_core::elasticity::law::{
    cauchy_stress, first_piola_kirchhoff_stress, strain_energy_density,
};
use pliant_core::material::{LameParameters, MaterialLaw};
use pliant_core::math::{Mat3, Vec3};

use crate::hierarchy::Level;

/// The law of a level.
#[derive(Debug, Clone, Copy)]
pub(super) struct LevelLaw {
    pub lame: LameParameters,
    pub law: MaterialLaw,
}

/// An element in its present shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct ElementState {
    pub nodes: [u32; 4],
    /// at rest, m
    pub middle: Vec3,
    /// m³
    pub volume: f64,
    /// of the shape functions, 1/m
    pub gradients: [Vec3; 4],
    pub deformation_gradient: Mat3,
    /// first Piola-Kirchhoff stress, Pa
    pub piola: Mat3,
    /// J/m³
    pub energy_density: f64,
    /// Pa, world
    pub cauchy: Mat3,
}

impl ElementState {
    /// Element `t` of a level with its nodes at `x` (m).
    pub fn new(level: &Level, t: usize, x: &[Vec3], LevelLaw { lame, law }: LevelLaw) -> Self {
        let (nodes, shape) = (level.mesh.tets[t], &level.shapes[t]);
        let deformation_gradient = shape.gradient_of(nodes.map(|n| x[n as usize]));
        let (f, factor) = (&deformation_gradient, level.local_stiffness(t));
        Self {
            nodes,
            middle: level.mesh.corners(t).iter().sum::<Vec3>() / 4.0,
            volume: shape.volume,
            gradients: shape.gradients,
            piola: first_piola_kirchhoff_stress(f, &lame, law) * factor,
            energy_density: strain_energy_density(f, &lame, law) * factor,
            cauchy: cauchy_stress(f, &lame, law) * factor,
            deformation_gradient,
        }
    }
}

/// The largest principal value of a symmetric tensor and its direction, unit.
pub(super) fn largest_principal(tensor: &Mat3) -> (f64, Vec3) {
    let eigen = ((tensor + tensor.transpose()) * 0.5).symmetric_eigen();
    let at = eigen.eigenvalues.imax();
    (eigen.eigenvalues[at], eigen.eigenvectors.column(at).into())
}
