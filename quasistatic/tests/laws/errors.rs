//! Each fault of a bake has its own error code.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress, SupportRegion};
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::scene::Selection;
use pliant_quasistatic::{BakeError, QuasistaticParams, bake};

use crate::bodies::{bake_body, held_box, refused};

fn failure(change: impl Fn(&mut BodyGeometry)) -> BakeError {
    let mut geometry = held_box(Vec3::repeat(0.2), [3, 3, 3], None);
    change(&mut geometry);
    refused(&geometry, &QuasistaticParams::default())
}

fn changed_mesh(geometry: &mut BodyGeometry, change: impl Fn(&mut TetMesh)) {
    let mut mesh = geometry.greens_level.as_deref().expect("set").clone();
    change(&mut mesh);
    geometry.greens_level = Some(Arc::new(mesh));
}

#[test]
fn each_fault_has_its_own_error_with_a_remedy() {
    let line = Selection::Sphere {
        center: [-0.1, -0.1, -0.1],
        radius: 1e-6,
    };
    let cases = [
        ("NoGreensLevel", failure(|g| g.greens_level = None)),
        ("Unconstrained", failure(|g| g.supports.clear())),
        (
            "Unconstrained",
            failure(|g| {
                let nowhere = Selection::List(Vec::new());
                g.supports = vec![SupportRegion::new("none", nowhere, &g.skin)];
            }),
        ),
        (
            "SupportHinge",
            failure(|g| {
                let mut support = SupportRegion::new("corner", line.clone(), &g.skin);
                support.skin_vertices.clear();
                g.supports = vec![support];
            }),
        ),
        ("Locking", failure(|g| g.material.elastic.poisson = 0.47)),
        (
            "InvalidMaterial",
            failure(|g| g.material.elastic.poisson = 0.6),
        ),
        (
            "InvalidMaterial",
            failure(|g| g.material.elastic.young = f64::NAN),
        ),
        (
            "InvertedElement",
            failure(|g| changed_mesh(g, |m| m.tets[5].swap(0, 1))),
        ),
        (
            "NotPositiveDefinite",
            // a tetrahedron attached by one node only
            failure(|g| {
                changed_mesh(g, |m| {
                    let (node, first) = (63, m.nodes.len() as u32);
                    let x = m.nodes[node];
                    m.nodes
                        .extend([Vec3::x(), Vec3::y(), Vec3::z()].map(|d| x + d * 0.1));
                    m.tets.push([node as u32, first, first + 1, first + 2]);
                });
            }),
        ),
        (
            "EmbeddingFar",
            failure(|g| {
                let size = Vec3::new(0.2, 0.5, 0.2);
                g.skin = Arc::new(box_surface(size, [3, 3, 3], CellStyle::Kuhn));
            }),
        ),
    ];
    for (code, error) in cases {
        assert_eq!(error.code(), code, "{error}");
    }
}

#[test]
fn too_many_columns_name_their_size() {
    let geometry = held_box(Vec3::repeat(0.2), [3, 3, 3], None);
    let params = QuasistaticParams {
        max_boundary_nodes: 30,
        ..QuasistaticParams::default()
    };
    match refused(&geometry, &params) {
        BakeError::TooManyColumns { nodes, limit, .. } => assert_eq!((nodes, limit), (40, 30)),
        other => panic!("expected TooManyColumns, got {other}"),
    }
}

#[test]
fn a_cancelled_bake_stops_and_a_distant_skin_is_mentioned() {
    let mut geometry = held_box(Vec3::repeat(0.2), [3, 3, 3], None);
    let progress = Progress::new();
    progress.cancel();
    let params = QuasistaticParams::default();
    let cancelled = bake::bake(&geometry, &params, &progress).err();
    assert_eq!(cancelled.map(|e| e.code()), Some("Cancelled".into()));

    assert!(bake_body(&geometry, &params).notes.is_empty());
    for (larger, words) in [
        (0.203, None),
        (0.21, Some("approximate")),
        (0.22, Some("unreliable")),
    ] {
        geometry.skin = Arc::new(box_surface(
            Vec3::repeat(larger),
            [3, 3, 3],
            CellStyle::Kuhn,
        ));
        let asset = bake_body(&geometry, &params);
        match words {
            None => assert!(asset.notes.is_empty(), "{:?}", asset.notes),
            Some(words) => assert!(asset.notes[0].contains(words), "{:?}", asset.notes),
        }
    }
}
