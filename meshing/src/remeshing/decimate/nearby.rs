//! Tests whether a changed triangle would intersect another part of the surface.

use std::collections::HashMap;

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

use crate::remeshing::editable_surface::EditableSurface;

/// Faces whose box covers more cells than this are kept in one list.
const MAX_CELLS: i64 = 256;

/// The live faces sorted into the cells of a hashed grid.
pub(crate) struct FaceGrid {
    cell: f64,
    cells: HashMap<[i32; 3], Vec<u32>>,
    large: Vec<u32>,
    /// live faces when the grid was built
    built_for: usize,
}

impl FaceGrid {
    pub(crate) fn new(surface: &EditableSurface) -> Self {
        let mut edges = 0.0;
        let mut bounds = Aabb::empty();
        for f in surface.live_faces() {
            let [a, b, c] = surface.corners(f);
            edges += (b - a).norm() + (c - b).norm() + (a - c).norm();
            bounds = bounds.union(&Aabb::of_points(&[a, b, c]));
        }
        let mean = edges / (3 * surface.live.max(1)) as f64;
        let mut grid = Self {
            cell: (1.5 * mean)
                .max(1e-6 * bounds.diagonal())
                .max(f64::MIN_POSITIVE),
            cells: HashMap::new(),
            large: Vec::new(),
            built_for: surface.live,
        };
        for f in surface.live_faces() {
            grid.insert(f, surface.corners(f));
        }
        grid
    }

    /// Whether so few faces are left that a new grid with larger cells is faster.
    pub(crate) fn is_stale(&self, surface: &EditableSurface) -> bool {
        surface.live * 3 < self.built_for
    }

    fn range(&self, corners: [Vec3; 3]) -> ([i32; 3], [i32; 3], i64) {
        let bounds = Aabb::of_points(&corners);
        let cell = |x: f64| (x / self.cell).floor() as i32;
        let lo = [0, 1, 2].map(|k| cell(bounds.min[k]));
        let hi = [0, 1, 2].map(|k| cell(bounds.max[k]));
        let count = (0..3)
            .map(|k| i64::from(hi[k]) - i64::from(lo[k]) + 1)
            .product();
        (lo, hi, count)
    }

    pub(crate) fn insert(&mut self, face: u32, corners: [Vec3; 3]) {
        let (lo, hi, count) = self.range(corners);
        if count > MAX_CELLS {
            self.large.push(face);
            return;
        }
        for_each_cell(lo, hi, |cell| {
            self.cells.entry(cell).or_default().push(face);
            true
        });
    }

    pub(crate) fn remove(&mut self, face: u32, corners: [Vec3; 3]) {
        let (lo, hi, count) = self.range(corners);
        if count > MAX_CELLS {
            self.large.retain(|&f| f != face);
            return;
        }
        for_each_cell(lo, hi, |cell| {
            if let Some(list) = self.cells.get_mut(&cell) {
                list.retain(|&f| f != face);
            }
            true
        });
    }

    /// Whether merging `b` into `a` at `place` makes one of the remaining faces cut a face that is not changed.
    pub(crate) fn would_intersect(
        &self,
        surface: &EditableSurface,
        a: u32,
        b: u32,
        place: &Vec3,
    ) -> bool {
        surface.remaining(a, b).any(|face| {
            let ids = surface.faces[face as usize].map(|v| if v == b { a } else { v });
            let corners = surface.corners_after(face, &[a, b], place);
            let bounds = Aabb::of_points(&corners);
            let hits = |other: u32| {
                let other_ids = surface.faces[other as usize];
                if other_ids.contains(&a) || other_ids.contains(&b) {
                    return false;
                }
                let other_corners = surface.corners(other);
                Aabb::of_points(&other_corners).overlaps(&bounds)
                    && triangles_cross(ids, corners, other_ids, other_corners)
            };
            let (lo, hi, count) = self.range(corners);
            if count > MAX_CELLS {
                // very large faces are rare: they are compared with all faces
                return surface.live_faces().any(hits);
            }
            let mut found = self.large.iter().any(|&f| hits(f));
            for_each_cell(lo, hi, |cell| {
                found = found
                    || self
                        .cells
                        .get(&cell)
                        .is_some_and(|list| list.iter().any(|&f| hits(f)));
                !found
            });
            found
        })
    }
}

/// Visits cells until `visit` returns false.
fn for_each_cell(lo: [i32; 3], hi: [i32; 3], mut visit: impl FnMut([i32; 3]) -> bool) {
    for k in lo[2]..=hi[2] {
        for j in lo[1]..=hi[1] {
            for i in lo[0]..=hi[0] {
                if !visit([i, j, k]) {
                    return;
                }
            }
        }
    }
}

/// Whether two triangles cross anywhere but at shared corners. Triangles with a common edge never count; coplanar overlaps are not seen.
pub(crate) fn triangles_cross(
    ids: [u32; 3],
    corners: [Vec3; 3],
    other_ids: [u32; 3],
    other: [Vec3; 3],
) -> bool {
    let shared = ids.iter().filter(|v| other_ids.contains(v)).count();
    if shared >= 2 {
        return false;
    }
    let pierces = |from: [u32; 3], points: [Vec3; 3], into: [u32; 3], target: [Vec3; 3]| {
        (0..3).any(|k| {
            let (p, q) = (k, (k + 1) % 3);
            // an edge that starts at the shared corner can only touch there, or lies in the plane
            !into.contains(&from[p])
                && !into.contains(&from[q])
                && segment_crosses(points[p], points[q], target)
        })
    };
    pierces(ids, corners, other_ids, other) || pierces(other_ids, other, ids, corners)
}

/// Whether the open segment from `p` to `q` passes through a triangle: its ends lie on different sides of the plane, and its line passes the three edges on one side.
fn segment_crosses(p: Vec3, q: Vec3, [a, b, c]: [Vec3; 3]) -> bool {
    let volume = |s: Vec3, t: Vec3, u: Vec3, v: Vec3| (t - s).dot(&(u - s).cross(&(v - s)));
    let (sp, sq) = (volume(p, a, b, c), volume(q, a, b, c));
    if sp * sq >= 0.0 {
        return false;
    }
    let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossing_touching_and_distant_triangles_are_told_apart() {
        let floor = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        let post = |z: f64| {
            [
                Vec3::new(0.2, 0.2, z),
                Vec3::new(0.3, 0.2, z),
                Vec3::new(0.2, 0.3, z + 1.0),
            ]
        };
        let cross = |z: f64| triangles_cross([0, 1, 2], floor, [3, 4, 5], post(z));
        assert!(cross(-0.5));
        assert!(!cross(0.1) && !cross(-1.1));
        // fan triangles at one common corner: apart, and one that passes through the other's opposite edge
        let fan = [
            Vec3::zeros(),
            Vec3::new(-1.0, 0.0, 0.3),
            Vec3::new(-1.0, 1.0, 0.3),
        ];
        assert!(!triangles_cross([0, 1, 2], floor, [0, 3, 4], fan));
        let through = [
            Vec3::zeros(),
            Vec3::new(0.8, 0.8, 0.5),
            Vec3::new(0.8, 0.8, -0.5),
        ];
        assert!(triangles_cross([0, 1, 2], floor, [0, 3, 4], through));
    }
}
