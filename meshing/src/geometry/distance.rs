//! How far apart two surfaces are.

use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TriangleTree, unique_edges};
use rayon::prelude::*;

use crate::repair::steps::weld::used_vertices;

/// Two-sided Hausdorff distance of two surfaces, m: the larger of both [`one_sided`] distances.
pub fn hausdorff(a: &SurfaceMesh, b: &SurfaceMesh) -> f64 {
    one_sided(a, b).max(one_sided(b, a))
}

/// Largest distance from a sample of `from` to the surface `to`, m: samples are corners, edge midpoints and centres of all triangles.
///
/// A lower bound of the true one-sided distance that errs by at most a third of the longest edge of `from`, usually much less. Zero when `from` has no
/// triangles, infinite when only `to` has none. Cost: O((triangles of `from`) log (triangles of `to`)), in parallel; the same bits for any number of threads.
pub fn one_sided(from: &SurfaceMesh, to: &SurfaceMesh) -> f64 {
    if from.triangles.is_empty() {
        return 0.0;
    }
    let tree = TriangleTree::new(&to.positions, &to.triangles);
    let distance = |p: Vec3| {
        tree.closest(&p)
            .map_or(f64::INFINITY, |c| c.distance_squared)
    };
    let corners: Vec<f64> = (from.positions.par_iter().zip(&used_vertices(from)))
        .map(|(p, &used)| if used { distance(*p) } else { 0.0 })
        .collect();
    let midpoints: Vec<f64> = unique_edges(&from.triangles)
        .par_iter()
        .map(|e| e.map(|v| from.positions[v as usize]))
        .map(|[a, b]| distance((a + b) * 0.5))
        .collect();
    let centers: Vec<f64> = (0..from.triangles.len())
        .into_par_iter()
        .map(|t| distance(from.corners(t).iter().sum::<Vec3>() / 3.0))
        .collect();
    [corners, midpoints, centers]
        .iter()
        .flatten()
        .fold(0.0, |most: f64, &d| most.max(d))
        .sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::mapped;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn a_moved_box_is_as_far_as_it_was_moved() {
        let surface = box_surface(Vec3::new(1.0, 0.5, 0.7), [5, 3, 4], CellStyle::Kuhn);
        assert!(hausdorff(&surface, &surface) < 1e-15);
        for shift in [Vec3::new(0.2, 0.0, 0.0), Vec3::new(0.0, -0.1, 0.0)] {
            let moved = mapped(surface.clone(), |p| p + shift);
            assert!((hausdorff(&surface, &moved) - shift.norm()).abs() < 1e-15);
        }
    }

    #[test]
    fn a_part_is_close_to_the_whole_but_not_the_other_way_round() {
        let whole = box_surface(Vec3::repeat(1.0), [2; 3], CellStyle::Kuhn);
        let mut part = whole.clone();
        part.triangles
            .retain(|t| t.iter().all(|&v| whole.positions[v as usize].x < 0.4));
        assert!(one_sided(&part, &whole) < 1e-15);
        // from the middle of the missing face to the rim of the half that is left
        assert!((one_sided(&whole, &part) - 0.5_f64.sqrt()).abs() < 1e-15);
        let nothing = SurfaceMesh::new(Vec::new(), Vec::new());
        assert_eq!(one_sided(&nothing, &whole), 0.0);
        assert_eq!(hausdorff(&whole, &nothing), f64::INFINITY);
    }
}
