//! Fits the boundary of a stuffed mesh to the input surface, as far as the angles allow.

use nalgebra::Cholesky;
use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::adjacency::vertex_triangles;
use pliant_core::mesh::{Csr, SurfaceMesh, TetMesh};
use rayon::prelude::*;

use super::fitted_mesh::{Bond, Fitting};
use super::matching::match_features;
use crate::error::MeshingError;
use crate::geometry::solid::MeshSolid;

/// Sweeps towards closest points, followed by sweeps towards creases and the exact volume.
const CLOSEST_SWEEPS: usize = 5;
const FEATURE_SWEEPS: usize = 5;
/// After this sweep sharp features get their nodes.
const MATCH_AFTER: usize = CLOSEST_SWEEPS + 1;
/// Weight that keeps crease targets near the closest point.
const ANCHOR_WEIGHT: f64 = 0.15;
/// Farthest that a crease target may be from the closest point, as a share of the mean edge.
const MAX_TARGET_DISTANCE: f64 = 0.6;
/// Volumes within this factor of the exact one are corrected by a shift of at most [`MAX_VOLUME_SHIFT`] mean edges.
const MAX_VOLUME_RATIO: f64 = 1.35;
const MAX_VOLUME_SHIFT: f64 = 0.12;

/// The features that a mesh follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matched {
    /// Nodes put onto corners, sharp edges and tips of the input, ascending.
    pub nodes: Vec<u32>,
    /// Corners, tips and points on sharp edges (0.4 mean edges apart) that are off the boundary because a node there would
    /// have pushed a dihedral angle out of 5 to 170 degrees or the boundary off the surface next to it. Features too small
    /// for the mesh do not count.
    pub refused: usize,
    /// Cost of matching: the number of times that the neighbours of a node were relaxed.
    pub relaxed: usize,
}

/// Moves boundary nodes in sweeps over nodes in ascending order: first onto the closest points of the surface, then
/// to where the tangent planes under the surrounding faces meet (so creases and tips are not cut off), shifted along
/// the normal so that the enclosed volume becomes that of the surface. A move is taken only when all dihedral angles
/// around the node stay inside `range` (smallest and largest, degrees), otherwise a shorter one is tried; inner nodes
/// next to a boundary node that could not follow move towards the mean of their neighbours.
///
/// After some sweeps, corners, sharp edges and tips of the surface get nodes of their own, around which angles between 5 and 170
/// degrees are allowed ([`MATCHED_RANGE`](super::angle_ranges::MATCHED_RANGE)).
///
/// Where the two sides of a gap would intersect, nodes go back to their lattice positions, where they are apart.
///
/// # Errors
/// [`MeshingError::Cancelled`].
pub fn pull_to_surface(
    mesh: TetMesh,
    solid: &MeshSolid,
    range: (f64, f64),
    progress: &Progress,
) -> Result<(TetMesh, Matched), MeshingError> {
    let start = mesh.clone();
    let mut fitting = Fitting::new(mesh, solid, range);
    let faces_of = |s: &SurfaceMesh| vertex_triangles(s.vertex_count(), &s.triangles);
    let mut faces = faces_of(&fitting.surface);
    let mut shift = 0.0;
    let mut refused = 0;
    for sweep in 0..CLOSEST_SWEEPS + FEATURE_SWEEPS {
        progress.check()?;
        let targets: Vec<Option<Vec3>> = if sweep < CLOSEST_SWEEPS {
            let closest = |x: &Vec3| solid.closest(x).map(|(point, _)| point);
            fitting.surface.positions.par_iter().map(closest).collect()
        } else {
            shift = volume_shift(&fitting.surface, solid.volume, shift);
            feature_targets(&fitting.surface, &faces, solid, shift)
        };
        // half the way at first: the two sides of a thin wall then settle evenly
        let part = if sweep < 2 { 0.5 } else { 1.0 };
        sweep_towards(&mut fitting, &targets, part);
        if sweep == MATCH_AFTER {
            refused = match_features(&mut fitting, progress)?;
            faces = faces_of(&fitting.surface);
        }
    }
    fitting.polish();
    let relaxed = fitting.relaxed;
    if !fitting.undo_self_intersections(&start, progress)? {
        return Ok((start, Matched::default()));
    }
    let (mesh, nodes) = fitting.into_mesh();
    let matched = Matched {
        nodes,
        refused,
        relaxed,
    };
    Ok((mesh, matched))
}

