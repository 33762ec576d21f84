//! Rims of patches that cross no edge of the cell: pores and fingers through the middle of a face, bubbles and small parts inside the cell.

use pliant_core::math::Vec3;
use pliant_core::mesh::validate::UnionFind;

use super::cell::{Cell, NO_NEIGHBOUR};
use crate::voxelise::grid::crossings::line_crossing;

/// Joins each rim that is closed inside one face, and each patch that is closed inside the cell, with what bounds the same material.
///
/// A ray from the farthest point of a closed rim in some direction starts in what surrounds it. If that is material, the rim belongs to a pore: the next
/// surface in this direction, or else the corner of the cell at the end of a path along the border, bounds the same piece. If not, the rim belongs to a
/// finger, which is not joined here.
pub(crate) fn join_rims(cell: &Cell<'_>, sets: &mut UnionFind, rims: &mut UnionFind) {
    let count = cell.triangles.len();
    let corners = cell.corners();
    // patches as they are now: whether a triangle of each leaves the cell
    let patch: Vec<usize> = (0..count).map(|k| sets.find(k as u32) as usize).collect();
    let mut leaves = vec![false; count];
    for (k, triangle) in corners.iter().enumerate() {
        leaves[patch[k]] |= triangle.iter().any(|p| !cell.contains(p));
    }
    for root in (0..count).filter(|&k| patch[k] == k && !leaves[k]) {
        let own = |k: usize| patch[k] == root;
        let farthest = (0..count)
            .filter(|&k| own(k))
            .flat_map(|k| corners[k])
            .max_by(|a, b| a.x.total_cmp(&b.x));
        if let Some(from) = farthest {
            join_along_path(cell, &corners, sets, root, own, from, &[0, 1, 2]);
        }
    }
    for axis in 0..3 {
        for side in 0..2 {
            join_on_face(cell, &corners, sets, rims, axis, side);
        }
    }
}

fn join_on_face(
    cell: &Cell<'_>,
    corners: &[[Vec3; 3]],
    sets: &mut UnionFind,
    rims: &mut UnionFind,
    axis: usize,
    side: usize,
) {
    let count = corners.len();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let height = (cell.at[axis] + side) as f64;
    rims.reset(count);
    // farthest point of each rim along u, by its first triangle; nothing for triangles that do not reach the face
    let mut points: Vec<Option<Vec3>> = vec![None; count];
    for (k, triangle) in corners.iter().enumerate() {
        for edge in 0..3 {
            let (a, b) = (&triangle[edge], &triangle[(edge + 1) % 3]);
            let Some(point) =
                at_height(a, b, axis, height).filter(|p| cell.contains_in_face(p, axis))
            else {
                continue;
            };
            let best = &mut points[k];
            if best.is_none_or(|old| point[u] > old[u]) {
                *best = Some(point);
            }
            let neighbour = cell.body.neighbours[cell.triangles[k] as usize][edge];
            if neighbour != NO_NEIGHBOUR
                && let Some(other) = cell.index_of(neighbour)
            {
                rims.join(k as u32, other);
            }
        }
    }
    let mut on_edge = vec![false; count];
    for (along, across) in [(u, v), (v, u)] {
        for far in 0..2 {
            let corner = side << axis | far << across;
            for crossing in cell.crossings(along, corner) {
                if let Some(k) = cell.index_of(crossing.triangle) {
                    on_edge[rims.find(k) as usize] = true;
                }
            }
        }
    }
    let rim: Vec<usize> = (0..count).map(|k| rims.find(k as u32) as usize).collect();
    for k in 0..count {
        let root = rim[k];
        if let Some(point) = points[k]
            && points[root].is_none_or(|best| point[u] > best[u])
        {
            points[root] = Some(point);
        }
    }
    for root in (0..count).filter(|&k| rim[k] == k && !on_edge[k]) {
        if let Some(from) = points[root] {
            join_along_path(cell, corners, sets, root, |k| rim[k] == root, from, &[u, v]);
        }
    }
}

/// Follows a path from `from` along the axes in turn, each to the border of the cell. Joins `element` with the first surface on it if material ends
/// there, or with the corner at its end if that lies in material.
fn join_along_path(
    cell: &Cell<'_>,
    corners: &[[Vec3; 3]],
    sets: &mut UnionFind,
    element: usize,
    own: impl Fn(usize) -> bool,
    from: Vec3,
    axes: &[usize],
) {
    let mut point = from;
    for (step, &axis) in axes.iter().enumerate() {
        let end = cell.at[axis] as f64 + 1.0;
        let line = [point[(axis + 1) % 3], point[(axis + 2) % 3]];
        let hit = (0..corners.len())
            .filter(|&k| step > 0 || !own(k))
            .filter_map(|k| {
                line_crossing(&corners[k], axis, line).map(|(along, sign)| (along, sign, k))
            })
            .filter(|(along, ..)| *along > point[axis] && *along <= end)
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, sign, k)) = hit {
            if sign * cell.body.outward < 0 {
                sets.join(element as u32, k as u32);
            }
            return;
        }
        point[axis] = end;
    }
    let corner: usize = (0..3)
        .filter(|&k| point[k] > cell.at[k] as f64 + 0.5)
        .map(|k| 1 << k)
        .sum();
    if cell.inside[corner] {
        sets.join(element as u32, (corners.len() + corner) as u32);
    }
}

/// Where the segment crosses a plane `axis` = `height`.
fn at_height(a: &Vec3, b: &Vec3, axis: usize, height: f64) -> Option<Vec3> {
    if (a[axis] > height) == (b[axis] > height) {
        return None;
    }
    let mut point = a + (b - a) * ((height - a[axis]) / (b[axis] - a[axis]));
    point[axis] = height;
    Some(point)
}

impl Cell<'_> {
    /// Whether a point lies in the cell.
    fn contains(&self, p: &Vec3) -> bool {
        (0..3).all(|k| p[k] >= self.at[k] as f64 && p[k] <= self.at[k] as f64 + 1.0)
    }

    /// Whether a point in the plane of a face lies in it.
    fn contains_in_face(&self, p: &Vec3, axis: usize) -> bool {
        (0..3).all(|k| k == axis || p[k] >= self.at[k] as f64 && p[k] <= self.at[k] as f64 + 1.0)
    }
}
