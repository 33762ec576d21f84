//! Columns of a surface in the boundary of finite elements are those of the elements, weighted by shape functions.

use pliant_compression::subdivision::SubdivisionHierarchy;
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;
use pliant_quasistatic::bake::{bake_compressed, free_vertices};
use pliant_quasistatic::greens::wavelets::{SubdividedBoundary, Threshold, WaveletSpec};
use pliant_quasistatic::params::{BoundaryLoads, Elements};
use pliant_quasistatic::{BakeError, GreensAsset, Precision, QuasistaticParams};

use crate::bodies::{held_box, made, point};

fn body() -> BodyGeometry {
    held_box(Vec3::new(0.3, 0.2, 0.2), [3, 2, 2], None)
}

fn params() -> QuasistaticParams {
    QuasistaticParams {
        elements: Elements::Quadratic,
        loads: BoundaryLoads::Corners,
        precision: Precision::Double,
        inside: vec![point("middle", Vec3::new(0.02, 0.01, -0.03))],
        ..QuasistaticParams::default()
    }
}

/// Nothing is dropped: a surface of one level has no details.
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

fn close(found: &Mat3, wanted: &Mat3, scale: f64) -> bool {
    (found - wanted).norm() < 1e-6 * scale
}

#[test]
fn a_surface_through_the_corners_has_the_columns_of_the_elements() {
    let geometry = body();
    let mesh = geometry.greens_level.as_deref().expect("set");
    let surface = mesh.boundary().surface;
    let compressed = on_surface(&geometry, &surface).expect("baked");
    let dense = made(&geometry, &params());
    assert_eq!(compressed.nodes(), dense.nodes());
    let n = dense.nodes();
    let scale = dense.matrix.block(n - 1, n - 1).norm();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let (found, wanted) = (compressed.matrix.block(i, j), dense.matrix.block(i, j));
        if i != j {
            assert!(close(&found, &wanted, scale), "{i} {j}: {found} {wanted}");
            continue;
        }
        // each vertex gives way by a little of its own
        let own = (found - wanted).trace() / 3.0;
        assert!(own > 0.0 && own < 0.02 * scale, "{own} {scale}");
        assert!(close(&(found - Mat3::identity() * own), &wanted, scale));
    }
    for node in 0..n {
        assert!(close(&compressed.gravity[node], &dense.gravity[node], 1e-6));
        let (found, wanted) = (&compressed.supports[0], &dense.supports[0]);
        assert!(close(&found.shares[node], &wanted.shares[node], 1.0));
        let (found, wanted) = (&compressed.inside[0], &dense.inside[0]);
        assert!(close(
            &found.displacement[node],
            &wanted.displacement[node],
            scale
        ));
        for (a, b) in found.stress[node].iter().zip(&wanted.stress[node]) {
            assert!((a - b).norm() < 1e-9 * b.norm().max(1.0));
        }
    }
}

#[test]
fn forces_on_any_place_of_the_surface_are_carried_by_the_supports() {
    let geometry = body();
    let mesh = geometry.greens_level.as_deref().expect("set");
    let mut surface = mesh.boundary().surface;
    // places between the nodes, also beside the support
    let middle = surface.bounds().center();
    for (v, x) in surface.positions.iter_mut().enumerate() {
        let along = 0.015 * (1.0 + (v % 3) as f64);
        *x += Vec3::new(along, 0.8 * along, -0.5 * along).cross(&(*x - middle).normalize());
    }
    let asset = on_surface(&geometry, &surface).expect("baked");
    assert!(asset.nodes() > 20);
    for (share, node) in asset.supports[0].shares.iter().zip(0..) {
        // what acts on the body comes out of its only support
        let off = share + Mat3::identity();
        assert!(off.norm() < 1e-9, "node {node}: {share}");
    }
    // reciprocity
    for (i, j) in [(0, 7), (3, 11), (20, 5)] {
        let (a, b) = (asset.matrix.block(i, j), asset.matrix.block(j, i));
        assert!((a - b.transpose()).norm() < 1e-6 * a.norm());
    }
}
