use super::*;
use crate::stuffing::Stuffing;
use crate::stuffing::test_shapes::{joined, plate, sphere, torus};
use pliant_core::mesh::validate::topology;

fn levels(surface: &SurfaceMesh, nodes: &[usize]) -> Vec<Level> {
    let targets: Vec<TetTarget> = nodes.iter().map(|&n| TetTarget::Nodes(n)).collect();
    let levels =
        build_levels(surface, &targets, &Stuffing, &Progress::new()).expect("at least one level");
    for pair in levels.windows(2) {
        assert!(pair[0].mesh.nodes.len() < pair[1].mesh.nodes.len());
    }
    for level in &levels {
        assert!(level.min_dihedral_deg > 5.0 && level.max_dihedral_deg < 170.0);
        assert!(level.min_volume > 0.0);
        let shape = topology(&level.mesh.boundary().surface);
        assert!(shape.is_closed() && shape.is_manifold() && shape.is_oriented());
    }
    levels
}

#[test]
fn finer_levels_of_a_torus_come_closer_and_keep_its_hole() {
    let surface = torus(0.4, 48, 24);
    let levels = levels(&surface, &[60, 300, 1500]);
    assert_eq!(levels.len(), 3);
    for (level, distance) in levels.iter().zip([0.06, 0.02, 0.006]) {
        assert!(level.hausdorff_rel < distance, "{}", level.hausdorff_rel);
        assert!((level.volume_ratio - 1.0).abs() < 0.05);
        let shape = topology(&level.mesh.boundary().surface);
        assert_eq!((shape.components, shape.genus()), (1, Some(1)));
    }
    assert_eq!(levels[2].thickened, 0.0);
}

#[test]
fn a_thin_plate_survives_in_one_piece_without_holes() {
    let levels = levels(&plate(), &[60, 300]);
    assert_eq!(levels.len(), 2);
    for level in &levels {
        let shape = topology(&level.mesh.boundary().surface);
        assert_eq!((shape.components, shape.genus()), (1, Some(0)));
        assert!(level.thickened > 0.0);
        assert!(level.hausdorff_rel < 0.1, "{}", level.hausdorff_rel);
        assert!(level.mesh.nodes.len() < 900);
    }
}

#[test]
fn components_are_kept_and_levels_that_are_no_finer_left_out() {
    let ball = sphere(3);
    let two = joined(&ball, &ball, Vec3::new(2.6, 0.3, 0.1));
    let found = levels(&two, &[100, 300, 200]);
    assert_eq!(found.len(), 2);
    for level in &found {
        assert_eq!(topology(&level.mesh.boundary().surface).components, 2);
    }
}

#[test]
fn a_boundary_level_has_the_boundary_asked_for() {
    let level =
        boundary_level(&torus(0.4, 48, 24), 500, &Stuffing, &Progress::new()).expect("a level");
    let count = level.mesh.boundary().node_of_vertex.len() as f64;
    assert!((count / 500.0 - 1.0).abs() < 0.15, "{count}");
}

#[test]
fn empty_flat_and_cancelled_requests_are_refused() {
    let ball = sphere(1);
    let ask = |surface: &SurfaceMesh, targets: &[TetTarget], progress: &Progress| {
        build_levels(surface, targets, &Stuffing, progress).expect_err("refused")
    };
    let quiet = Progress::new();
    assert!(matches!(
        ask(&ball, &[], &quiet),
        MeshingError::BadSize { .. }
    ));
    let mut flat = ball.clone();
    flat.positions.iter_mut().for_each(|x| x.z = 0.0);
    assert_eq!(
        ask(&flat, &default_targets(&flat), &quiet),
        MeshingError::NoVolume
    );
    quiet.cancel();
    assert_eq!(
        ask(&ball, &default_targets(&ball), &quiet),
        MeshingError::Cancelled
    );
}
