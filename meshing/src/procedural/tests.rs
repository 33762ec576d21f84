//! Laws that every procedural body obeys.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::bounds::{Aabb, Ray};
use pliant_core::mesh::validate::topology;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use pliant_fuzzing::on_threads;

use super::bodies::table::names;
use super::error::ProceduralError;
use super::make::body;
use super::spec::ProceduralSpec;
use crate::remeshing::local_remeshing::smallest_angle;
use crate::test_bodies::{assert_contains, cancelled};

fn make(spec: &ProceduralSpec) -> SurfaceMesh {
    body(spec, &Progress::new()).expect("a body")
}

/// Every body at its default size and edge, made once for all tests.
fn defaults() -> &'static [(&'static str, SurfaceMesh)] {
    static BODIES: OnceLock<Vec<(&str, SurfaceMesh)>> = OnceLock::new();
    BODIES.get_or_init(|| {
        names()
            .iter()
            .map(|name| (*name, make(&ProceduralSpec::new(name))))
            .collect()
    })
}

fn default_body(name: &str) -> &'static SurfaceMesh {
    let found = defaults().iter().find(|(known, _)| *known == name);
    &found.expect("a known name").1
}

fn sized(name: &str, longest: f64) -> ProceduralSpec {
    ProceduralSpec {
        longest: Some(longest),
        ..ProceduralSpec::new(name)
    }
}

#[test]
fn every_body_is_closed_upright_and_of_the_size_asked_for() {
    for (name, surface) in defaults() {
        let t = topology(surface);
        assert!(t.is_sound(), "{name}");
        assert_eq!(t.components, 1, "{name}");
        assert_eq!(t.genus(), Some(i64::from(*name == "torus")), "{name}");
        assert!(surface.volume() > 0.0, "{name} is inside out");
        let bounds = surface.bounds();
        assert!((bounds.size().max() - 0.3).abs() < 1e-12, "{name}");
        if ["box", "bar"].contains(name) {
            assert!(bounds.center().norm() < 1e-12, "{name}");
        } else {
            assert_eq!(bounds.min.y, 0.0, "{name}");
            assert!(
                bounds.center().x.abs().max(bounds.center().z.abs()) < 1e-12,
                "{name}"
            );
        }
        let triangles = surface.triangles.len();
        assert!((6_000..=10_000).contains(&triangles), "{name}: {triangles}");
    }
}

#[test]
fn triangles_are_well_shaped_and_do_not_cross() {
    for (name, surface) in defaults() {
        let angles: Vec<f64> = (0..surface.triangles.len())
            .map(|k| smallest_angle(surface.corners(k)).to_degrees())
            .collect();
        let worst = angles.iter().copied().fold(180.0, f64::min);
        let poor = angles.iter().filter(|a| **a < 25.0).count();
        assert!(worst > 12.0, "{name}: {worst}");
        assert!(1000 * poor < angles.len(), "{name}: {poor}");
        assert_eq!(crossings(surface), 0, "{name}");
    }
}

/// Number of pairs (edge, triangle) that cross and share no vertex.
fn crossings(surface: &SurfaceMesh) -> usize {
    let tree = TriangleTree::new(&surface.positions, &surface.triangles);
    let edges: BTreeSet<[u32; 2]> = surface
        .triangles
        .iter()
        .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
        .filter(|[a, b]| a < b)
        .collect();
    let mut count = 0;
    for [a, b] in edges {
        let (from, to) = (surface.positions[a as usize], surface.positions[b as usize]);
        let ray = Ray {
            origin: from,
            direction: to - from,
        };
        tree.overlapping(&Aabb::of_points(&[from, to]), |t| {
            let corners = surface.triangles[t as usize];
            if !corners.contains(&a)
                && !corners.contains(&b)
                && let Some((s, _)) = ray.intersect_triangle(surface.corners(t as usize))
                && s <= 1.0
            {
                count += 1;
            }
        });
    }
    count
}

#[test]
fn scale_changes_positions_only() {
    for name in ["bar", "torus", "liver", "rabbit"] {
        let surface = default_body(name);
        let large = make(&sized(name, 30.0));
        assert_eq!(surface.triangles, large.triangles, "{name}");
        assert_eq!(surface.groups, large.groups, "{name}");
        for (a, b) in surface.positions.iter().zip(&large.positions) {
            assert!((a * 100.0 - b).norm() < 1e-11 * 30.0, "{name}");
        }
    }
    // an edge in the same proportion keeps the triangles as well
    let with_edge = |longest: f64, edge: f64| {
        make(&ProceduralSpec {
            edge: Some(edge),
            ..sized("liver", longest)
        })
    };
    let (small, large) = (with_edge(0.03, 0.001), with_edge(3.0, 0.1));
    assert_eq!(small.triangles, large.triangles);
}

