//! Laws of closed surfaces.

use super::{OpenSurface, Seam, close};
use crate::math::Vec3;
use crate::math::random::SplitMix64;
use crate::mesh::SurfaceMesh;
use crate::mesh::procedural::{CellStyle, box_surface};
use crate::mesh::validate::topology;

const SPACING: f64 = 0.1;

/// Closes a surface and returns it with sharp vertices merged, and its seam.
fn closed(
    positions: Vec<Vec3>,
    mut skin: Vec<[u32; 3]>,
    touched: &[bool],
    caps: Vec<[u32; 3]>,
) -> (SurfaceMesh, Seam) {
    let open = OpenSurface {
        positions: &positions,
        inward: &[],
        pieces: &[],
        skin: &mut skin,
        touched,
        caps,
    };
    let seam = close(open, SPACING);
    let cut = seam.closed_surface(SurfaceMesh::new(positions, skin), Vec::new(), 0..0);
    (cut.closed(), seam)
}

fn assert_closed(surface: &SurfaceMesh) {
    let found = topology(surface);
    assert!(found.is_closed(), "{:?}", found.boundary_edges);
    assert!(found.is_manifold(), "{found:?}");
    assert!(found.is_oriented(), "{:?}", found.misoriented_edges);
}

/// A cube of 1 m without its lid, and a lid of its own whose boundary has other vertices.
fn open_box(cells: usize) -> (Vec<Vec3>, Vec<[u32; 3]>, Vec<[u32; 3]>) {
    let skin = box_surface(Vec3::repeat(1.0), [10; 3], CellStyle::Kuhn);
    let lid = box_surface(Vec3::repeat(1.0), [cells; 3], CellStyle::Kuhn);
    let is_lid =
        |of: &SurfaceMesh, t: &[u32; 3]| t.iter().all(|v| of.positions[*v as usize].y > 0.499);
    let walls = skin.triangles.iter().copied().filter(|t| !is_lid(&skin, t));
    let walls: Vec<[u32; 3]> = walls.collect();
    let first = skin.vertex_count() as u32;
    let caps = lid.triangles.iter().filter(|t| is_lid(&lid, t));
    let caps = caps.map(|t| t.map(|v| v + first)).collect();
    let mut positions = skin.positions;
    positions.extend(lid.positions);
    (positions, walls, caps)
}

#[test]
fn a_lid_with_other_vertices_is_joined_by_a_strip_that_adds_no_area() {
    for cells in [7, 10, 16] {
        let (places, walls, caps) = open_box(cells);
        let count = caps.len();
        let (surface, seam) = closed(places, walls, &[], caps);
        assert_closed(&surface);
        // one triangle for each edge of either boundary
        assert_eq!(seam.triangles.len() - count, 4 * (10 + cells));
        assert_eq!(seam.sharp.len(), 40);
        assert!(seam.copies.is_empty());
        assert!((surface.volume() - 1.0).abs() < 1e-12);
        let area = surface.area();
        assert!((area - 6.0).abs() < 1e-12, "{area}");
    }
}

#[test]
fn a_missing_lid_is_filled() {
    let (places, walls, _) = open_box(4);
    let (surface, seam) = closed(places, walls, &[], Vec::new());
    assert_closed(&surface);
    assert_eq!(seam.triangles.len(), 40 - 2);
    assert!((surface.volume() - 1.0).abs() < 1e-12);
}

#[test]
fn a_surface_that_is_closed_stays_as_it_is() {
    let skin = box_surface(Vec3::repeat(1.0), [3; 3], CellStyle::Kuhn);
    let (surface, seam) = closed(
        skin.positions.clone(),
        skin.triangles.clone(),
        &[],
        Vec::new(),
    );
    assert_eq!(seam, Seam::default());
    assert_eq!(surface.triangles, skin.triangles);
    // around untouched vertices an open surface stays open
    let untouched = vec![false; skin.vertex_count()];
    let mut open = skin.triangles;
    open.pop();
    let (_, seam) = closed(skin.positions, open, &untouched, Vec::new());
    assert_eq!(seam, Seam::default());
}

