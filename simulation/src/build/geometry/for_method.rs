//! The geometry that each method needs beside the skin.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::scene::Method;
use pliant_meshing::error::MeshingError;

use super::boundary_mesh::{elements_behind_surface, greens_level};
use super::levels::{fitting_level, levels};
use super::voxels::voxels;
use crate::error::BuildError;
use crate::setup::Setup;

/// The skin's geometry with what `method` needs added; adds sentences for the user to `notes`.
///
/// # Errors
/// [`BuildError::Meshing`] names the method and the body.
pub fn geometry_for(
    setup: &Setup,
    method: Method,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<BodyGeometry, BuildError> {
    let mut geometry = setup.geometry.clone();
    let with_context = |source| meshing_error(setup, method, source);
    match method {
        Method::Adaptive => {
            geometry.levels = levels(setup, notes, progress).map_err(with_context)?
        }
        Method::Quasistatic => {
            geometry.greens_level = Some(Arc::new(
                greens_level(setup, notes, progress).map_err(with_context)?,
            ));
        }
        Method::Lattice => {
            geometry.voxels = Some(Arc::new(
                voxels(setup, notes, progress).map_err(with_context)?,
            ));
            let level = fitting_level(setup, progress).map_err(with_context)?;
            geometry.levels = level.into_iter().collect();
        }
    }
    Ok(geometry)
}

/// The skin's geometry with tetrahedra whose boundary has about `nodes` nodes, for Green's functions of another surface.
pub fn geometry_behind_surface(
    setup: &Setup,
    nodes: usize,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<BodyGeometry, BuildError> {
    let mesh = elements_behind_surface(setup, nodes, notes, progress);
    let mesh = mesh.map_err(|source| meshing_error(setup, Method::Quasistatic, source))?;
    Ok(BodyGeometry {
        greens_level: Some(Arc::new(mesh)),
        ..setup.geometry.clone()
    })
}

/// The error of a mesher, with the method and the body that it concerns.
fn meshing_error(setup: &Setup, method: Method, source: MeshingError) -> BuildError {
    match source {
        MeshingError::Cancelled(_) => BuildError::Cancelled,
        source => BuildError::Meshing {
            method,
            body: setup.description.body.name.clone(),
            source,
        },
    }
}
