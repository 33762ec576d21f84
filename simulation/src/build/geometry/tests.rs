//! Tetrahedra of a file as the finest level, and levels of a thin plate.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
use pliant_core::scene::Method;
use pliant_meshing::error::MeshingError;
use pliant_meshing::io::write_vtu_tets;

use super::levels::levels;
use super::{geometry_for, geometry_recipe};
use crate::world::testing::{setup_from, setup_of};

#[test]
fn the_tetrahedra_of_a_file_are_the_finest_level_and_part_of_the_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("block.vtu");
    let size = Vec3::new(0.3, 0.2, 0.1);
    let mut mesh = box_tets(size, [9, 6, 3], CellStyle::Alternating);
    let prepared = |mesh: &TetMesh| {
        write_vtu_tets(&path, mesh).expect("written");
        setup_from(&path)
    };
    let setup = prepared(&mesh);
    let levels = levels(&setup, &mut Vec::new(), &Progress::new()).expect("levels");
    assert!(levels.len() >= 2);
    let finest = levels.last().expect("a level");
    assert_eq!(finest.tets, mesh.tets);
    // placed like the skin
    let (inner, outer) = (finest.bounds(), &setup.geometry.skin.bounds());
    assert!((inner.min - outer.min).norm() + (inner.max - outer.max).norm() < 1e-12);
    // a node inside: the skin does not know
    let inside = mesh
        .nodes
        .iter()
        .position(|p| (p - Vec3::new(0.0, 0.0, 0.1 / 6.0)).norm() < 0.05);
    let node = inside.expect("a node inside");
    let recipe = geometry_recipe(&setup, Method::Adaptive);
    mesh.nodes[node].x += 1e-9;
    let other = prepared(&mesh);
    assert_eq!(other.skin().positions, setup.geometry.skin.positions);
    assert_ne!(geometry_recipe(&other, Method::Adaptive), recipe);
    assert_eq!(
        geometry_recipe(&other, Method::Lattice),
        geometry_recipe(&setup, Method::Lattice)
    );
}

#[test]
fn default_levels_that_a_thin_plate_swells_are_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("plate.obj");
    let plate = box_surface(
        Vec3::new(0.3, 0.3, 0.005),
        [10, 10, 1],
        CellStyle::Alternating,
    );
    let points = plate.positions.iter();
    let points = points.map(|p| format!("v {} {} {}\n", p.x, p.y, p.z));
    let faces = plate.triangles.iter();
    let faces = faces.map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    let text: String = points.chain(faces).collect();
    std::fs::write(&path, text).expect("written");
    let setup = setup_from(&path);
    let mut notes = Vec::new();
    let levels = levels(&setup, &mut notes, &Progress::new()).expect("levels");
    assert!(notes.iter().any(|n| n.contains("left out")), "{notes:?}");
    let finest = levels.last().expect("a level").volume();
    for level in &levels {
        assert!((0.66..1.5).contains(&(level.volume() / finest)));
    }
}

#[test]
fn levels_and_boundary_meshes_without_the_mass_of_the_body_are_told_with_both() {
    let notes = |method: Method, keys: &str| {
        let setup = setup_of(format!(
            "[[body]]\nname = 'b'\nmesh = {{ procedural = 'bear', longest = 0.3, edge = 0.012 }}\n{keys}\n"
        ));
        let mut notes = Vec::new();
        geometry_for(&setup, method, &mut notes, &Progress::new()).expect("meshed");
        notes.retain(|note| note.starts_with("MassMismatch: the tetrahedra have "));
        notes
    };
    let coarse = notes(Method::Adaptive, "adaptive = { nodes = [60] }");
    assert_eq!(coarse.len(), 1);
    assert!(
        coarse[0].contains("remedy: a finer last level"),
        "{coarse:?}"
    );
    let fine = notes(Method::Adaptive, "adaptive = { nodes = [60, 800] }");
    assert!(fine.is_empty(), "{fine:?}");
    let coarse = notes(Method::Quasistatic, "quasistatic = { boundary = 60 }");
    assert_eq!(coarse.len(), 1);
    let fine = notes(Method::Quasistatic, "quasistatic = { boundary = 600 }");
    assert!(fine.is_empty(), "{fine:?}");
}

#[test]
fn the_levels_of_a_box_on_the_floor_lie_where_its_skin_does() {
    let text = r#"
        schema = 1
        name = "cushion"
        [[body]]
        name = "cushion"
        mesh = { procedural = "box", size = [0.4, 0.1, 0.3], edge = 0.04, rest_on_floor = true }
        material = { young = 1.0e4, density = 200.0 }
        adaptive = { target_edges = [0.05] }
    "#;
    let setup = setup_of(text);
    let outer = setup.geometry.skin.bounds();
    assert!(outer.min.y.abs() < 1e-12 && (outer.max.y - 0.1).abs() < 1e-12);
    let levels = levels(&setup, &mut Vec::new(), &Progress::new()).expect("levels");
    let inner = levels.last().expect("a level").bounds();
    let off = (inner.min - outer.min)
        .amax()
        .max((inner.max - outer.max).amax());
    assert!(off < 0.01, "{off} m");
}

#[test]
fn a_level_of_a_box_that_would_not_fit_into_memory_is_refused_with_the_edge_that_would() {
    let of_edges = |edge: f64| {
        let text = format!(
            "[[body]]\nname = 'b'\nmesh = {{ procedural = 'box', size = [0.2, 0.2, 0.2], edge = 0.05 }}\nadaptive = {{ target_edges = [{edge:?}] }}\n"
        );
        levels(&setup_of(text), &mut Vec::new(), &Progress::new())
    };
    for edge in [1e-4, 1e-200, 5e-324] {
        let refused = of_edges(edge).expect_err("too fine");
        let MeshingError::GridTooLarge { min_cell, .. } = refused else {
            panic!("{refused}");
        };
        assert!((0.9e-3..1.1e-3).contains(&min_cell), "{min_cell}");
    }
    assert!(of_edges(0.05).is_ok());
}
