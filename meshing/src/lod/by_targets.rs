//! Levels for node counts or edge lengths that the caller names.

use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;

use super::builder::level_builder::{Goal, LevelBuilder};
use super::level::Level;
use super::notes;
use super::resolution_sequence::ResolutionSequence;
use crate::error::{MeshingError, positive};
use crate::tetrahedralise::mesher::{TetMesher, TetTarget};

/// Levels for `targets`, coarse to fine, with strictly increasing node counts; a level that would not be finer than the
/// one before is left out, so fewer levels than targets may result, but at least one.
///
/// A level that loses more than 15 % of the volume or has another number of components than the input is tried again with
/// up to 2.5 times its nodes and then with thickened walls; the best attempt is kept.
///
/// # Errors
/// Those of `mesher`; [`MeshingError::EmptyMesh`] without triangles, [`MeshingError::NoVolume`] when the surface encloses
/// nothing, [`MeshingError::BadSize`] without targets.
pub fn build_targets(
    surface: &SurfaceMesh,
    targets: &[TetTarget],
    mesher: &dyn TetMesher,
    progress: &Progress,
) -> Result<ResolutionSequence, MeshingError> {
    progress.stage("preparing");
    let builder = LevelBuilder::new(surface, mesher, progress)?;
    let mut levels: Vec<Level> = Vec::new();
    let mut notes = Vec::new();
    let goals = targets.iter().map(|&target| Goal::Tets(target));
    builder.plan(goals.map(|goal| builder.estimated_nodes_for(goal)).sum());
    for (k, &target) in targets.iter().enumerate() {
        progress.check()?;
        let level = builder.build(Goal::Tets(target))?;
        let nodes = level.mesh.nodes.len();
        match levels.last() {
            Some(before) if before.mesh.nodes.len() >= nodes => notes.push(format!(
                "target {} of {} gives {nodes} nodes, no more than the level before: left out",
                k + 1,
                targets.len()
            )),
            _ => {
                notes.extend(notes::level_notes(
                    levels.len(),
                    &level,
                    Some(target),
                    &builder,
                ));
                levels.push(level);
            }
        }
    }
    progress.set_fraction(1.0);
    positive("the number of levels", levels.len() as f64)?;
    Ok(ResolutionSequence {
        levels,
        input: builder.shape,
        notes,
    })
}

/// A level whose boundary has about `target_boundary_nodes` nodes (within 15 % where the shape allows it), for methods that
/// know only the boundary. Around each node the boundary is at the mean position of the surface, so that thin ends keep their volume.
///
/// # Errors
/// As [`build_targets`].
pub fn boundary_level(
    surface: &SurfaceMesh,
    target_boundary_nodes: usize,
    mesher: &dyn TetMesher,
    progress: &Progress,
) -> Result<Level, MeshingError> {
    progress.stage("tetrahedra by boundary nodes");
    let builder = LevelBuilder::new(surface, mesher, progress)?;
    let level = builder.build(Goal::Boundary(target_boundary_nodes))?;
    builder.fit_to_skin(level)
}
