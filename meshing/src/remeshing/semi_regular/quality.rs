//! Quality of each level.

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use super::result::SemiRegular;
use crate::geometry::distance::hausdorff;
use crate::geometry::self_intersection::crossing_pairs;
use crate::remeshing::subdivide::SubdivideError;

/// Quality of one level, compared with the input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelQuality {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Two-sided distance from the input over its diagonal, sampled at vertices, edges and faces (`geometry/distance.rs`).
    pub distance_rel: f64,
    /// Triangles whose normal is more than a right angle from that of the input triangle closest to their centre; on the finest level
    /// [`SemiRegular::folded_triangles`]. Coarse levels cut across what they do not resolve, so they may have some.
    pub folded_triangles: usize,
    /// Pairs of triangles that cross.
    pub self_intersections: usize,
}

/// Measures every level against the `surface` that was remeshed. Cost: O(n log n) a level.
///
/// # Errors
/// [`SubdivideError::Cancelled`].
pub fn level_qualities(
    surface: &SurfaceMesh,
    result: &SemiRegular,
    progress: &Progress,
) -> Result<Vec<LevelQuality>, SubdivideError> {
    progress.stage("measuring levels");
    let tree = TriangleTree::new(&surface.positions, &surface.triangles);
    let diagonal = surface.bounds().diagonal().max(f64::MIN_POSITIVE);
    let last = result.levels.len() - 1;
    let mut found = Vec::with_capacity(result.levels.len());
    for (k, level) in result.levels.iter().enumerate() {
        progress.check()?;
        // the finest was measured already
        let (distance_rel, folded_triangles, self_intersections) = if k == last {
            (
                result.distance_rel,
                result.folded_triangles,
                result.self_intersections,
            )
        } else {
            (
                hausdorff(level, surface) / diagonal,
                count_folded(level, surface, &tree),
                crossing_pairs(level, progress)?.len(),
            )
        };
        found.push(LevelQuality {
            vertices: level.vertex_count(),
            triangles: level.triangles.len(),
            distance_rel,
            folded_triangles,
            self_intersections,
        });
    }
    Ok(found)
}

fn count_folded(level: &SurfaceMesh, surface: &SurfaceMesh, tree: &TriangleTree) -> usize {
    (0..level.triangles.len())
        .into_par_iter()
        .filter(|&t| {
            let [a, b, c] = level.corners(t);
            let nearest = tree.closest(&((a + b + c) / 3.0));
            nearest.is_some_and(|at| {
                (surface.area_vector(at.triangle as usize)).dot(&level.area_vector(t)) < 0.0
            })
        })
        .count()
}
