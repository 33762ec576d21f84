//! The geometry that each method needs beside the skin.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::scene::Method;
use pliant_meshing::error::MeshingError;

use super::boundary_mesh::greens_level;
use super::levels::{fitting_level, levels};
use super::voxels::voxels;
use crate::error::BuildError;
use crate::setup::Setup;

/// The skin's geometry with what `method` needs added; sentences for the user go to `notes`.
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
    let wrap = |source: MeshingError| match source {
        MeshingError::Cancelled => BuildError::Cancelled,
        source => BuildError::Meshing {
            method,
            body: setup.description.body.name.clone(),
            source,
        },
    };
    match method {
        Method::Adaptive => geometry.levels = levels(setup, notes, progress).map_err(wrap)?,
        Method::Quasistatic => {
            geometry.greens_level = Some(Arc::new(
                greens_level(setup, notes, progress).map_err(wrap)?,
            ));
        }
        Method::Lattice => {
            geometry.voxels = Some(Arc::new(voxels(setup, notes, progress).map_err(wrap)?));
            let level = fitting_level(setup, progress).map_err(wrap)?;
            geometry.levels = level.into_iter().collect();
        }
    }
    Ok(geometry)
}
