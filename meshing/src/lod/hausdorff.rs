//! The largest distance between two surfaces, to a bound: not only at samples.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::barycentric::closest_point_on_triangle;
use pliant_core::mesh::triangle_tree::ClosestPoint;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use crate::repair::steps::weld::used_vertices;

/// Depth of subdivision at which a piece is dropped whatever its bound is.
const MAX_DEPTH: usize = 24;
/// Points evaluated together; more are evaluated in batches, so that memory stays bounded.
const BATCH_SIZE: usize = 1 << 18;

/// Where one surface is farthest from another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Farthest {
    /// The distance there, m.
    pub distance: f64,
    /// The place on the first surface, m.
    pub at: Vec3,
}

/// The point of `from` that is farthest from `to` (whose triangles `tree` holds), to within `slack(distance found)`, m.
///
/// Branch and bound (in the way of Tang, Lee and Kim 2009, "Interactive Hausdorff distance computation for general polygonal
/// models"): the distance to one triangle is a convex function, so over a piece of `from` it is largest at a corner, and the
/// triangle closest to some corner gives an upper bound. Pieces whose bound exceeds the largest distance found by more than
/// the slack are cut into four. Zero without triangles in `from`, infinite when only `to` has none. Cost: a query a vertex and a few more,
/// O(n log n), parallel; the same bits for any number of threads.
///
/// # Errors
/// [`Cancelled`].
pub fn farthest(
    from: &SurfaceMesh,
    to: &SurfaceMesh,
    tree: &TriangleTree,
    slack: impl Fn(f64) -> f64 + Sync,
    progress: &Progress,
) -> Result<Farthest, Cancelled> {
    let mut found = Farthest {
        distance: 0.0,
        at: Vec3::zeros(),
    };
    if from.triangles.is_empty() {
        return Ok(found);
    }
    if to.triangles.is_empty() {
        found.distance = f64::INFINITY;
        return Ok(found);
    }
    let used = used_vertices(from);
    let mut corners: Vec<Corner> = Vec::with_capacity(from.vertex_count());
    for (positions, used) in from
        .positions
        .chunks(BATCH_SIZE)
        .zip(used.chunks(BATCH_SIZE))
    {
        progress.check()?;
        let chunk: Vec<Corner> = positions
            .par_iter()
            .zip(used)
            .map(|(p, used)| Corner::of(*p, used.then(|| tree.closest(p)).flatten()))
            .collect();
        corners.extend(chunk);
    }
    corners.iter().for_each(|c| found.update(c));
    let mut pieces: Vec<([Corner; 3], usize)> = from
        .triangles
        .par_iter()
        .map(|t| (t.map(|v| corners[v as usize]), 0))
        .filter(|(piece, _)| upper_bound(piece, to) > found.distance + slack(found.distance))
        .collect();
    // the largest pieces first: the last batch is taken from the end
    pieces.reverse();
    while !pieces.is_empty() {
        progress.check()?;
        let batch = pieces.split_off(pieces.len().saturating_sub(BATCH_SIZE / 4));
        let limit = found.distance + slack(found.distance);
        let subdivided: Vec<([Corner; 3], usize)> = batch
            .into_par_iter()
            .filter(|(piece, depth)| *depth < MAX_DEPTH && upper_bound(piece, to) > limit)
            .flat_map_iter(|(piece, depth)| quarters(&piece, tree).map(|q| (q, depth + 1)))
            .collect();
        for (piece, _) in &subdivided {
            piece.iter().for_each(|c| found.update(c));
        }
        let limit = found.distance + slack(found.distance);
        let kept: Vec<([Corner; 3], usize)> = subdivided
            .into_par_iter()
            .filter(|(piece, _)| upper_bound(piece, to) > limit)
            .collect();
        pieces.extend(kept);
    }
    Ok(found)
}

impl Farthest {
    /// Takes a corner that is farther; of equal ones the first stays.
    fn update(&mut self, corner: &Corner) {
        if corner.distance > self.distance {
            (self.distance, self.at) = (corner.distance, corner.at);
        }
    }
}

/// A point of one surface, and the closest triangle of the other.
#[derive(Debug, Clone, Copy)]
struct Corner {
    at: Vec3,
    triangle: u32,
    distance: f64,
}

impl Corner {
    fn of(at: Vec3, closest: Option<ClosestPoint>) -> Self {
        let (triangle, distance) =
            closest.map_or((0, 0.0), |c| (c.triangle, c.distance_squared.sqrt()));
        Self {
            at,
            triangle,
            distance,
        }
    }
}

