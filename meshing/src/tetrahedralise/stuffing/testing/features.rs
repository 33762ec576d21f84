//! Tests of sharp features: which are found, and which of them a mesh keeps.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::quality::dihedral_range;
use pliant_core::mesh::validate::topology;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use crate::geometry::distance::hausdorff;
use crate::geometry::solid::MeshSolid;
use crate::remeshing::refine::split_long_edges;
use crate::test_bodies::{blocks, joined, mapped, sphere, torus, touching_boxes, u_shape};
use crate::tetrahedralise::mesher::TetTarget;
use crate::tetrahedralise::stuffing::fitting::angle_ranges::{ANGLE_RANGE, MATCHED_RANGE};
use crate::tetrahedralise::stuffing::fitting::pull::Matched;
use crate::tetrahedralise::stuffing::stuff::{Stuffed, stuff_matched};
use crate::tetrahedralise::verify::verify_tets;

fn matched(surface: &SurfaceMesh, nodes: usize) -> (TetMesh, Matched) {
    let solid = MeshSolid::new(surface).expect("a solid");
    let target = TetTarget::Nodes(nodes);
    let made = stuff_matched(&solid, surface, target, 0.0, &Progress::new());
    let Stuffed { mesh, matched, .. } = made.expect("a mesh");
    verify_tets(&mesh).expect("valid");
    assert!(topology(&mesh.boundary().surface).is_sound());
    for (t, tet) in mesh.tets.iter().enumerate() {
        let is_matched = tet.iter().any(|v| matched.nodes.binary_search(v).is_ok());
        let range = if is_matched {
            MATCHED_RANGE
        } else {
            ANGLE_RANGE
        };
        let (low, high) = dihedral_range(mesh.corners(t));
        assert!(low > range.0 && high < range.1, "{low} {high} {is_matched}");
    }
    (mesh, matched)
}

/// The surface in general position.
fn rotated(surface: SurfaceMesh, scale: f64, angles: [f64; 3]) -> SurfaceMesh {
    let [a, b, c] = angles;
    let rotation = nalgebra::Rotation3::from_euler_angles(a, b, c);
    let shift = Vec3::new(0.31, 0.17, -0.23);
    mapped(surface, |x| (rotation * x + shift) * scale)
}

/// Distance both ways over the diagonal, %.
fn distance(surface: &SurfaceMesh, mesh: &TetMesh) -> f64 {
    let diagonal = surface.bounds().diagonal();
    let (mut dense, mut boundary) = (surface.clone(), mesh.boundary().surface);
    split_long_edges(&mut dense, diagonal / 50.0);
    split_long_edges(&mut boundary, diagonal / 50.0);
    100.0 * hausdorff(&dense, &boundary) / diagonal
}

#[test]
fn boxes_and_brackets_keep_their_edges_and_corners_at_every_level() {
    let angles = [0.37, 1.13, 2.05];
    let size = Vec3::new(0.5, 0.7, 1.1);
    let cube = rotated(box_surface(size, [1; 3], CellStyle::Kuhn), 1.0, angles);
    for nodes in [300, 1500] {
        let (mesh, matched) = matched(&cube, nodes);
        let far = distance(&cube, &mesh);
        // a point on an edge may be refused: a tenth of a tetrahedron's edge, no more
        let edge = 100.0 * mesh.mean_edge() / cube.bounds().diagonal();
        assert!(far < 0.1 * edge, "{nodes} {far} {edge}");
        assert!((mesh.volume() / cube.volume() - 1.0).abs() < 2e-3);
        for corner in &cube.positions {
            let is_at_corner = |v: &u32| (mesh.nodes[*v as usize] - corner).norm() < 1e-12;
            assert!(matched.nodes.iter().any(is_at_corner));
        }
    }
    let bracket = blocks(Vec3::new(1.0, 1.0, 0.6), [10, 10, 6], |x| {
        x.x < -0.3 || x.y < -0.3
    });
    let bracket = rotated(bracket, 1.0, angles);
    for (nodes, bound) in [(300, 1.5), (1500, 0.2)] {
        let (mesh, matched) = matched(&bracket, nodes);
        let far = distance(&bracket, &mesh);
        assert!(far < bound, "{nodes} {far}");
        assert!(matched.nodes.len() > 70 && matched.refused < 5);
    }
}

