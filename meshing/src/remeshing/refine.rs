//! Finer triangles where edges are too long; the surface itself stays exactly where it is.

use pliant_core::mesh::SurfaceMesh;

use super::subdivide::EdgeTable;

/// The most vertices that refinement may reach.
const VERTEX_LIMIT: usize = 400_000;
/// Most rounds of halving; enough for a factor of a thousand.
const ROUNDS: usize = 10;

/// Halves edges longer than `max_edge` (m) until none is left. A round of halving that would give the surface more than 400,000 vertices is left out.
///
/// Vertices that were there keep their numbers, groups gain the midpoints between two of their vertices, and the result is as closed
/// and manifold as the input: both triangles at an edge see the same midpoint. Returns the number of vertices added.
pub fn split_long_edges(surface: &mut SurfaceMesh, max_edge: f64) -> usize {
    split_within(surface, max_edge, VERTEX_LIMIT)
}

/// See [`split_long_edges`]. A round of halving that would exceed `limit` vertices is left out.
fn split_within(surface: &mut SurfaceMesh, max_edge: f64, limit: usize) -> usize {
    let before = surface.vertex_count();
    for _ in 0..ROUNDS {
        // `split_once` counts two triangles for each new vertex, also at a border, so that this limits vertices exactly
        let room = limit.saturating_sub(surface.vertex_count());
        let max_triangles = surface.triangles.len() + 2 * room;
        if split_edges(surface, max_triangles, |_, length| length > max_edge) == 0 {
            break;
        }
    }
    surface.vertex_count() - before
}

/// Halves each edge for which `should_split` is true (of its vertices and its length, m), unless there would be more than `max_triangles` triangles.
/// Returns the number of halved edges.
///
/// As with [`split_long_edges`], vertices keep their numbers, groups gain midpoints, and the surface stays where it is.
pub fn split_edges(
    surface: &mut SurfaceMesh,
    max_triangles: usize,
    should_split: impl Fn([u32; 2], f64) -> bool,
) -> usize {
    split_once(surface, max_triangles, should_split, f64::le)
}

/// See [`split_edges`]. Where two edges of a triangle are halved, a quadrilateral remains. It is cut along its first diagonal if `prefers_first` of the lengths of both
/// diagonals is true.
pub(crate) fn split_once(
    surface: &mut SurfaceMesh,
    max_triangles: usize,
    should_split: impl Fn([u32; 2], f64) -> bool,
    prefers_first: fn(&f64, &f64) -> bool,
) -> usize {
    let table = EdgeTable::new(surface.vertex_count(), &surface.triangles);
    let before = surface.vertex_count();
    let mut middle = vec![None; table.len()];
    for (middle, &[a, b]) in middle.iter_mut().zip(&table.ends) {
        let (p, q) = (surface.positions[a as usize], surface.positions[b as usize]);
        if should_split([a, b], (q - p).norm()) {
            *middle = Some(surface.positions.len() as u32);
            surface.positions.push((p + q) * 0.5);
        }
    }
    let count = surface.vertex_count() - before;
    if count == 0 || surface.triangles.len() + 2 * count > max_triangles {
        surface.positions.truncate(before);
        return 0;
    }
    for group in &mut surface.groups {
        table.extend_group(group, |e| middle[e]);
    }
    let prefers_first = |[a, b]: [u32; 2], [c, d]: [u32; 2]| {
        let length =
            |v: u32, w: u32| (surface.positions[v as usize] - surface.positions[w as usize]).norm();
        prefers_first(&length(a, b), &length(c, d))
    };
    let mut triangles = Vec::with_capacity(surface.triangles.len() + 2 * count);
    for (triangle, edges) in surface.triangles.iter().zip(&table.of_face) {
        let middles = edges.map(|e| middle[e as usize]);
        split(*triangle, middles, prefers_first, &mut triangles);
    }
    surface.triangles = triangles;
    count
}

/// Splits a triangle at the middles of its edges ab, bc, ca, as far as they have one.
fn split(
    [a, b, c]: [u32; 3],
    middles: [Option<u32>; 3],
    prefers_first: impl Fn([u32; 2], [u32; 2]) -> bool,
    out: &mut Vec<[u32; 3]>,
) {
    // the edges at `tip` are split, at `m` before it and at `n` after it
    let mut cut_tip = |[tip, next, last]: [u32; 3], m: u32, n: u32| {
        out.push([tip, n, m]);
        // the quadrilateral n, next, last, m
        if prefers_first([n, last], [next, m]) {
            out.extend([[n, next, last], [n, last, m]]);
        } else {
            out.extend([[n, next, m], [next, last, m]]);
        }
    };
    match middles {
        [Some(m), Some(n), None] => cut_tip([b, c, a], m, n),
        [None, Some(m), Some(n)] => cut_tip([c, a, b], m, n),
        [Some(n), None, Some(m)] => cut_tip([a, b, c], m, n),
        [None, None, None] => out.push([a, b, c]),
        [Some(m), None, None] => out.extend([[a, m, c], [m, b, c]]),
        [None, Some(m), None] => out.extend([[b, m, a], [m, c, a]]),
        [None, None, Some(m)] => out.extend([[c, m, b], [m, a, b]]),
        [Some(ab), Some(bc), Some(ca)] => {
            out.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_core::mesh::validate::topology;

    use super::*;
    use crate::test_bodies::add_group;

    #[test]
    fn a_slab_gets_short_edges_and_stays_itself() {
        let mut slab = box_surface(Vec3::new(1.0, 0.1, 0.7), [1, 1, 1], CellStyle::Kuhn);
        add_group(&mut slab, "top", |x| x.y > 0.0);
        let corners = slab.positions.clone();
        let (area, volume) = (slab.area(), slab.volume());
        let added = split_long_edges(&mut slab, 0.11);
        assert_eq!(slab.vertex_count(), 8 + added);
        assert_eq!(&slab.positions[..8], &corners[..]);
        for t in 0..slab.triangles.len() {
            let [a, b, c] = slab.corners(t);
            assert!((a - b).norm().max((b - c).norm()).max((c - a).norm()) <= 0.11);
        }
        assert!((slab.area() / area - 1.0).abs() < 1e-12);
        assert!((slab.volume() / volume - 1.0).abs() < 1e-12);
        assert!(topology(&slab).is_sound());
        let top = slab.group("top").expect("the group");
        assert!(top.iter().all(|&v| slab.positions[v as usize].y > 0.0) && top.len() > 50);
        assert_eq!(split_long_edges(&mut slab, 0.11), 0);
    }

    #[test]
    fn a_round_that_would_exceed_the_limit_is_left_out() {
        let mut slab = box_surface(Vec3::new(1.0, 0.1, 0.7), [1, 1, 1], CellStyle::Kuhn);
        let mut coarse = slab.clone();
        // with one vertex less the last round does not fit
        split_long_edges(&mut slab, 0.11);
        let limit = slab.vertex_count();
        let count = split_within(&mut coarse, 0.11, limit - 1) + 8;
        assert_eq!(count, coarse.vertex_count());
        assert!((limit / 5..limit - 1).contains(&count), "{limit}");
        assert!(topology(&coarse).is_sound());
        assert!(split_within(&mut coarse, 0.11, limit) > 0, "now it fits");
        assert_eq!(coarse, slab);
    }
}
