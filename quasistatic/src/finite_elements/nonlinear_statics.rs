//! Nonlinear statics: Newton's method on a St. Venant-Kirchhoff body, a reference for tests.

use faer::Mat;
use pliant_core::asset::{Cancelled, Progress};
use pliant_core::elasticity::force::{element_energy, element_force};
use pliant_core::elasticity::stiffness::tangent_stiffness_block;
use pliant_core::material::{Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::model::variant_name;

use crate::error::BakeError;
use crate::finite_elements::elasticity::BodyElasticity;
use crate::finite_elements::element_mesh::ElementMesh;
use crate::finite_elements::factor::{CholeskyPattern, FactorError};
use crate::finite_elements::linear_system::LinearSystem;
use crate::params::Elements;

/// A body in equilibrium with prescribed nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StaticProblem<'a> {
    /// The mesh at rest.
    pub mesh: &'a TetMesh,
    /// Elastic constants and density; the law is St. Venant-Kirchhoff.
    pub material: &'a Material,
    /// Nodes with their displacement (m); supports have zero.
    pub prescribed: &'a [(u32, Vec3)],
    /// Gravity, m/s².
    pub gravity: Vec3,
}

/// An equilibrium.
#[derive(Debug, Clone, PartialEq)]
pub struct StaticSolution {
    /// Displacement of every node, m.
    pub displacements: Vec<Vec3>,
    /// Force on the body at every prescribed node, N, in the order of the problem.
    pub reactions: Vec<Vec3>,
    /// Newton steps over all load steps.
    pub iterations: u32,
    /// Largest unbalanced nodal force over the largest internal one.
    pub residual: f64,
}

/// Why no equilibrium was found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StaticError {
    /// The mesh cannot be solved at all.
    #[error(transparent)]
    System(#[from] BakeError),
    /// A prescribed node that the mesh does not have.
    #[error("node {node} does not exist\n  remedy: prescribe nodes of the mesh")]
    NoSuchNode {
        /// The number given.
        node: u32,
    },
    /// Newton's method stalled.
    #[error(
        "no equilibrium after {iterations} Newton steps, unbalanced force {residual:.1e} of the largest\n  remedy: prescribe smaller displacements"
    )]
    NotConverged {
        /// Steps taken.
        iterations: u32,
        /// Unbalanced share when it stopped.
        residual: f64,
    },
    /// Cancelled by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl StaticError {
    /// The variant's name, the error code of the JSON output.
    pub fn code(&self) -> String {
        match self {
            Self::System(error) => error.code(),
            _ => variant_name(self),
        }
    }
}

/// Unbalanced share that counts as balanced.
const BALANCED: f64 = 1e-10;
/// Round-off of a nodal force, in units of the rounding of positions times the largest stiffness.
const ROUND_OFF: f64 = 20.0;
/// Most Newton steps for one load step.
const STEPS: u32 = 40;
/// Most times that a load step is halved.
const HALVINGS: u32 = 6;

