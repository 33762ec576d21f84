//! Laws of stuffed meshes: angles, topology, node counts, the same bits from any number of threads.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::quality::tet_quality;
use pliant_core::mesh::validate::{Topology, topology};
use pliant_core::mesh::{SurfaceMesh, TetMesh};
use pliant_fuzzing::on_threads;

use crate::error::MeshingError;
use crate::geometry::solid::{MeshSolid, Solid};
use crate::test_bodies::{
    cancelled, joined, mapped, plate, sphere, torus, touching_boxes, u_shape,
};
use crate::tetrahedralise::mesher::{TetMesher, TetTarget};
use crate::tetrahedralise::stuffing::cutting::repair;
use crate::tetrahedralise::stuffing::fitting::angle_ranges::MATCHED_RANGE;
use crate::tetrahedralise::stuffing::mesher::Stuffing;
use crate::tetrahedralise::verify::verify_tets;

fn at_spacing(surface: &SurfaceMesh, spacing: f64) -> Option<TetMesh> {
    let solid = MeshSolid::new(surface).expect("a solid");
    repair::stuff_lattice(&solid, spacing, &Progress::new()).expect("no fault")
}

fn with_nodes(surface: &SurfaceMesh, nodes: usize) -> TetMesh {
    Stuffing
        .tetrahedralise(surface, TetTarget::Nodes(nodes), &Progress::new())
        .expect("a mesh")
}

/// The mesh is valid and its boundary a closed manifold, whose shape is returned.
fn checked(mesh: &TetMesh) -> Topology {
    verify_tets(mesh).expect("valid");
    let shape = topology(&mesh.boundary().surface);
    assert!(shape.is_sound());
    shape
}

fn shapes() -> Vec<(&'static str, SurfaceMesh, i64)> {
    let ball = sphere(3);
    vec![
        ("torus", torus(0.4, 48, 24), 1),
        (
            "box",
            box_surface(Vec3::new(0.5, 0.7, 1.1), [2, 3, 4], CellStyle::Kuhn),
            0,
        ),
        ("u", u_shape(), 0),
        (
            "two spheres",
            joined(&ball, &ball, Vec3::new(2.6, 0.3, 0.1)),
            0,
        ),
        ("overlapping spheres", joined(&ball, &ball, Vec3::x()), 0),
        ("sphere", ball, 0),
    ]
}

#[test]
fn untouched_stencils_keep_the_angle_range_and_converge_in_second_order() {
    for (name, surface, _) in shapes() {
        let size = surface.bounds().size().min();
        let mut worst = (180.0_f64, 0.0_f64);
        for cells in [3.0, 4.3, 5.9, 8.2] {
            let mesh = at_spacing(&surface, size / cells).expect("not empty");
            checked(&mesh);
            let q = tet_quality(&mesh);
            worst = (worst.0.min(q.min_dihedral), worst.1.max(q.max_dihedral));
        }
        assert!(worst.0 > 8.0 && worst.1 < 166.0, "{name} {worst:?}");
    }
    let ball = sphere(5);
    // the mean over a few spacings: the position of the lattice matters as well
    let missing = |refinement: f64| {
        let at = |cells: f64| {
            let mesh = at_spacing(&ball, 2.0 / (cells * refinement)).expect("not empty");
            1.0 - mesh.volume() / ball.volume()
        };
        [5.0, 5.4, 5.8, 6.2].map(at).iter().sum::<f64>() / 4.0
    };
    let (coarse, fine) = (missing(1.0), missing(2.0));
    assert!(coarse < 0.08, "{coarse}");
    let order = (coarse / fine).log2();
    assert!(order > 1.7 && order < 2.3, "order {order}");
}

#[test]
fn pinches_are_removed_at_every_spacing() {
    let surface = touching_boxes();
    assert!(!topology(&surface).is_manifold());
    for k in 0..25 {
        let mesh = at_spacing(&surface, 0.4 * 0.93_f64.powi(k)).expect("not empty");
        let q = tet_quality(&mesh);
        assert!(q.min_dihedral > 8.0 && q.max_dihedral < 166.0);
        checked(&mesh);
    }
}

