//! Columns of a surface in the boundary of finite elements are those of the elements, weighted by shape functions.

use pliant_compression::subdivision::SubdivisionHierarchy;
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;
use pliant_quasistatic::bake::{bake_compressed, free_vertices};
use pliant_quasistatic::greens::wavelets::{SubdividedBoundary, Threshold, WaveletSpec};
use pliant_quasistatic::params::{GreensElements, GreensLoads};
use pliant_quasistatic::{BakeError, GreensAsset, Precision, QuasistaticParams};

use crate::bodies::{bake_body, held_box, point};

fn body() -> BodyGeometry {
    held_box(Vec3::new(0.3, 0.2, 0.2), [3, 2, 2], None)
}

fn params() -> QuasistaticParams {
    QuasistaticParams {
        elements: GreensElements::Quadratic,
        loads: GreensLoads::Corners,
        precision: Precision::Double,
        inside: vec![point("middle", Vec3::new(0.02, 0.01, -0.03))],
        ..QuasistaticParams::default()
    }
}

/// Bakes on a surface of one level, which has no details to drop.
fn on_surface(geometry: &BodyGeometry, surface: &SurfaceMesh) -> Result<GreensAsset, BakeError> {
    let hierarchy = SubdivisionHierarchy::new(
        surface.vertex_count(),
        surface.triangles.clone(),
        Vec::new(),
    )
    .expect("one level");
    let boundary = SubdividedBoundary {
        surface,
        hierarchy: &hierarchy,
        free: &free_vertices(geometry, surface)?,
    };
    let spec = WaveletSpec {
        threshold: Threshold::Epsilon(0.0),
        ..WaveletSpec::default()
    };
    let progress = Progress::new();
    bake_compressed(geometry, &boundary, &params(), &spec, false, &progress)
        .map(|(asset, ..)| asset)
}

fn close(found: &Mat3, expected: &Mat3, scale: f64) -> bool {
    (found - expected).norm() < 1e-6 * scale
}

#[test]
fn a_surface_through_the_corners_has_the_columns_of_the_elements() {
    let geometry = body();
    let mesh = geometry.greens_level.as_deref().expect("set");
    let surface = mesh.boundary().surface;
    let compressed = on_surface(&geometry, &surface).expect("baked");
    let dense = bake_body(&geometry, &params());
    assert_eq!(compressed.nodes(), dense.nodes());
    let n = dense.nodes();
    let scale = dense.matrix.block(n - 1, n - 1).norm();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let (found, expected) = (compressed.matrix.block(i, j), dense.matrix.block(i, j));
        if i != j {
            assert!(
                close(&found, &expected, scale),
                "{i} {j}: {found} {expected}"
            );
            continue;
        }
        // the block of a vertex with itself is a little more compliant
        let own = (found - expected).trace() / 3.0;
        assert!(own > 0.0 && own < 0.02 * scale, "{own} {scale}");
        assert!(close(&(found - Mat3::identity() * own), &expected, scale));
    }
    for node in 0..n {
        assert!(close(&compressed.gravity[node], &dense.gravity[node], 1e-6));
        let (found, expected) = (&compressed.supports[0], &dense.supports[0]);
        assert!(close(
            &found.reactions[node],
            &expected.reactions[node],
            1.0
        ));
        let (found, expected) = (&compressed.inside[0], &dense.inside[0]);
        assert!(close(
            &found.displacement[node],
            &expected.displacement[node],
            scale
        ));
        for (a, b) in found.stress[node].iter().zip(&expected.stress[node]) {
            assert!((a - b).norm() < 1e-9 * b.norm().max(1.0));
        }
    }
}

#[test]
fn forces_on_any_place_of_the_surface_are_carried_by_the_supports() {
    let geometry = body();
    let mesh = geometry.greens_level.as_deref().expect("set");
    let mut surface = mesh.boundary().surface;
    // points between the nodes, also beside the support
    let middle = surface.bounds().center();
    for (v, x) in surface.positions.iter_mut().enumerate() {
        let along = 0.015 * (1.0 + (v % 3) as f64);
        *x += Vec3::new(along, 0.8 * along, -0.5 * along).cross(&(*x - middle).normalize());
    }
    let asset = on_surface(&geometry, &surface).expect("baked");
    assert!(asset.nodes() > 20);
    for (share, node) in asset.supports[0].reactions.iter().zip(0..) {
        // the only support carries the whole force
        let error = share + Mat3::identity();
        assert!(error.norm() < 1e-9, "node {node}: {share}");
    }
    // reciprocity
    for (i, j) in [(0, 7), (3, 11), (20, 5)] {
        let (a, b) = (asset.matrix.block(i, j), asset.matrix.block(j, i));
        assert!((a - b.transpose()).norm() < 1e-6 * a.norm());
    }
}
