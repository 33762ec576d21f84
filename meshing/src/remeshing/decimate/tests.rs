use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::validate::topology;

use super::target::DecimateTarget;
use super::{decimate, decimate_to_vertices, nearby};
use crate::error::MeshingError;
use crate::geometry::distance::hausdorff;
use crate::remeshing::editable_surface::normal_and_quality;
use crate::test_bodies::{add_group, assert_near, ball, blocks, cancelled, joined, mapped};

/// A block with `holes` square holes through it.
fn pierced(holes: usize) -> SurfaceMesh {
    let n = 2 * holes + 1;
    let is_full = |x: Vec3| {
        let column = (x.x / 0.1 + 0.5 * n as f64).floor() as i64;
        column % 2 == 0 || x.z.abs() > 0.05
    };
    blocks(Vec3::new(n as f64, 1.0, 3.0) * 0.1, [4 * n, 4, 12], is_full)
}

fn decimated(surface: &SurfaceMesh, triangles: usize) -> SurfaceMesh {
    let target = DecimateTarget::Triangles(triangles);
    decimate(surface, target, &Progress::new()).expect("a surface")
}

fn worst_quality(surface: &SurfaceMesh) -> f64 {
    (0..surface.triangles.len())
        .map(|t| normal_and_quality(surface.corners(t)).1)
        .fold(f64::INFINITY, f64::min)
}

/// Pairs of triangles that cross, by exhaustive search.
fn crossings(surface: &SurfaceMesh) -> usize {
    let n = surface.triangles.len();
    (0..n)
        .flat_map(|s| (s + 1..n).map(move |t| (s, t)))
        .filter(|&(s, t)| {
            nearby::triangles_cross(
                surface.triangles[s],
                surface.corners(s),
                surface.triangles[t],
                surface.corners(t),
            )
        })
        .count()
}

#[test]
fn a_sphere_stays_a_round_closed_sphere() {
    let fine = ball(1.0, 32);
    let coarse = &decimated(&fine, 1000);
    assert_eq!(coarse.triangles.len(), 1000);
    let t = topology(coarse);
    assert!(t.is_sound());
    assert_eq!((t.components, t.genus()), (1, Some(0)));
    // 1000 triangles on a unit sphere have edges of 0.17 and a sagitta of 0.005
    assert!(hausdorff(&fine, coarse) < 0.012);
    assert_near(coarse.volume(), fine.volume(), 1e-4);
    assert!(worst_quality(coarse) > 0.3);
    assert_eq!(crossings(coarse), 0);
    let lengths: Vec<f64> = (0..1000)
        .flat_map(|t| {
            let [a, b, c] = coarse.corners(t);
            [(b - a).norm(), (c - b).norm(), (a - c).norm()]
        })
        .collect();
    let longest = lengths.iter().fold(0.0_f64, |m, &l| m.max(l));
    assert!(longest < 2.0 * coarse.mean_edge(), "quasi-uniform");
}

#[test]
fn a_box_keeps_its_edges_and_corners() {
    let size = Vec3::new(0.4, 0.2, 0.3);
    let fine = box_surface(size, [16, 8, 12], CellStyle::Kuhn);
    let coarse = &decimated(&fine, 200);
    assert!(coarse.triangles.len() <= 200);
    assert!(hausdorff(&fine, coarse) < 0.0005);
    assert_near(coarse.volume(), fine.volume(), 1e-4);
    assert_eq!(topology(coarse).genus(), Some(0));
}

#[test]
fn genus_and_components_survive_even_when_the_target_cannot_be_reached() {
    for holes in [1, 3] {
        let fine = pierced(holes);
        assert_eq!(topology(&fine).genus(), Some(holes as i64));
        for target in [400, 100, 1] {
            let result = decimated(&fine, target);
            let t = topology(&result);
            assert!(t.is_sound());
            assert_eq!((t.components, t.genus()), (1, Some(holes as i64)));
            assert_eq!(crossings(&result), 0);
        }
    }
    // two balls, the second one much smaller
    let two = joined(&ball(1.0, 8), &ball(0.05, 4), Vec3::x() * 1.5);
    let t = topology(&decimated(&two, 8));
    assert_eq!((t.components, t.genus()), (2, Some(0)));
}

