//! Fits the boundary of a stuffed mesh to the input surface, as far as the angles allow.

use nalgebra::Cholesky;
use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::adjacency::{node_neighbours, node_tets, vertex_triangles};
use pliant_core::mesh::{Csr, SurfaceMesh, TetMesh};
use rayon::prelude::*;

use crate::error::MeshingError;
use crate::solid::MeshSolid;

/// Dihedral angles that fitting must keep, degrees (the second bound of Labelle and Shewchuk 2007 below, the first above).
pub const ANGLE_RANGE: (f64, f64) = (8.9, 164.8);

/// The narrower range kept where walls were not thickened: better tetrahedra for little distance, degrees.
pub const FIT_RANGE: (f64, f64) = (12.0, 156.0);

/// Sweeps towards closest points, then sweeps towards creases and the right volume.
const CLOSEST_SWEEPS: usize = 5;
const FEATURE_SWEEPS: usize = 5;
/// Shares of the way to a target that are tried.
const STEPS: [f64; 5] = [1.0, 0.7, 0.45, 0.25, 0.1];
/// Weight that keeps crease targets near the closest point.
const ANCHOR: f64 = 0.15;
/// Farthest that a crease target may be from the closest point, as a share of the mean edge.
const REACH: f64 = 0.6;
/// Volumes closer than this factor to the right one are corrected, by at most [`SHIFT`] of the mean edge.
const CORRECTABLE: f64 = 1.35;
const SHIFT: f64 = 0.12;

/// Moves boundary nodes in sweeps over nodes in ascending order: first onto the closest points of the surface, then
/// to where the tangent planes under the surrounding faces meet (so creases and tips are not cut off), shifted along
/// the normal so that the enclosed volume becomes that of the surface. A move is taken only when all dihedral angles
/// around the node stay inside `range` (smallest and largest, degrees), otherwise a shorter one is tried; inner nodes
/// beside a boundary node that could not follow move towards the mean of their neighbours.
///
/// # Errors
/// [`MeshingError::Cancelled`].
pub fn pull_to_surface(
    mesh: &mut TetMesh,
    solid: &MeshSolid,
    range: (f64, f64),
    progress: &Progress,
) -> Result<(), MeshingError> {
    let boundary = mesh.boundary();
    let nodes = boundary.node_of_vertex;
    let mut surface = boundary.surface;
    let faces = vertex_triangles(surface.vertex_count(), &surface.triangles);
    let mut is_boundary = vec![false; mesh.nodes.len()];
    for &node in &nodes {
        is_boundary[node as usize] = true;
    }
    let around = node_tets(mesh.nodes.len(), &mesh.tets);
    let neighbours = node_neighbours(mesh.nodes.len(), &mesh.tets);
    let limits = CosineRange::of(range);
    let mut shift = 0.0;
    for sweep in 0..CLOSEST_SWEEPS + FEATURE_SWEEPS {
        progress.check()?;
        let targets: Vec<Option<Vec3>> = if sweep < CLOSEST_SWEEPS {
            let closest = |x: &Vec3| solid.closest(x).map(|(point, _)| point);
            surface.positions.par_iter().map(closest).collect()
        } else {
            shift = volume_shift(&surface, solid.volume(), shift);
            feature_targets(&surface, &faces, solid, shift)
        };
        let mut beside_stuck = vec![false; mesh.nodes.len()];
        // half the way at first: the two sides of a thin wall then settle evenly
        let part = if sweep < 2 { 0.5 } else { 1.0 };
        for (&node, target) in nodes.iter().zip(targets) {
            let Some(target) = target else { continue };
            let way = (target - mesh.nodes[node as usize]) * part;
            if try_move(mesh, &around, node, way, &limits) < 1.0 {
                for &n in neighbours.row(node as usize) {
                    beside_stuck[n as usize] = true;
                }
            }
        }
        for node in 0..mesh.nodes.len() {
            if beside_stuck[node] && !is_boundary[node] {
                let row = neighbours.row(node);
                let sum: Vec3 = row.iter().map(|&n| mesh.nodes[n as usize]).sum();
                let way = sum / row.len() as f64 - mesh.nodes[node];
                try_move(mesh, &around, node as u32, way, &limits);
            }
        }
        for (x, &node) in surface.positions.iter_mut().zip(&nodes) {
            *x = mesh.nodes[node as usize];
        }
    }
    Ok(())
}