/// No point of the piece is farther from `to` than this.
fn upper_bound(piece: &[Corner; 3], to: &SurfaceMesh) -> f64 {
    let to_one = |triangle: u32| {
        let corners = to.corners(triangle as usize);
        let distance = |p: &Corner| {
            let (q, _) = closest_point_on_triangle(&p.at, corners);
            (q - p.at).norm()
        };
        piece.iter().map(distance).fold(0.0, f64::max)
    };
    piece
        .iter()
        .map(|c| to_one(c.triangle))
        .fold(f64::INFINITY, f64::min)
}

/// The four pieces between the corners and the midpoints of a piece's sides.
fn quarters([a, b, c]: &[Corner; 3], tree: &TriangleTree) -> [[Corner; 3]; 4] {
    let middle = |p: &Corner, q: &Corner| {
        // the same bits from both sides
        let at = (p.at + q.at) * 0.5;
        Corner::of(at, tree.closest(&at))
    };
    let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
    [[*a, ab, ca], [ab, *b, bc], [ca, bc, *c], [ab, bc, ca]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::{sphere, torus};
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    fn farthest_between(from: &SurfaceMesh, to: &SurfaceMesh, slack: f64) -> Farthest {
        let tree = TriangleTree::new(&to.positions, &to.triangles);
        farthest(from, to, &tree, |_| slack, &Progress::new()).expect("not cancelled")
    }

    #[test]
    fn the_middle_of_a_large_face_is_found_far_from_any_vertex() {
        // a box around a ball: its faces touch the ball, its corners are farthest; the other way round the ball's
        // farthest points from the box are between its corners
        let ball = sphere(4);
        let cube = box_surface(Vec3::repeat(2.0), [1; 3], CellStyle::Kuhn);
        let corner = farthest_between(&cube, &ball, 1e-6);
        assert!((corner.distance - (3.0_f64.sqrt() - 1.0)).abs() < 0.01);
        let flat = box_surface(Vec3::new(4.0, 0.2, 4.0), [1; 3], CellStyle::Kuhn);
        let mut dented = box_surface(Vec3::new(4.0, 0.2, 4.0), [8, 1, 8], CellStyle::Kuhn);
        for x in &mut dented.positions {
            if x.norm() < 0.2 && x.y > 0.0 {
                x.y -= 0.1;
            }
        }
        // the dent lies under a face of two triangles whose corners are all on the other surface
        let dent = farthest_between(&flat, &dented, 1e-6);
        assert!(dent.distance > 0.05, "{}", dent.distance);
        assert!(dent.at.x.abs() < 0.5 && dent.at.z.abs() < 0.5);
        assert!(flat.positions.iter().all(|v| (v - dent.at).norm() > 1.0));
    }

    #[test]
    fn it_is_never_below_a_dense_sampling_by_more_than_the_slack() {
        let (ring, coarse) = (torus(0.4, 30, 14), torus(0.4, 7, 5));
        let slack = 1e-4;
        for (from, to) in [(&ring, &coarse), (&coarse, &ring)] {
            let bound = farthest_between(from, to, slack).distance + slack;
            let tree = TriangleTree::new(&to.positions, &to.triangles);
            for t in 0..from.triangles.len() {
                let [a, b, c] = from.corners(t);
                for i in 0..=12 {
                    for j in 0..=12 - i {
                        let (u, v) = (f64::from(i) / 12.0, f64::from(j) / 12.0);
                        let p = a + (b - a) * u + (c - a) * v;
                        let d = tree.closest(&p).map_or(0.0, |q| q.distance_squared.sqrt());
                        assert!(d <= bound);
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_is_at_no_distance_and_infinitely_far_from_something() {
        let (ball, nothing) = (sphere(1), SurfaceMesh::new(Vec::new(), Vec::new()));
        assert_eq!(farthest_between(&nothing, &ball, 0.1).distance, 0.0);
        assert_eq!(
            farthest_between(&ball, &nothing, 0.1).distance,
            f64::INFINITY
        );
        assert!(farthest_between(&ball, &ball, 1e-9).distance < 1e-12);
        let cancelled = Progress::new();
        cancelled.cancel();
        let tree = TriangleTree::new(&ball.positions, &ball.triangles);
        assert!(farthest(&ball, &ball, &tree, |_| 0.1, &cancelled).is_err());
    }
}