/// Finds the equilibrium: the whole load at once, in smaller load steps where Newton's method fails.
///
/// Each Newton step factorises the tangent stiffness, shifted where it is not positive definite, and searches along the line for lower
/// energy. Cost: about five to ten factorisations for small strains.
///
/// # Errors
/// See [`StaticError`].
pub fn solve_static(
    problem: &StaticProblem<'_>,
    progress: &Progress,
) -> Result<StaticSolution, StaticError> {
    let mesh = problem.mesh;
    let mut fixed = vec![false; mesh.nodes.len()];
    for &(node, _) in problem.prescribed {
        *fixed
            .get_mut(node as usize)
            .ok_or(StaticError::NoSuchNode { node })? = true;
    }
    if problem.prescribed.is_empty() {
        return Err(BakeError::Unconstrained.into());
    }
    progress.stage("nonlinear statics");
    let lame = problem.material.lame();
    let elements = ElementMesh::new(mesh, Elements::Linear)?;
    let system = LinearSystem::assemble(elements, &BodyElasticity::isotropic(lame), |n| !fixed[n]);
    let pattern = CholeskyPattern::new(&system.stiffness).map_err(|e| system.explain(e))?;
    let bounds = mesh.bounds();
    let reach = bounds.min.abs().max().max(bounds.max.abs().max());
    let mut newton = Newton {
        round_off: ROUND_OFF * f64::EPSILON * reach * system.stiffness.largest_diagonal(),
        problem,
        weights: mesh
            .lumped_masses(problem.material.density)
            .iter()
            .map(|m| problem.gravity * *m)
            .collect(),
        system,
        pattern: &pattern,
        iterations: 0,
    };

    let mut positions = mesh.nodes.clone();
    let (mut load, mut step, mut halvings) = (0.0, 1.0, 0);
    let residual = loop {
        let target: f64 = f64::min(load + step, 1.0);
        let mut trial = positions.clone();
        match newton.equilibrium(&mut trial, load, target, progress) {
            Ok(residual) => {
                positions = trial;
                load = target;
                progress.set_fraction(load);
                if load >= 1.0 {
                    break residual;
                }
            }
            Err(StaticError::NotConverged { .. }) if halvings < HALVINGS => {
                halvings += 1;
                step *= 0.5;
            }
            Err(error) => return Err(error),
        }
    };
    let forces = newton.unbalanced(&positions, 1.0);
    Ok(StaticSolution {
        displacements: positions
            .iter()
            .zip(&mesh.nodes)
            .map(|(x, rest)| x - rest)
            .collect(),
        reactions: problem
            .prescribed
            .iter()
            .map(|&(node, _)| -forces[node as usize])
            .collect(),
        iterations: newton.iterations,
        residual,
    })
}

struct Newton<'a> {
    problem: &'a StaticProblem<'a>,
    weights: Vec<Vec3>,
    system: LinearSystem,
    pattern: &'a CholeskyPattern,
    iterations: u32,
    /// Rounding of a nodal force, N.
    round_off: f64,
}