/// The outward shift of all boundary nodes that makes up for the missing volume, m, given the one used so far.
fn volume_shift(surface: &SurfaceMesh, wanted: f64, so_far: f64) -> f64 {
    let (volume, area) = (surface.volume(), surface.area());
    if !(volume * CORRECTABLE > wanted && volume < wanted * CORRECTABLE) {
        return 0.0;
    }
    let most = SHIFT * surface.mean_edge();
    (so_far + (wanted - volume) / area).clamp(-most, most)
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
            // a wall's other side is no neighbour
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
            let mut matrix = Mat3::identity() * (ANCHOR * row.len() as f64);
            let mut right = Vec3::zeros();
            for (p, n) in row.iter().filter_map(|&t| planes[t as usize]) {
                matrix += n * n.transpose();
                right += n * n.dot(&(p - anchor));
            }
            let step = Cholesky::new(matrix).map_or_else(Vec3::zeros, |c| c.solve(&right));
            let length = step.norm();
            let most = REACH * edge;
            let step = if length > most {
                step * (most / length)
            } else {
                step
            };
            Some(anchor + step + normals[v] * shift)
        })
        .collect()
}

/// Moves a node along `way` as far as the angles around it allow; answers the share of the way taken.
fn try_move(mesh: &mut TetMesh, around: &Csr, node: u32, way: Vec3, limits: &CosineRange) -> f64 {
    let from = mesh.nodes[node as usize];
    for step in STEPS {
        mesh.nodes[node as usize] = from + way * step;
        if star_is_good(mesh, around, node, limits) {
            return step;
        }
    }
    mesh.nodes[node as usize] = from;
    0.0
}

/// Whether all tetrahedra around a node have positive volume and angles in range.
fn star_is_good(mesh: &TetMesh, around: &Csr, node: u32, limits: &CosineRange) -> bool {
    around
        .row(node as usize)
        .iter()
        .all(|&t| limits.holds(mesh.corners(t as usize)))
}

/// A range of dihedral angles by their cosines.
#[derive(Debug, Clone, Copy)]
struct CosineRange {
    low: f64,
    high: f64,
}

impl CosineRange {
    fn of((smallest, largest): (f64, f64)) -> Self {
        Self {
            low: largest.to_radians().cos(),
            high: smallest.to_radians().cos(),
        }
    }

    /// Whether a tetrahedron has positive volume and all its dihedral angles are in the range. The angle between the faces
    /// opposite corners i and j has the cosine `-g_i · g_j / (|g_i| |g_j|)` with the gradients g of the barycentric
    /// coordinates.
    fn holds(&self, [a, b, c, d]: [Vec3; 4]) -> bool {
        let (u, v, w) = (b - a, c - a, d - a);
        let (g1, g2, g3) = (v.cross(&w), w.cross(&u), u.cross(&v));
        if u.dot(&g1) <= 0.0 {
            return false;
        }
        let g = [-(g1 + g2 + g3), g1, g2, g3];
        let squares = g.map(|x| x.norm_squared());
        (0..4).all(|i| {
            (i + 1..4).all(|j| {
                let cosine = -g[i].dot(&g[j]) / (squares[i] * squares[j]).sqrt();
                cosine > self.low && cosine < self.high
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::quality::dihedral_range;

    #[test]
    fn the_cosine_test_agrees_with_the_angles() {
        let limits = CosineRange::of((30.0, 120.0));
        for k in 0..300 {
            let t = k as f64;
            let point = |s: f64| {
                Vec3::new(
                    (t * 0.7 + s).sin(),
                    (t * 1.3 + 2.0 * s).cos(),
                    (t + 5.0 * s).sin(),
                )
            };
            let mut corners = [point(0.0), point(1.0), point(2.0), point(3.1)];
            let [a, b, c, d] = corners;
            if (b - a).dot(&(c - a).cross(&(d - a))) < 0.0 {
                assert!(!limits.holds(corners));
                corners.swap(0, 1);
            }
            let (low, high) = dihedral_range(corners);
            assert_eq!(limits.holds(corners), low > 30.0 && high < 120.0);
        }
    }
}