/// Both halves of a cube that a cut through its middle has separated, and caps that are smaller than the opening, all in the same plane.
#[test]
fn both_sides_of_a_cut_get_their_own_caps() {
    let half = |up: bool| {
        let mut half = box_surface(Vec3::new(1.0, 0.5, 1.0), [10, 5, 10], CellStyle::Kuhn);
        let shift = if up { 0.25 } else { -0.25 };
        let is_cap = |x: &Vec3| (x.y + shift).abs() < 1e-9;
        let open = half.triangles.iter().copied();
        let open = open.filter(|t| !t.iter().all(|v| is_cap(&half.positions[*v as usize])));
        half.triangles = open.collect();
        for x in &mut half.positions {
            x.y += shift;
        }
        half
    };
    let sheet = |up: bool| {
        let (n, width) = (8, 0.96);
        let at = |k: u32| width * (f64::from(k) / f64::from(n) - 0.5);
        let places = (0..=n).flat_map(|i| (0..=n).map(move |k| Vec3::new(at(i), 0.0, at(k))));
        let cells = (0..n).flat_map(|i| (0..n).map(move |k| i * (n + 1) + k));
        // seen from above, x to z is clockwise
        let triangles = cells.flat_map(|a| {
            let (b, c, d) = (a + 1, a + n + 1, a + n + 2);
            [[a, b, d], [a, d, c]].map(|[p, q, r]| if up { [p, r, q] } else { [p, q, r] })
        });
        SurfaceMesh::new(places.collect(), triangles.collect())
    };
    let mut all = SurfaceMesh::new(Vec::new(), Vec::new());
    let mut skin = Vec::new();
    let mut caps = Vec::new();
    let parts = [half(true), half(false), sheet(true), sheet(false)];
    for (k, part) in parts.into_iter().enumerate() {
        let first = all.vertex_count() as u32;
        all.positions.extend(part.positions);
        let list = if k < 2 { &mut skin } else { &mut caps };
        list.extend(part.triangles.iter().map(|t| t.map(|v| v + first)));
    }
    let (surface, _) = closed(all.positions, skin, &[], caps);
    assert_closed(&surface);
    assert_eq!(topology(&surface).components, 2);
    assert!(
        (surface.volume() - 1.0).abs() < 1e-9,
        "{}",
        surface.volume()
    );
    // two cubes without a triangle from one to the other: no seam goes through the middle
    let mut sums = [0.0; 2];
    for t in 0..surface.triangles.len() {
        let corners = surface.corners(t);
        let low = corners.iter().map(|x| x.y).fold(f64::MAX, f64::min);
        let high = corners.iter().map(|x| x.y).fold(f64::MIN, f64::max);
        assert!(low > -1e-9 || high < 1e-9);
        if low > -1e-9 && high < 1e-9 {
            let area = surface.area_vector(t).y;
            sums[usize::from(area > 0.0)] += area.abs();
        }
    }
    assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-9), "{sums:?}");
}

#[test]
fn tetrahedra_that_touch_in_a_vertex_or_an_edge_get_vertices_of_their_own() {
    let tetrahedron = |x: [u32; 4]| {
        let [a, b, c, d] = x;
        [[b, c, d], [a, d, c], [a, b, d], [a, c, b]]
    };
    let places = |count: u32| -> Vec<Vec3> {
        let at = |k: u32| Vec3::new(f64::from(k % 2), f64::from(k / 2 % 2), f64::from(k));
        (0..count).map(at).collect()
    };
    for (second, copies) in [([0, 4, 5, 6], 1), ([0, 1, 4, 5], 2)] {
        let caps = [tetrahedron([0, 1, 2, 3]), tetrahedron(second)].concat();
        let (surface, seam) = closed(places(7), Vec::new(), &[], caps);
        assert_closed(&surface);
        assert_eq!(seam.copies.len(), copies);
        assert_eq!(topology(&surface).components, 2);
    }
}

#[test]
fn random_triangles_are_closed_whatever_they_are() {
    let mut random = SplitMix64(7);
    for round in 0..300 {
        let count = 4 + round % 20;
        let places: Vec<Vec3> = (0..count)
            .map(|_| Vec3::from_fn(|_, _| random.below(10) as f64 * 0.1))
            .collect();
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        for _ in 0..3 * count {
            let t = [(); 3].map(|()| random.below(count) as u32);
            if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
                triangles.push(t);
            }
        }
        let caps = triangles.split_off(triangles.len() / 2);
        let (surface, _) = closed(places, triangles, &[], caps);
        assert_closed(&surface);
    }
}
