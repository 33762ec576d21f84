use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::validate::topology;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};

use super::attempt::Base;
use super::base::decimation;
use super::base::parts::Parts;
use super::base_search::remesh;
use super::fallback::projected;
use super::input::crease::Creases;
use super::input::domain::Domain;
use super::relaxation::samples::Samples;
use super::result::{Origin, SemiRegular};
use super::spec::RemeshSpec;
use crate::geometry::distance::hausdorff;
use crate::procedural::make::body;
use crate::procedural::spec::ProceduralSpec;
use crate::remeshing::subdivide::SharpEdges;
use crate::remeshing::subdivide::levels::{Scheme, subdivide};
use crate::report::examine::check;
use crate::test_bodies::{joined, mapped};

fn coarse_body(name: &str, edge: f64) -> SurfaceMesh {
    let spec = ProceduralSpec {
        edge: Some(edge),
        ..ProceduralSpec::new(name)
    };
    body(&spec, &Progress::new()).expect("a body")
}

fn remeshed(surface: &SurfaceMesh, levels: usize, base_faces: Option<usize>) -> SemiRegular {
    let spec = RemeshSpec::new(levels, base_faces);
    remesh(surface, &spec, &Progress::new()).expect("a closed manifold")
}

/// What every result must be, whatever its quality and origin.
fn check_connectivity(surface: &SurfaceMesh, result: &SemiRegular) {
    let from = topology(surface);
    assert_eq!(result.edges.len() + 1, result.levels.len());
    for level in &result.levels {
        let shape = topology(level);
        assert!(shape.is_sound());
        assert_eq!(
            (shape.components, shape.euler),
            (from.components, from.euler)
        );
    }
    for (pair, table) in result.levels.windows(2).zip(&result.edges) {
        let even = pair[0].vertex_count();
        assert_eq!(pair[1].positions[..even], pair[0].positions[..]);
        assert_eq!(pair[1].triangles, table.split(even, &pair[0].triangles));
        assert_eq!(pair[1].vertex_count(), even + table.len());
    }
}

/// What every mapped result must be, whatever its quality.
fn check_laws(surface: &SurfaceMesh, result: &SemiRegular) {
    check_connectivity(surface, result);
    let scale = surface.bounds().diagonal();
    let finest = &result.levels[result.levels.len() - 1];
    let tree = TriangleTree::new(&surface.positions, &surface.triangles);
    for x in &finest.positions {
        let nearest = tree.closest(x).expect("triangles");
        assert!(
            nearest.distance_squared.sqrt() < 1e-12 * scale,
            "off the surface"
        );
    }
    // long edges of the input are split first, so more points may have been searched
    assert!(hausdorff(finest, surface) / scale < result.distance_rel + 1e-9);
}

#[test]
fn bodies_of_any_genus_get_close_and_stay_free_of_folds() {
    for (name, edge, genus) in [
        ("penguin", 0.01, 0),
        ("torus", 0.01, 1),
        ("kidney", 0.01, 0),
    ] {
        let surface = coarse_body(name, edge);
        let result = remeshed(&surface, 3, None);
        check_laws(&surface, &result);
        assert_eq!(topology(result.base()).genus(), Some(genus));
        assert!(result.is_good(), "{name}: {}", result.distance_rel);
        assert_eq!(result.origin, Origin::Mapped);
        assert!(result.base_valence_min >= 3 && result.base_valence_max <= 10);
        assert!(result.longest_edge_ratio < 5.0);
        let finest = &result.levels[3];
        let distance = hausdorff(finest, &surface) / surface.bounds().diagonal();
        assert!((distance - result.distance_rel).abs() < 1e-9);
        let report = check(finest, &Progress::new()).expect("not cancelled");
        assert_eq!(report.self_intersections, 0, "{name}");
        assert!((finest.volume() / surface.volume() - 1.0).abs() < 0.01);
    }
}