#[test]
fn close_sheets_do_not_cut_each_other() {
    // a thin curved plate: two sheets 0.01 apart over a radius of 1
    let mut plate = box_surface(
        Vec3::new(1.2, 0.01, 1.2),
        [40, 1, 40],
        CellStyle::Alternating,
    );
    for p in &mut plate.positions {
        p.y -= 0.5 * (p.x * p.x + p.z * p.z) * 1.5;
    }
    for target in [1000, 200, 60] {
        let result = decimated(&plate, target);
        assert_eq!(crossings(&result), 0);
        assert_eq!(topology(&result).genus(), Some(0));
        let kept = result.volume() / plate.volume();
        assert!(kept > 0.0);
        // below that the sheets are closer than the height of a triangle over the bowl
        assert!((kept - 1.0).abs() < 0.01 || target < 1000, "{kept}");
    }
}

#[test]
fn results_repeat_and_do_not_depend_on_the_unit_of_length() {
    let fine = pierced(1);
    let a = decimated(&fine, 300);
    assert_eq!(a, decimated(&fine, 300));
    // a power of two scales without rounding
    let large = mapped(fine.clone(), |p| p * 1024.0);
    assert_eq!(decimated(&large, 300).triangles, a.triangles);
    let edge = 0.05;
    let by_edge = decimate(&fine, DecimateTarget::Edge(edge), &Progress::new()).expect("a block");
    assert_near(by_edge.mean_edge(), edge, 0.25);
}

#[test]
fn open_edges_stay_and_groups_follow() {
    let mut cap = ball(1.0, 12);
    add_group(&mut cap, "top", |x| x.y > 0.9);
    cap.triangles
        .retain(|t| t.iter().any(|&v| cap.positions[v as usize].y > -0.3));
    let rim = |s: &SurfaceMesh| {
        let mut points: Vec<[u64; 3]> = topology(s)
            .boundary_edges
            .iter()
            .flatten()
            .map(|&v| s.positions[v as usize].map(f64::to_bits).into())
            .collect();
        points.sort_unstable();
        points
    };
    let result = decimated(&cap, 300);
    assert_eq!(rim(&result), rim(&cap));
    let group = result.group("top").expect("the group");
    assert!(!group.is_empty());
    assert!(group.iter().all(|&v| result.positions[v as usize].y > 0.7));
}

#[test]
fn impossible_requests_are_refused_with_a_reason() {
    let surface = ball(1.0, 4);
    let make = |surface: &SurfaceMesh, target| decimate(surface, target, &Progress::new());
    for bad in [
        DecimateTarget::Triangles(0),
        DecimateTarget::Edge(0.0),
        DecimateTarget::Edge(f64::NAN),
    ] {
        let result = make(&surface, bad);
        assert!(matches!(result, Err(MeshingError::BadSize { .. })));
    }
    let target = DecimateTarget::Triangles(50);
    let nothing = SurfaceMesh::new(surface.positions.clone(), Vec::new());
    assert_eq!(make(&nothing, target), Err(MeshingError::EmptyMesh));
    let mut bad = surface.clone();
    bad.positions[3].y = f64::NAN;
    let result = make(&bad, target);
    assert!(matches!(result, Err(MeshingError::BadSize { .. })));
    let result = decimate(&surface, target, &cancelled());
    assert_eq!(result, Err(MeshingError::Cancelled(Cancelled)));
}

#[test]
fn fewer_triangles_over_the_same_vertices_show_the_same_body() {
    let fine = ball(1.0, 32);
    let target = DecimateTarget::Triangles(1000);
    let triangles = decimate_to_vertices(&fine, target, &Progress::new()).expect("a sphere");
    assert_eq!(triangles.len(), 1000);
    let coarse = SurfaceMesh::new(fine.positions.clone(), triangles);
    let t = topology(&coarse);
    assert!(t.is_sound());
    assert_eq!((t.components, t.genus()), (1, Some(0)));
    // corners lie on the sphere: the body is smaller, by about the sagitta of 0.005 everywhere
    let volume = coarse.volume() / fine.volume();
    assert!((0.98..1.0).contains(&volume), "{volume}");
    assert!(worst_quality(&coarse) > 0.1);
}