/// Moves every free boundary node `part` of the way to its target, then the inner nodes next to those that could not follow.
pub(crate) fn sweep_towards(fitting: &mut Fitting<'_>, targets: &[Option<Vec3>], part: f64) {
    let mut beside_held = vec![false; fitting.x.len()];
    for (v, target) in targets.iter().enumerate() {
        let node = fitting.nodes[v];
        let Some(target) = target else { continue };
        if fitting.bond(node) != Bond::Surface {
            continue;
        }
        let displacement = (target - fitting.at(node)) * part;
        if fitting.try_move(node, displacement) < 1.0 {
            for n in fitting.cells.neighbours(node) {
                beside_held[n as usize] = true;
            }
        }
    }
    for node in 0..fitting.x.len() as u32 {
        if beside_held[node as usize] && fitting.bond(node) == Bond::Inner {
            let row = fitting.cells.neighbours(node);
            let sum: Vec3 = row.iter().map(|&n| fitting.at(n)).sum();
            let displacement = sum / row.len() as f64 - fitting.at(node);
            fitting.try_move(node, displacement);
        }
    }
    fitting.update_surface();
}

/// The outward shift of all boundary nodes that restores the missing volume, m, given the current one.
fn volume_shift(surface: &SurfaceMesh, target_volume: f64, current_shift: f64) -> f64 {
    let (volume, area) = (surface.volume(), surface.area());
    if !(volume * MAX_VOLUME_RATIO > target_volume && volume < target_volume * MAX_VOLUME_RATIO) {
        return 0.0;
    }
    let limit = MAX_VOLUME_SHIFT * surface.mean_edge();
    (current_shift + (target_volume - volume) / area).clamp(-limit, limit)
}

/// For each boundary vertex the point nearest to the planes that touch the solid under the faces around it (quadratic
/// error, anchored at the vertex's own closest point), moved outwards by `shift`.
fn feature_targets(
    surface: &SurfaceMesh,
    faces: &Csr,
    solid: &MeshSolid,
    shift: f64,
) -> Vec<Option<Vec3>> {
    let edge = surface.mean_edge();
    let planes: Vec<Option<(Vec3, Vec3)>> = (0..surface.triangles.len())
        .into_par_iter()
        .map(|t| {
            let [a, b, c] = surface.corners(t);
            let center = (a + b + c) / 3.0;
            let outward = surface.area_vector(t);
            // the other side of a wall does not count
            solid
                .closest(&center)
                .filter(|(p, n)| n.dot(&outward) > 0.0 && (p - center).norm() < edge)
        })
        .collect();
    let normals = surface.vertex_normals();
    (0..surface.vertex_count())
        .into_par_iter()
        .map(|v| {
            let (anchor, _) = solid.closest(&surface.positions[v])?;
            let row = faces.row(v);
            let mut matrix = Mat3::identity() * (ANCHOR_WEIGHT * row.len() as f64);
            let mut right = Vec3::zeros();
            for (p, n) in row.iter().filter_map(|&t| planes[t as usize]) {
                matrix += n * n.transpose();
                right += n * n.dot(&(p - anchor));
            }
            let step = Cholesky::new(matrix).map_or_else(Vec3::zeros, |c| c.solve(&right));
            let length = step.norm();
            let limit = MAX_TARGET_DISTANCE * edge;
            let step = if length > limit {
                step * (limit / length)
            } else {
                step
            };
            Some(anchor + step + normals[v] * shift)
        })
        .collect()
}