#[test]
fn fitted_meshes_have_the_volume_topology_and_node_count_asked_for() {
    for (name, surface, genus) in shapes() {
        for (nodes, counts, volumes) in [(80, 0.3, 0.06), (300, 0.15, 0.02), (1500, 0.15, 0.01)] {
            let mesh = with_nodes(&surface, nodes);
            let shape = checked(&mesh);
            let q = tet_quality(&mesh);
            assert!(q.min_dihedral > MATCHED_RANGE.0 && q.max_dihedral < MATCHED_RANGE.1);
            let count = mesh.nodes.len() as f64 / nodes as f64;
            assert!((count - 1.0).abs() <= counts, "{name} {nodes} {count}");
            if name == "overlapping spheres" {
                assert_eq!(shape.components, 1);
                continue;
            }
            let ratio = mesh.volume() / surface.volume();
            assert!((ratio - 1.0).abs() < volumes, "{name} {nodes} {ratio}");
            assert_eq!(shape.components, topology(&surface).components, "{name}");
            if nodes >= 300 {
                assert_eq!(shape.genus(), Some(genus), "{name} {nodes}");
            }
        }
    }
}

#[test]
fn scale_and_motion_change_nothing_essential() {
    let surface = torus(0.4, 48, 24);
    let reference = with_nodes(&surface, 400);
    for scale in [1e-3, 1e3] {
        let shift = Vec3::new(3.0, -7.0, 1.0) * scale;
        let mesh = with_nodes(&mapped(surface.clone(), |x| x * scale + shift), 400);
        assert_eq!(mesh.tets, reference.tets);
        let ratio = mesh.volume() / scale.powi(3) / reference.volume();
        assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
    }
    let rotation = nalgebra::Rotation3::from_euler_angles(0.3, 1.1, 2.0);
    let mesh = with_nodes(&mapped(surface.clone(), |x| rotation * x), 400);
    assert_eq!(checked(&mesh).genus(), Some(1));
    assert!((mesh.volume() / surface.volume() - 1.0).abs() < 0.01);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let surface = u_shape();
    let run = |threads: usize| on_threads(threads, || with_nodes(&surface, 700));
    assert_eq!(run(1), run(2));
}

#[test]
fn edge_targets_are_met_and_a_thin_plate_is_found_by_refinement() {
    let surface = sphere(3);
    let mesh = Stuffing
        .tetrahedralise(&surface, TetTarget::Edge(0.3), &Progress::new())
        .expect("a mesh");
    assert!((mesh.mean_edge() / 0.3 - 1.0).abs() < 0.15);
    let solid = MeshSolid::new(&plate()).expect("a solid");
    assert!(solid.is_inside(&Vec3::new(0.1, 0.005, 0.2)));
    checked(&with_nodes(&plate(), 60));
}

#[test]
fn bad_requests_are_refused_with_their_reason() {
    let ask = |surface: &SurfaceMesh, target: TetTarget, progress: &Progress| {
        Stuffing
            .tetrahedralise(surface, target, progress)
            .expect_err("refused")
    };
    let (ball, progress) = (sphere(1), Progress::new());
    let empty = SurfaceMesh::new(Vec::new(), Vec::new());
    let error = ask(&empty, TetTarget::Nodes(10), &progress);
    assert_eq!(error, MeshingError::EmptyMesh);
    for target in [TetTarget::Nodes(0), TetTarget::Edge(-1.0)] {
        let error = ask(&ball, target, &progress);
        assert!(matches!(error, MeshingError::BadSize { .. }));
    }
    let error = ask(&ball, TetTarget::Edge(1e-4), &progress);
    assert!(matches!(error, MeshingError::GridTooLarge { .. }));
    let error = ask(&ball, TetTarget::Nodes(100), &cancelled());
    assert_eq!(error, MeshingError::Cancelled(Cancelled));
}