/// A cone with its tip at the origin, pointing up, with `sides` sides.
fn cone(sides: u32, radius: f64) -> SurfaceMesh {
    let rim = (0..sides).map(|k| std::f64::consts::TAU * f64::from(k) / f64::from(sides));
    let mut positions: Vec<Vec3> = rim
        .map(|a| Vec3::new(radius * a.sin(), -1.0, radius * a.cos()))
        .collect();
    positions.extend([Vec3::zeros(), -Vec3::y()]);
    let sides_of = |k: u32| {
        let next = (k + 1) % sides;
        [[k, next, sides], [next, k, sides + 1]]
    };
    SurfaceMesh::new(positions, (0..sides).flat_map(sides_of).collect())
}

#[test]
fn a_pointed_tip_is_met() {
    let cone = rotated(cone(24, 0.35), 1.0, [0.2, 0.5, 0.9]);
    let tip = cone.positions[24];
    let (mesh, matched) = matched(&cone, 300);
    let distances = matched
        .nodes
        .iter()
        .map(|&v| (mesh.nodes[v as usize] - tip).norm());
    let nearest = distances.fold(f64::INFINITY, f64::min);
    assert!(nearest < 0.1 * mesh.mean_edge(), "{nearest}");
}

#[test]
fn any_scale_and_rotation_keep_the_topology() {
    let ball = sphere(3);
    let bodies = [
        (torus(0.4, 48, 24), 1, 500),
        (u_shape(), 0, 500),
        (joined(&ball, &ball, Vec3::new(2.6, 0.3, 0.1)), 0, 600),
        (
            blocks(Vec3::repeat(1.0), [5; 3], |x| {
                x.x.abs().max(x.y.abs()) > 0.15
            }),
            1,
            900,
        ),
    ];
    let poses = [
        (1e-3, [0.4, 2.9, 1.7]),
        (1.0, [2.2, 0.1, 5.1]),
        (1e3, [1.3, 4.4, 0.6]),
    ];
    for (k, (body, genus, nodes)) in bodies.into_iter().enumerate() {
        for (scale, angles) in poses {
            let surface = rotated(body.clone(), scale, angles);
            let (mesh, _) = matched(&surface, nodes);
            let (shape, expected) = (topology(&mesh.boundary().surface), topology(&surface));
            assert_eq!(shape.components, expected.components, "body {k}");
            assert_eq!(shape.genus(), Some(genus), "body {k} at scale {scale}");
            assert!((mesh.volume() / surface.volume() - 1.0).abs() < 0.02);
        }
    }
}

#[test]
fn bodies_that_touch_are_parted_without_pinches() {
    let touching = rotated(touching_boxes(), 1.0, [0.3, 0.8, 0.1]);
    for nodes in [60, 150, 400, 1000] {
        matched(&touching, nodes);
    }
}

#[test]
fn features_are_found_at_sharp_places_only() {
    let visible = |surface: &SurfaceMesh, size: f64| {
        let solid = MeshSolid::new(surface).expect("a solid");
        solid
            .features
            .visible(size, 0.5 * size, |x| solid.is_border(x, 1e-3))
    };
    let cube = box_surface(Vec3::new(0.5, 0.7, 1.1), [4, 5, 6], CellStyle::Kuhn);
    let found = visible(&cube, 0.1);
    assert_eq!(found.corners.len(), 8);
    assert_eq!(found.segments.len(), 4 * (4 + 5 + 6));
    // sides shorter than a tetrahedron do not count
    assert_eq!(visible(&cube, 0.6).segments.len(), 4 * (5 + 6));
    assert!(visible(&sphere(3), 0.01).segments.is_empty());
    // edges inside a union are not on its border
    let union = joined(&cube, &cube, Vec3::new(0.1, 0.1, 0.1));
    let found = visible(&union, 0.1);
    let beyond = |x: &Vec3| x.abs() - Vec3::new(0.2, 0.3, 0.5);
    assert!(found.corners.iter().all(|x| beyond(x).max() > -1e-9));
    // a rim has no corner; its tip is no sharp edge
    let found = visible(&cone(24, 0.35), 0.1);
    assert_eq!((found.corners.len(), found.segments.len()), (0, 24));
}
