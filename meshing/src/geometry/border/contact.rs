//! Where triangles of a surface meet, other than as neighbours on an edge.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use crate::geometry::triangle_crossing::cross;
use crate::repair::steps::edges::Side;

/// For each triangle, the triangles that it touches.
pub(super) struct Contacts {
    /// Triangles that cross it or overlap it in its plane, ascending.
    pub(super) crossing: Vec<Vec<u32>>,
    /// Triangles with a side along one of its own that is another edge. Matching grids touch like this without crossing.
    pub(super) along_edges: Vec<Vec<u32>>,
    /// For each of its sides, whether such a side lies along it.
    has_side_along: Vec<[bool; 3]>,
}

impl Contacts {
    /// Whether a side of another edge lies along this one.
    pub(super) fn has_side_along(&self, side: &Side) -> bool {
        self.has_side_along[side.triangle as usize][usize::from(side.corner)]
    }
}

/// Contacts between the triangles of a surface. `place` numbers distinct vertices; sides no farther apart than `tolerance` (m) lie along each other. Cost O(n log n) and that of the contacts.
pub(super) fn contacts(surface: &SurfaceMesh, place: &[u32], tolerance: f64) -> Contacts {
    let tree = TriangleTree::new(&surface.positions, &surface.triangles);
    let places = |t: usize| surface.triangles[t].map(|v| place[v as usize]);
    let found: Vec<_> = (0..surface.triangles.len())
        .into_par_iter()
        .map(|t| {
            let (corners, own_places) = (surface.corners(t), places(t));
            let (mut crossing, mut along, mut has_side_along) =
                (Vec::new(), Vec::new(), [false; 3]);
            tree.overlapping(&Aabb::of_points(&corners).inflated(tolerance), |u| {
                if u as usize == t {
                    return;
                }
                let others = surface.corners(u as usize);
                if cross(corners, others) {
                    crossing.push(u);
                    return;
                }
                let other_places = places(u as usize);
                let common = own_places
                    .iter()
                    .filter(|v| other_places.contains(v))
                    .count();
                // neighbours touch in their common edge only
                if common > 1 {
                    return;
                }
                let mut is_along = false;
                for (k, has_side) in has_side_along.iter_mut().enumerate() {
                    let side = [corners[k], corners[(k + 1) % 3]];
                    let meets =
                        |l: usize| lie_along(side, [others[l], others[(l + 1) % 3]], tolerance);
                    if (0..3).any(meets) {
                        *has_side = true;
                        is_along = true;
                    }
                }
                if is_along {
                    along.push(u);
                }
            });
            crossing.sort_unstable();
            (crossing, (along, has_side_along))
        })
        .collect();
    let (crossing, (along_edges, has_side_along)): (Vec<_>, (Vec<_>, Vec<_>)) =
        found.into_iter().unzip();
    Contacts {
        crossing,
        along_edges,
        has_side_along,
    }
}

/// Whether two segments have more than a point in common, within `tolerance` (m).
fn lie_along([a, b]: [Vec3; 2], [p, q]: [Vec3; 2], tolerance: f64) -> bool {
    let along = b - a;
    let Some(direction) = along.try_normalize(tolerance) else {
        return false;
    };
    let from_line = |x: &Vec3| (x - a - direction * direction.dot(&(x - a))).norm();
    if from_line(&p) > tolerance || from_line(&q) > tolerance {
        return false;
    }
    let (s, t) = (direction.dot(&(p - a)), direction.dot(&(q - a)));
    s.min(t).max(0.0) + tolerance < s.max(t).min(along.norm())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_lie_along_each_other_where_they_share_a_length() {
        let segment = |from: [f64; 3], to: [f64; 3]| [Vec3::from(from), Vec3::from(to)];
        let one = segment([0.0; 3], [2.0, 0.0, 0.0]);
        for (from, to, expected) in [
            ([1.0, 0.0, 0.0], [3.0, 0.0, 0.0], true),
            ([3.0, 1e-12, 0.0], [-1.0, 0.0, 1e-12], true),
            ([0.5, 0.0, 0.0], [0.6, 0.0, 0.0], true),
            // end to end, beside, across
            ([2.0, 0.0, 0.0], [3.0, 0.0, 0.0], false),
            ([0.0, 1e-6, 0.0], [2.0, 1e-6, 0.0], false),
            ([1.0, 0.0, 0.0], [1.0, 1.0, 0.0], false),
            // no length
            ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0], false),
        ] {
            let other = segment(from, to);
            assert_eq!(lie_along(one, other, 1e-9), expected, "{other:?}");
            assert_eq!(lie_along(other, one, 1e-9), expected, "{other:?}");
        }
    }
}
