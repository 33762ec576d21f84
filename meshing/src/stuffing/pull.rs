//! Pulls the boundary of a stuffed mesh onto the input surface, as far as the angles allow.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::adjacency::node_tets;
use pliant_core::mesh::{Csr, TetMesh, TriangleTree};
use rayon::prelude::*;

use crate::error::MeshingError;

/// Dihedral angles that pulling must keep, degrees (the second bound of Labelle and Shewchuk 2007 below, the first above).
pub const ANGLE_RANGE: (f64, f64) = (8.9, 164.8);

const SWEEPS: usize = 4;
const STEPS: [f64; 5] = [1.0, 0.7, 0.45, 0.25, 0.1];

/// Moves boundary nodes towards their closest points on `tree` in a few sweeps over nodes in ascending order; a move is
/// taken only when all dihedral angles around the node stay inside [`ANGLE_RANGE`], otherwise a shorter one is tried.
///
/// # Errors
/// [`MeshingError::Cancelled`].
pub fn pull_to_surface(
    mesh: &mut TetMesh,
    tree: &TriangleTree,
    progress: &Progress,
) -> Result<(), MeshingError> {
    let boundary = mesh.boundary().node_of_vertex;
    let around = node_tets(mesh.nodes.len(), &mesh.tets);
    let limits = CosineRange::of(ANGLE_RANGE);
    for _ in 0..SWEEPS {
        progress.check()?;
        let targets: Vec<Option<Vec3>> = boundary
            .par_iter()
            .map(|&node| tree.closest(&mesh.nodes[node as usize]).map(|c| c.point))
            .collect();
        for (&node, target) in boundary.iter().zip(targets) {
            let from = mesh.nodes[node as usize];
            let Some(way) = target.map(|t| t - from) else {
                continue;
            };
            for step in STEPS {
                mesh.nodes[node as usize] = from + way * step;
                if star_is_good(mesh, &around, node, &limits) {
                    break;
                }
                mesh.nodes[node as usize] = from;
            }
        }
    }
    Ok(())
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
