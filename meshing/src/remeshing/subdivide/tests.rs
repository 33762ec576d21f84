use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::octahedron;
use pliant_core::mesh::surface::VertexGroup;
use pliant_core::mesh::validate::topology;

use super::edges::EdgeTable;
use super::error::SubdivideError;
use super::levels::{Scheme, Subdivision, subdivide};
use super::sharp::{SharpEdges, normal_angle};
use crate::procedural::make::body;
use crate::procedural::spec::ProceduralSpec;
use crate::test_bodies::mapped;

fn torus() -> SurfaceMesh {
    let spec = ProceduralSpec {
        edge: Some(0.02),
        ..ProceduralSpec::new("torus")
    };
    body(&spec, &Progress::new()).expect("a torus")
}

fn refined(base: &SurfaceMesh, levels: usize, scheme: Scheme, sharp: &SharpEdges) -> Subdivision {
    subdivide(base, levels, scheme, sharp, &Progress::new()).expect("a closed manifold")
}

/// Largest angle between neighbouring triangles, radians.
fn sharpest(surface: &SurfaceMesh) -> f64 {
    let table = EdgeTable::new(surface.vertex_count(), &surface.triangles);
    (0..table.len())
        .map(|e| normal_angle(surface, &table, e))
        .fold(0.0, f64::max)
}

#[test]
fn every_level_has_a_vertex_an_edge_more_even_ones_first() {
    for scheme in [Scheme::Midpoint, Scheme::Loop] {
        let base = torus();
        let result = refined(&base, 2, scheme, &SharpEdges::none());
        for (l, pair) in result.levels.windows(2).enumerate() {
            let table = &result.edges[l];
            let even = pair[0].vertex_count();
            assert_eq!(table.len(), 3 * pair[0].triangles.len() / 2);
            assert_eq!(pair[1].vertex_count(), even + table.len());
            let shape = topology(&pair[1]);
            assert!(shape.is_sound());
            assert_eq!(shape.genus(), Some(1));
            for (t, &[a, b, c]) in pair[0].triangles.iter().enumerate() {
                let children = &pair[1].triangles[4 * t..4 * t + 4];
                // each corner keeps its number and its corner triangle
                assert_eq!([children[0][0], children[1][1], children[2][2]], [a, b, c]);
                let middle = children[3].map(|v| table.ends[v as usize - even]);
                for (ends, want) in middle.iter().zip([[a, b], [b, c], [c, a]]) {
                    assert!(*ends == want || [ends[1], ends[0]] == want);
                }
            }
            // odd numbers ascend as the faces are passed
            let mut seen = 0;
            for &e in table.of_face.iter().flatten() {
                assert!(e <= seen);
                seen = seen.max(e + 1);
            }
        }
    }
}

#[test]
fn midpoints_keep_the_shape_to_the_last_bit() {
    let base = torus();
    let result = refined(&base, 2, Scheme::Midpoint, &SharpEdges::none());
    let finest = &result.levels[2];
    assert_eq!(finest.positions[..base.vertex_count()], base.positions[..]);
    assert!((finest.volume() / base.volume() - 1.0).abs() < 1e-13);
    assert!((finest.area() / base.area() - 1.0).abs() < 1e-13);
}

#[test]
fn loop_subdivision_commutes_with_affine_maps() {
    let map = nalgebra::Matrix3::new(1.3, 0.2, -0.4, 0.1, 0.7, 0.3, -0.2, 0.5, 2.1);
    let shift = Vec3::new(3.0, -1.0, 0.5);
    let base = octahedron();
    let sharp = SharpEdges::from_edges([[0, 2], [4, 2], [5, 1]].into_iter());
    let moved = mapped(base.clone(), |x| map * x + shift);
    let first = refined(&base, 3, Scheme::Loop, &sharp);
    let second = refined(&moved, 3, Scheme::Loop, &sharp);
    for (x, y) in (first.levels[3].positions.iter()).zip(&second.levels[3].positions) {
        assert!((map * x + shift - y).norm() < 1e-13);
    }
}

#[test]
fn an_octahedron_becomes_smooth_and_nearly_round() {
    let result = refined(&octahedron(), 5, Scheme::Loop, &SharpEdges::none());
    let angles: Vec<f64> = result.levels.iter().map(sharpest).collect();
    for pair in angles[2..].windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.8..2.2).contains(&ratio), "{ratio}");
    }
    let finest = &result.levels[5].positions;
    let radii = finest.iter().map(|x| x.norm());
    let (least, most) = radii.fold((f64::INFINITY, 0.0_f64), |(a, b), r| (a.min(r), b.max(r)));
    assert!(most / least < 1.08, "{}", most / least);
    // the limit of a vertex of valence 4: beta = 31/256, share = 1 / (4 + 3·256 / (8·31))
    let share = 1.0 / (4.0 + 768.0 / 248.0);
    let expected = 1.0 - 4.0 * share;
    let error = (finest[0] - Vec3::x() * expected).norm();
    assert!(error < 1e-3, "{error}");
}

