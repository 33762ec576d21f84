//! The equations of a held body before they are factorised.

use pliant_core::asset::BodyGeometry;
use pliant_core::mesh::TetMesh;

use crate::bake::held_nodes::HeldNodes;
use crate::bake::limits::check_material;
use crate::error::BakeError;
use crate::finite_elements::elasticity::BodyElasticity;
use crate::finite_elements::element_mesh::ElementMesh;
use crate::finite_elements::linear_system::LinearSystem;
use crate::params::{GreensElements, QuasistaticParams};

/// Poisson's ratios above which linear and quadratic tetrahedra lock.
const MAX_POISSON: (f64, f64) = (0.45, 0.49);

/// Elasticity and stiffness of a body.
pub(super) struct AssembledBody {
    pub elasticity: BodyElasticity,
    pub system: LinearSystem,
}

impl AssembledBody {
    /// Assembles the stiffness of the elements that `params` asks for.
    ///
    /// # Errors
    /// [`BakeError::InvalidMaterial`], [`BakeError::Locking`], [`BakeError::InvertedElement`], and those of regions and fibres.
    pub fn new(
        geometry: &BodyGeometry,
        mesh: &TetMesh,
        held: &HeldNodes,
        params: &QuasistaticParams,
    ) -> Result<Self, BakeError> {
        check_material(&geometry.material)?;
        let limit = match params.elements {
            GreensElements::Linear => MAX_POISSON.0,
            GreensElements::Quadratic => MAX_POISSON.1,
        };
        let across = params.fibres.and_then(|fibres| fibres.poisson);
        let nu = geometry.material.elastic.poisson;
        let ratios = [Some(nu), across].into_iter().flatten();
        if let Some(nu) = ratios.into_iter().find(|&nu| nu > limit) {
            return Err(BakeError::Locking { nu, limit });
        }
        let elasticity = BodyElasticity::new(geometry, mesh, params)?;
        let elements = ElementMesh::new(mesh, params.elements)?;
        let system = LinearSystem::assemble(elements, &elasticity, |n| held.is_free(n));
        Ok(Self { elasticity, system })
    }
}