impl Newton<'_> {
    /// Moves `positions` from the equilibrium at load `from` to the one at load `to`; the unbalanced share it ends with.
    fn equilibrium(
        &mut self,
        positions: &mut Vec<Vec3>,
        from: f64,
        to: f64,
        progress: &Progress,
    ) -> Result<f64, StaticError> {
        // the first step moves the prescribed nodes and, with the tangent there, everything else
        let mut moved = vec![Vec3::zeros(); positions.len()];
        for &(node, displacement) in self.problem.prescribed {
            moved[node as usize] = displacement * (to - from);
        }
        let forces = self.unbalanced(positions, to);
        let first = self.direction(positions, &forces, &moved)?;
        for ((x, d), m) in positions.iter_mut().zip(&first).zip(&moved) {
            *x += d + m;
        }
        self.iterations += 1;

        let mut share = f64::INFINITY;
        for _ in 0..STEPS {
            progress.check()?;
            let forces = self.unbalanced(positions, to);
            share = self.unbalanced_share(&forces);
            if share <= BALANCED + self.round_off / self.largest(&forces) {
                return Ok(share);
            }
            let still = vec![Vec3::zeros(); positions.len()];
            let direction = self.direction(positions, &forces, &still)?;
            self.iterations += 1;
            let Some(next) = self.search(positions, &direction, &forces, share, to) else {
                break;
            };
            *positions = next;
        }
        Err(StaticError::NotConverged {
            iterations: self.iterations,
            residual: share,
        })
    }

    /// Internal force plus `load` times weight on every node, N; minus the reaction on prescribed nodes.
    fn unbalanced(&self, positions: &[Vec3], load: f64) -> Vec<Vec3> {
        let lame = self.problem.material.lame();
        let mut forces: Vec<Vec3> = self.weights.iter().map(|w| w * load).collect();
        for (tet, shape) in self
            .problem
            .mesh
            .tets
            .iter()
            .zip(&self.system.elements.shapes)
        {
            let x = tet.map(|v| positions[v as usize]);
            let f = element_force(x, shape, &lame, MaterialLaw::Green);
            for (&v, f) in tet.iter().zip(f) {
                forces[v as usize] += f;
            }
        }
        forces
    }

    /// Largest force on a free node over the largest on any.
    fn unbalanced_share(&self, forces: &[Vec3]) -> f64 {
        let free = self.system.free.nodes.iter();
        let free = free.map(|&n| forces[n as usize].norm()).fold(0.0, f64::max);
        let all = self.largest(forces);
        if all > 0.0 { free / all } else { 0.0 }
    }

    /// Largest nodal force or weight, N.
    fn largest(&self, forces: &[Vec3]) -> f64 {
        let all = forces.iter().chain(&self.weights).map(|f| f.norm());
        all.fold(0.0, f64::max)
    }

    fn energy(&self, positions: &[Vec3], load: f64) -> f64 {
        let lame = self.problem.material.lame();
        let mut energy = 0.0;
        for (tet, shape) in self
            .problem
            .mesh
            .tets
            .iter()
            .zip(&self.system.elements.shapes)
        {
            let x = tet.map(|v| positions[v as usize]);
            energy += element_energy(x, shape, &lame, MaterialLaw::Green);
        }
        for ((x, rest), w) in positions
            .iter()
            .zip(&self.problem.mesh.nodes)
            .zip(&self.weights)
        {
            energy -= (x - rest).dot(w) * load;
        }
        energy
    }

    /// Solves `K δ = forces − K_fc moved` on the free nodes with the tangent at `positions`.
    fn direction(
        &mut self,
        positions: &[Vec3],
        forces: &[Vec3],
        moved: &[Vec3],
    ) -> Result<Vec<Vec3>, StaticError> {
        let lame = self.problem.material.lame();
        let mesh = self.problem.mesh;
        let system = &mut self.system;
        let mut right = Mat::<f64>::zeros(system.stiffness.size(), 1);
        for (i, &node) in system.free.nodes.iter().enumerate() {
            for axis in 0..3 {
                right[(3 * i + axis, 0)] = forces[node as usize][axis];
            }
        }
        system.stiffness.clear();
        for (tet, shape) in mesh.tets.iter().zip(&system.elements.shapes) {
            let x = tet.map(|v| positions[v as usize]);
            for a in 0..4 {
                let Some(i) = system.free.get(tet[a]) else {
                    continue;
                };
                for b in 0..4 {
                    let block = tangent_stiffness_block(x, shape, &lame, a, b);
                    if let Some(j) = system.free.get(tet[b]) {
                        system.stiffness.add(i, j, &block);
                    } else {
                        let f = block * moved[tet[b] as usize];
                        for axis in 0..3 {
                            right[(3 * i + axis, 0)] -= f[axis];
                        }
                    }
                }
            }
        }
        let mut shift = 1e-4 * system.stiffness.largest_diagonal();
        let factor = loop {
            match self.pattern.factor(&system.stiffness) {
                Ok(factor) => break factor,
                Err(FactorError::NotPositive { .. })
                    if shift < 1e3 * system.stiffness.largest_diagonal() =>
                {
                    system.stiffness.shift_diagonal(shift);
                    shift *= 10.0;
                }
                Err(error) => return Err(system.explain(error).into()),
            }
        };
        factor.solve(&mut right, &mut factor.solve_memory(1));
        let mut direction = vec![Vec3::zeros(); positions.len()];
        for (i, &node) in system.free.nodes.iter().enumerate() {
            direction[node as usize] = Vec3::from_fn(|axis, _| right[(3 * i + axis, 0)]);
        }
        Ok(direction)
    }

    /// Largest of 1, 1/2, 1/4, ... that lowers the energy enough or, at the end where energies round off, the unbalanced force.
    fn search(
        &self,
        positions: &[Vec3],
        direction: &[Vec3],
        forces: &[Vec3],
        share: f64,
        load: f64,
    ) -> Option<Vec<Vec3>> {
        let energy = self.energy(positions, load);
        let free = &self.system.free.nodes;
        let slope: f64 = free
            .iter()
            .map(|&n| forces[n as usize].dot(&direction[n as usize]))
            .sum();
        let mut length = 1.0;
        for _ in 0..30 {
            let next: Vec<Vec3> = positions
                .iter()
                .zip(direction)
                .map(|(x, d)| x + d * length)
                .collect();
            let falls = self.energy(&next, load) <= energy - 1e-4 * length * slope;
            if falls || self.unbalanced_share(&self.unbalanced(&next, load)) < 0.5 * share {
                return Some(next);
            }
            length *= 0.5;
        }
        None
    }
}