#[test]
fn a_tagged_face_stays_flat_inside_a_sharp_rim() {
    let base = octahedron();
    let sharp = SharpEdges::from_faces(&base, &[0]).expect("a face");
    let result = refined(&base, 4, Scheme::Loop, &sharp);
    let finest = &result.levels[4];
    let normal = Vec3::repeat(1.0 / 3.0_f64.sqrt());
    let height = 1.0 / 3.0_f64.sqrt();
    for t in &finest.triangles[..256] {
        for &v in t {
            assert!((normal.dot(&finest.positions[v as usize]) - height).abs() < 1e-14);
        }
    }
    // the rim is a closed sharp line: the only edges that stay sharp
    assert_eq!(result.sharp[4].edges().len(), 3 * 16);
    let angle = SharpEdges::from_angle(finest, 20.0);
    assert!(!angle.edges().is_empty());
    let rim = &result.sharp[4];
    assert!(angle.edges().iter().all(|&e| rim.contains(e)));
    let smooth = refined(&base, 4, Scheme::Loop, &SharpEdges::none());
    let angle = SharpEdges::from_angle(&smooth.levels[4], 20.0);
    assert!(angle.edges().is_empty());
}

#[test]
fn tags_come_from_faces_and_angles_and_groups_grow() {
    let mut base = octahedron();
    base.groups.push(VertexGroup {
        name: "rim".into(),
        vertices: vec![0, 1, 2, 3],
    });
    assert_eq!(SharpEdges::from_angle(&base, 60.0).edges().len(), 12);
    assert!(SharpEdges::from_angle(&base, 75.0).edges().is_empty());
    let faces = SharpEdges::from_faces(&base, &[0]).expect("a face");
    assert_eq!(faces.edges(), [[0, 2], [0, 4], [2, 4]]);
    let level = &refined(&base, 1, Scheme::Loop, &faces).levels[1];
    assert_eq!(level.group("rim").map(<[u32]>::len), Some(8));
    let found = SharpEdges::from_faces(&base, &[8]);
    assert!(matches!(
        found,
        Err(SubdivideError::NoSuchFace { face: 8, .. })
    ));
}

#[test]
fn what_is_not_a_closed_manifold_is_refused_by_name() {
    let good = octahedron();
    let mut open = good.clone();
    open.triangles.pop();
    let mut flipped = good.clone();
    flipped.triangles[0].swap(0, 1);
    let mut pinched = good.clone();
    pinched
        .positions
        .extend(good.positions[1..].iter().map(|x| x + Vec3::x() * 2.0));
    pinched.positions[6] = Vec3::x() * 3.0;
    // the second octahedron uses vertex 0 as its own vertex 1
    let number = [6, 0, 7, 8, 9, 10];
    pinched
        .triangles
        .extend(good.triangles.iter().map(|t| t.map(|v| number[v as usize])));
    let mut wrong = good.clone();
    wrong.triangles[3][1] = 77;
    let mut not_finite = good.clone();
    not_finite.positions[2].y = f64::NAN;
    let nothing = SurfaceMesh::new(Vec::new(), Vec::new());
    let progress = Progress::new();
    let refusal = |surface: &SurfaceMesh, levels: usize| {
        let made = subdivide(
            surface,
            levels,
            Scheme::Loop,
            &SharpEdges::none(),
            &progress,
        );
        format!("{:?}", made.expect_err("refused"))
    };
    for (surface, levels, expected) in [
        (&open, 1, "OpenSurface { edges: 3, "),
        (&flipped, 1, "NotOriented "),
        (&pinched, 1, "NotManifold "),
        (&wrong, 1, "BadTriangle { triangle: 3, "),
        (&not_finite, 1, "NonFinite { vertex: 2 }"),
        (&nothing, 1, "EmptyMesh"),
        (&good, 12, "TooManyTriangles "),
    ] {
        let found = refusal(surface, levels);
        assert!(found.starts_with(expected), "{found} for {expected}");
    }
    progress.cancel();
    assert_eq!(refusal(&good, 1), "Cancelled(Cancelled)");
}
