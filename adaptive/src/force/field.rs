//! Nodal forces of a level: selects the element model and the kernel.

use std::sync::Arc;

use pliant_core::elasticity::ShapeGradients;
use pliant_core::material::YoungPoisson;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use crate::force::constants::{ElementConstants, Evaluation};
use crate::force::damping::LevelDamping;
use crate::force::fast::FastForces;
use crate::force::lanes::{LaneForces, LaneWorkspace, SimdLevel, has_lanes};
use crate::force::reference::ReferenceForces;
use crate::force::springs::SpringForces;
use crate::hierarchy::Level;
use crate::params::{AdaptiveParams, ElementModel, ForceKernel, Precision};

/// The forces of one level under one element model, with their workspace.
#[derive(Debug, Clone)]
pub enum ForceField {
    /// Tetrahedra, fused kernel.
    Fast(FastForces),
    /// Tetrahedra, single precision in lanes.
    Lanes(LaneForces),
    /// Tetrahedra, readable kernel.
    Reference(ReferenceForces),
    /// Edge springs.
    Springs(SpringForces),
}

impl ForceField {
    /// Prepares the forces of `level`. Springs use β in place of φ and ψ.
    pub fn new(
        level: &Level,
        model: ElementModel,
        elastic: YoungPoisson,
        damping: &LevelDamping,
        params: &AdaptiveParams,
    ) -> Self {
        let Some(law) = model.law() else {
            return Self::Springs(SpringForces::new(level, elastic.young, damping.time));
        };
        let constants = ElementConstants {
            lame: elastic.into(),
            damping: damping.viscous,
            law,
            recover: params.recover,
        };
        let (mesh, shapes) = (level.mesh.clone(), level.force_shapes());
        Self::from_mesh(mesh, shapes, constants, params, &mut Vec::new())
    }

    /// Prepares the forces of tetrahedra outside of a level; volumes in `shapes` may hold weights. Takes a workspace out of `spare` if there is one.
    pub fn from_mesh(
        mesh: Arc<TetMesh>,
        shapes: Arc<Vec<ShapeGradients>>,
        constants: ElementConstants,
        params: &AdaptiveParams,
        spare: &mut Vec<LaneWorkspace>,
    ) -> Self {
        match (params.kernel, params.precision) {
            (ForceKernel::Fast, Precision::F32) if has_lanes(constants.law) => {
                let spare = spare.pop();
                Self::Lanes(LaneForces::from_mesh(
                    mesh,
                    shapes,
                    constants,
                    SimdLevel::Auto,
                    spare,
                ))
            }
            (ForceKernel::Fast, _) => Self::Fast(FastForces::from_mesh(mesh, shapes, constants)),
            (ForceKernel::Reference, _) => {
                Self::Reference(ReferenceForces::from_mesh(mesh, shapes, constants))
            }
        }
    }

    /// The tetrahedra, or the springs where there are none.
    fn elements(&self) -> Result<&ReferenceForces, &SpringForces> {
        match self {
            Self::Fast(FastForces { plain, .. })
            | Self::Lanes(LaneForces { plain, .. })
            | Self::Reference(plain) => Ok(plain),
            Self::Springs(springs) => Err(springs),
        }
    }

    /// Constants of all elements; `None` for springs.
    pub(crate) fn constants(&self) -> Option<ElementConstants> {
        self.elements().ok().map(|tets| tets.constants)
    }

    /// The workspace, if it has one that can be reused.
    pub(crate) fn into_workspace(self) -> Option<LaneWorkspace> {
        match self {
            Self::Lanes(f) => Some(f.into_workspace()),
            _ => None,
        }
    }

    /// Writes elastic plus viscous force (N) of every node to `forces`. The bits do not depend on the number of threads.
    pub fn evaluate(
        &mut self,
        positions: &[Vec3],
        velocities: &[Vec3],
        forces: &mut [Vec3],
    ) -> Evaluation {
        match self {
            Self::Fast(f) => f.evaluate(positions, velocities, forces),
            Self::Lanes(f) => f.evaluate(positions, velocities, forces),
            Self::Reference(f) => f.evaluate(positions, velocities, forces),
            Self::Springs(f) => f.evaluate(positions, velocities, forces),
        }
    }

    /// Strain energy, J.
    pub fn energy(&self, positions: &[Vec3]) -> f64 {
        match self.elements() {
            Ok(tets) => tets.energy(positions),
            Err(springs) => springs.energy(positions),
        }
    }

    /// Elements that one evaluation visits: its cost in work units.
    pub fn element_count(&self) -> usize {
        match self.elements() {
            Ok(tets) => tets.tet_count(),
            Err(springs) => springs.spring_count(),
        }
    }
}
