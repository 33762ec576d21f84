//! One level of a hierarchy from its mesh.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::embedding::embed_in_tets;

use crate::asset::no_children;
use crate::bake::error::AdaptiveBakeError;
use crate::hierarchy::level::{check_mesh, element_frequencies, shape_gradients};
use crate::hierarchy::{Level, Stencils};

/// Level `index` of `geometry`, without links to its neighbours. `total_volume` (m³) is that of the finest level, whose mass every level has.
pub(crate) fn build_level(
    index: usize,
    mesh: &Arc<TetMesh>,
    geometry: &BodyGeometry,
    total_volume: f64,
    progress: &Progress,
) -> Result<Level, AdaptiveBakeError> {
    if mesh.tets.is_empty() {
        return Err(AdaptiveBakeError::BadMesh {
            level: index,
            what: "no tetrahedron".to_string(),
        });
    }
    let fail = |e| AdaptiveBakeError::of_level(e, index);
    check_mesh(mesh).map_err(fail)?;
    let shapes = shape_gradients(mesh).map_err(fail)?;
    // every level has the mass of the finest
    let density = geometry.material.density * total_volume / mesh.volume();
    let frequencies = element_frequencies(&shapes, &geometry.material.lame(), density, progress)?;
    let spacing = mesh.mean_edge();
    let mut held = Vec::with_capacity(geometry.supports.len());
    for support in &geometry.supports {
        progress.check()?;
        let nodes = support.nodes(&mesh.nodes, spacing, &geometry.skin);
        if nodes.is_empty() {
            return Err(AdaptiveBakeError::SupportEmpty {
                support: support.name.clone(),
                level: index,
            });
        }
        held.push(nodes);
    }
    progress.check()?;
    let embedding = embed_in_tets(&geometry.skin, mesh, &mesh.boundary());
    Ok(Level {
        masses: mesh.lumped_masses(density),
        mesh: mesh.clone(),
        shapes: Arc::new(shapes),
        frequencies,
        stiffness: 1.0,
        local: Vec::new(),
        held,
        embedding,
        parents: Vec::new(),
        children: no_children(),
        up: Stencils::default(),
        down_tet: Stencils::default(),
        down_affine: Stencils::default(),
        above: Vec::new(),
        spacing,
    })
}

/// Adds a note on parts without a support, which move on their own.
pub(crate) fn note_loose_parts(index: usize, level: &Level, notes: &mut Vec<String>) {
    let (_, free) = level.free_components(&level.held_flags());
    if free.len() > 1 {
        let loose = free.iter().filter(|&&f| f).count();
        notes.push(format!(
            "level {index} falls into {} parts, {loose} of them without a support",
            free.len()
        ));
    }
}
