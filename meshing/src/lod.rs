//! Levels of detail: the same body as tetrahedra of several resolutions, each judged against the input.

mod builder;
mod bytes;
mod closeness;
mod given;
mod ladder;
mod notes;
mod shape;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use crate::error::MeshingError;
use crate::tetrahedralise::{TetMesher, TetTarget};
use builder::{Goal, LevelBuilder};

pub use closeness::{Farthest, farthest};
pub use given::{Unusable, build_given, fits_together, targets_below};
pub use ladder::{LadderSpec, build_ladder};
pub use shape::Shape;

/// The most nodes of a level that is made finer than asked, or as fine as closeness needs.
pub const MOST_NODES: usize = 120_000;

/// One level of detail and how well it fits the surface it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The tetrahedra.
    pub mesh: TetMesh,
    /// Smallest dihedral angle, degrees.
    pub min_dihedral_deg: f64,
    /// Largest dihedral angle, degrees.
    pub max_dihedral_deg: f64,
    /// Smallest and largest dihedral angle of the tetrahedra that touch no matched feature, degrees.
    pub away_dihedral_deg: (f64, f64),
    /// Nodes that were put onto corners, sharp edges and tips of the input.
    pub matched: usize,
    /// Features off the boundary, because a node there would have made too flat or too sharp a tetrahedron.
    pub refused: usize,
    /// Smallest volume of a tetrahedron, m³.
    pub min_volume: f64,
    /// Volume over the volume that the input surface encloses.
    pub volume_ratio: f64,
    /// Largest distance between the boundary and the input over the input's box diagonal, both ways, over all points of all
    /// triangles; up to 0.05 % of the diagonal or 4 % of itself too small.
    pub hausdorff_rel: f64,
    /// Where that distance was found, m.
    pub farthest_at: Vec3,
    /// Components and handles of the boundary.
    pub shape: Shape,
    /// Mean edge length of the boundary, m.
    pub boundary_edge: f64,
    /// Mean edge length, m.
    pub edge_mean: f64,
    /// Largest circumradius of a tetrahedron over its shortest edge.
    pub radius_edge: f64,
    /// How far walls were moved outwards so that they survive, m; 0 normally.
    pub thickened: f64,
    /// Time the level took, with all attempts, s.
    pub seconds: f64,
}

/// A hierarchy and what is to be said about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    /// Levels, coarse to fine, with strictly increasing node counts.
    pub levels: Vec<Level>,
    /// Components and handles of the input.
    pub input: Shape,
    /// Sentences for the user: targets that the shape does not allow, changes of volume and topology, distance.
    pub notes: Vec<String>,
}

/// Target of the coarsest level of a body of so many components.
fn coarsest_nodes(components: usize) -> usize {
    60.max(30 * components)
}

/// Levels for `targets`, coarse to fine, with strictly increasing node counts; a level that would not be finer than the
/// one before is left out, so fewer levels than targets may result, but at least one.
///
/// A level that loses more than 15 % of the volume or has another number of components than the input is tried again with
/// up to 2.5 times its nodes and then with thickened walls; the best attempt is kept.
///
/// # Errors
/// Those of `mesher`; [`MeshingError::EmptyMesh`] without triangles, [`MeshingError::NoVolume`] when the surface encloses
/// nothing, [`MeshingError::BadSize`] without targets.
pub fn build_levels(
    surface: &SurfaceMesh,
    targets: &[TetTarget],
    mesher: &dyn TetMesher,
    progress: &Progress,
) -> Result<Vec<Level>, MeshingError> {
    Ok(build_targets(surface, targets, mesher, progress)?.levels)
}

/// As [`build_levels`], with what is to be said about the levels.
///
/// # Errors
/// As [`build_levels`].
pub fn build_targets(
    surface: &SurfaceMesh,
    targets: &[TetTarget],
    mesher: &dyn TetMesher,
    progress: &Progress,
) -> Result<Ladder, MeshingError> {
    progress.stage("preparing");
    let builder = LevelBuilder::new(surface, mesher, progress)?;
    let mut levels: Vec<Level> = Vec::new();
    let mut notes = Vec::new();
    let goals = targets.iter().map(|&target| Goal::Tets(target));
    builder.plan(goals.map(|goal| builder.nodes_of(goal)).sum());
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
    if levels.is_empty() {
        return Err(MeshingError::BadSize {
            what: "the number of levels",
            value: 0.0,
        });
    }
    Ok(Ladder {
        levels,
        input: builder.shape,
        notes,
    })
}

/// A level whose boundary has about `target_boundary_nodes` nodes (within 15 % where the shape allows it), for methods that
/// know only the boundary, which is the surface in the mean of the faces around each of its nodes: thin ends keep their volume.
///
/// # Errors
/// As [`build_levels`].
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

#[cfg(test)]
mod tests;