#[test]
fn bodies_are_closed_at_other_edges_and_keep_to_them() {
    let finer = [("penguin", 0.7), ("kidney", 0.8)];
    let coarser = names().iter().map(|name| (*name, 1.9));
    for (name, factor) in finer.into_iter().chain(coarser) {
        let edge = 1.1 * default_body(name).mean_edge() * factor;
        let other = make(&ProceduralSpec {
            edge: Some(edge),
            ..ProceduralSpec::new(name)
        });
        let t = topology(&other);
        assert!(t.is_sound(), "{name}");
        assert_eq!(t.components, 1, "{name}");
        // the diagonals of structured cells are longer than their edges; details of other bodies have shorter edges
        let ratio = other.mean_edge() / edge;
        let most = if ["box", "bar"].contains(&name) {
            1.25
        } else {
            1.05
        };
        assert!(ratio > 0.42 && ratio < most, "{name} {factor}: {ratio}");
    }
}

#[test]
fn groups_are_named_sorted_and_small() {
    for (name, group) in [
        ("spatula", "handle"),
        ("banana_seat", "rails"),
        ("liver", "ligament"),
        ("fingertip", "nail"),
        ("octahedron", "base"),
        ("torso", "base"),
        ("rabbit", "feet"),
        ("bear", "feet"),
        ("penguin", "feet"),
        ("dragon", "feet"),
        ("buddha", "base"),
        ("infant", "feet"),
    ] {
        let surface = default_body(name);
        let vertices = surface.group(group).expect("the group");
        assert!(vertices.len() >= 20, "{name}");
        assert!(2 * vertices.len() < surface.vertex_count(), "{name}");
        assert!(vertices.windows(2).all(|w| w[0] < w[1]), "{name}");
        let top = surface.bounds().size().y * 0.2;
        let is_low = |&v: &u32| surface.positions[v as usize].y < top;
        assert!(group != "feet" || vertices.iter().all(is_low), "{name}");
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let spec = ProceduralSpec::new("penguin");
    let on = |threads: usize| on_threads(threads, || make(&spec));
    assert_eq!(on(1), on(3));
}

#[test]
fn structured_bars_have_the_cells_asked_for() {
    let bar = make(&ProceduralSpec {
        size: Some([0.4, 0.1, 0.1]),
        edge: Some(0.01),
        ..ProceduralSpec::new("bar")
    });
    assert_eq!(bar.triangles.len(), 4 * (40 * 10 + 10 * 10 + 10 * 40));
    assert!((bar.volume() - 0.004).abs() < 1e-15);
}

#[test]
fn wrong_requests_are_named() {
    let error = |spec: ProceduralSpec| body(&spec, &Progress::new()).expect_err("an error");
    let misspelt = error(ProceduralSpec::new("rabit"));
    assert_contains(&misspelt.to_string(), "did you mean `rabbit`?");
    let unknown = error(ProceduralSpec::new("teapot"));
    assert_contains(&unknown.to_string(), "use one of box, bar");
    for longest in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9] {
        let refused = error(sized("kidney", longest));
        assert!(matches!(refused, ProceduralError::BadSize { .. }));
    }
    let with_edge = |name: &str, edge: f64| ProceduralSpec {
        edge: Some(edge),
        ..sized(name, 0.3)
    };
    for name in ["dragon", "box"] {
        let ProceduralError::EdgeTooFine { edge_that_fits, .. } = error(with_edge(name, 1e-4))
        else {
            panic!("{name} should have too many triangles");
        };
        assert!(
            edge_that_fits > 1e-4 && edge_that_fits < 0.01,
            "{name}: {edge_that_fits}"
        );
        let ProceduralError::EdgeTooCoarse {
            edge_that_works, ..
        } = error(with_edge(name, 0.9))
        else {
            panic!("{name} should be too coarse");
        };
        make(&with_edge(name, edge_that_works));
    }
    // a length of another body, as a scene gives it
    let coarse = error(ProceduralSpec {
        edge: Some(0.02),
        ..sized("sphere", 0.1)
    });
    let text = coarse.to_string();
    assert!(text.contains("an edge of 0.02 m is too coarse"), "{text}");
    assert!(text.ends_with("use 0.00995 m or less"), "{text}");
    let sized_kidney = ProceduralSpec {
        size: Some([1.0; 3]),
        ..ProceduralSpec::new("kidney")
    };
    let refused = error(sized_kidney);
    assert!(matches!(
        refused,
        ProceduralError::SizeNotUsed { body: "kidney" }
    ));
    let stopped = body(&ProceduralSpec::new("dragon"), &cancelled());
    assert_eq!(stopped, Err(ProceduralError::Cancelled(Cancelled)));
}