#[test]
fn the_map_is_one_to_one_and_ends_where_it_began() {
    // without relaxation: midpoints of a finely subdivided base cover the surface once
    let surface = coarse_body("kidney", 0.015);
    let parts = Parts::of(&surface).without_minimum();
    let coarse = decimation::decimated(
        &surface,
        &Creases::none(&surface),
        &parts,
        100,
        &Progress::new(),
    )
    .expect("not cancelled");
    assert!(coarse.mesh.live <= 100);
    let Base {
        surface: base,
        input_triangle,
        ..
    } = Base::of(&coarse);
    let quiet = Progress::new();
    let tree = subdivide(&base, 5, Scheme::Midpoint, &SharpEdges::none(), &quiet)
        .expect("a closed manifold");
    let mut points = Samples::on_base(&tree, &[]).points;
    for p in &mut points {
        p.triangle = input_triangle[p.triangle as usize];
    }
    (coarse.history)
        .rewind(surface.triangles.len(), &mut points, &quiet)
        .expect("not cancelled");
    for p in &points {
        assert!(p.weights.iter().all(|w| (0.0..=1.0).contains(w)));
        assert!((p.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    // vertices of the base were never moved
    for (p, x) in points.iter().zip(&base.positions) {
        assert!((surface.point(p) - x).norm() < 1e-12);
    }
    let mut finest = tree.levels[5].clone();
    for (x, p) in finest.positions.iter_mut().zip(&points) {
        *x = surface.point(p);
    }
    // a map that folded over or left a part out would change the area
    assert!((finest.area() / surface.area() - 1.0).abs() < 0.01);
    assert!((finest.volume() / surface.volume() - 1.0).abs() < 0.01);
}

#[test]
fn boxes_with_long_triangles_and_several_parts_are_covered() {
    let bar = |size: Vec3| box_surface(size, [1; 3], CellStyle::Kuhn);
    let size = Vec3::new(2.0, 0.6, 0.4);
    let two = joined(&bar(size), &bar(size * 0.5), Vec3::y() * 1.5);
    let result = remeshed(&two, 4, Some(100));
    check_laws(&two, &result);
    assert_eq!(result.folded_triangles, 0);
    assert!(result.distance_rel < 0.01, "{}", result.distance_rel);
}

#[test]
fn a_finer_level_comes_closer() {
    let surface = coarse_body("torus", 0.012);
    let far = |levels: usize| {
        let spec = RemeshSpec::new(levels, Some(120));
        let found = remesh(&surface, &spec, &Progress::new()).expect("a torus");
        check_laws(&surface, &found);
        (found.distance_rel, found.base().triangles.len())
    };
    let (coarse, fine) = (far(1), far(3));
    assert!(fine.0 < 0.5 * coarse.0 && fine.1 <= coarse.1);
}

#[test]
fn the_fallback_is_close_and_harmless() {
    let surface = coarse_body("kidney", 0.015);
    let size = surface.bounds().diagonal();
    let unit = mapped(surface, |x| x / size);
    let creases = Creases::none(&unit);
    let domain = Domain::new(&unit, &creases);
    let found = projected(&domain, &unit, 120, 3, &Progress::new()).expect("not cancelled");
    let result = found.expect("a base of that size exists");
    assert_eq!(result.origin, Origin::Projected);
    assert!(result.is_good() && result.base().triangles.len() < unit.triangles.len());
    check_connectivity(&unit, &result);
}

#[test]
fn vertices_follow_sharp_lines() {
    // a block with a ridge: 15 edges that bend by 90 or 45 degrees, 10 corners
    let mut block = box_surface(Vec3::new(1.0, 0.4, 0.6), [10, 4, 6], CellStyle::Kuhn);
    for x in &mut block.positions {
        if x.y > 0.199 {
            x.y += 0.3 - x.z.abs();
        }
    }
    let result = remeshed(&block, 3, None);
    check_laws(&block, &result);
    assert!(result.is_good() && result.origin == Origin::Mapped);
    // teeth along the lines would cost volume; flat parts between straight lines cost none
    let finest = &result.levels[3];
    assert!((finest.volume() / block.volume() - 1.0).abs() < 1e-9);
    assert!(result.distance_rel < 1e-9, "{}", result.distance_rel);
    let sharp = &result.sharp[3];
    let length: f64 = (sharp.edges().iter())
        .map(|e| e.map(|v| finest.positions[v as usize]))
        .map(|[a, b]| (b - a).norm())
        .sum();
    let slope = 0.18_f64.sqrt();
    let expected = 5.0 * 1.0 + 4.0 * 0.4 + 2.0 * 0.6 + 4.0 * slope;
    assert!((length - expected).abs() < 1e-9, "{length} {expected}");
}

#[test]
fn groups_follow_and_results_repeat() {
    let surface = coarse_body("penguin", 0.012);
    let first = remeshed(&surface, 3, Some(300));
    let feet = first.levels[3].group("feet").expect("the group");
    assert!(!feet.is_empty() && feet.is_sorted());
    let top = (surface.group("feet").expect("the group").iter())
        .map(|&v| surface.positions[v as usize].y)
        .fold(0.0, f64::max);
    for &v in feet {
        assert!(first.levels[3].positions[v as usize].y < top + 0.02);
    }
    assert_eq!(first, remeshed(&surface, 3, Some(300)));
    assert_eq!(first.attempts, 1);
    // a power of two scales without rounding
    let large = mapped(surface, |x| x * 1024.0);
    let second = remeshed(&large, 3, Some(300));
    assert_eq!(second.levels[3].triangles, first.levels[3].triangles);
    assert_eq!(second.distance_rel, first.distance_rel);
}

#[test]
fn what_cannot_be_remeshed_is_refused_by_name() {
    let surface = coarse_body("torus", 0.012);
    let mut open = surface.clone();
    open.triangles.pop();
    let mut flipped = surface.clone();
    flipped.triangles[0].swap(0, 1);
    let mut branching = surface.clone();
    let [a, b, _] = branching.triangles[0];
    let tip = branching.vertex_count() as u32;
    branching.positions.push(Vec3::repeat(1.0));
    branching.triangles.extend([[a, b, tip], [b, a, tip]]);
    let mut bad = surface.clone();
    bad.positions[3].x = f64::INFINITY;
    let mut point = surface.clone();
    point.positions.fill(Vec3::x());
    let nothing = SurfaceMesh::new(Vec::new(), Vec::new());
    let quiet = Progress::new();
    let refusal = |surface: &SurfaceMesh, levels: usize, base: Option<usize>| {
        let made = remesh(surface, &RemeshSpec::new(levels, base), &quiet);
        format!("{:?}", made.expect_err("refused"))
    };
    for (surface, levels, base, expected) in [
        (&open, 2, None, "OpenSurface { edges: 3, "),
        (&flipped, 2, None, "NotOriented "),
        (&branching, 2, None, "NotManifold "),
        (&bad, 2, None, "NonFinite { vertex: 3 }"),
        (&point, 2, None, "BadExtent { diagonal: 0.0 }"),
        (&surface, 2, Some(3), "BaseTooSmall { base_faces: 3 }"),
        (&surface, 9, Some(100), "TooManyTriangles { levels: 9, "),
        (&nothing, 2, None, "EmptyMesh"),
    ] {
        let found = refusal(surface, levels, base);
        assert!(found.starts_with(expected), "{found} for {expected}");
    }
    quiet.cancel();
    assert_eq!(refusal(&surface, 2, None), "Cancelled(Cancelled)");
}
