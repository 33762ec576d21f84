//! Point contact: stiffness under refinement, continuous over the skin and within the limits of the device.

use std::sync::Arc;

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SurfaceMesh, SurfacePoint};
use pliant_core::scene::Selection;
use pliant_quasistatic::capacitance::nodal::NodalForces;
use pliant_quasistatic::haptics::geodesic_step::triangle_neighbours;
use pliant_quasistatic::haptics::response::MaskedColumns;
use pliant_quasistatic::haptics::stiffness::triangle_compliance;
use pliant_quasistatic::haptics::{HapticError, HapticParams, HapticSurface, StiffnessMode};
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{GreensAsset, Precision};

use crate::bodies::{RandomNumbers, bake_body, baked, from_generator, haptic_params, held_box};
use crate::held::{extreme, held, nodule};

/// The nodule of the haptics chapter, with Green's functions from boundary elements.
fn held_nodule(levels: usize) -> Arc<GreensAsset> {
    let skin = nodule(levels).expect("a closed surface");
    let geometry = held(&skin, Selection::Lowest(0.35), 0.3);
    Arc::new(bake_body(&geometry, &from_generator(Generator::BemLinear)))
}

/// Parameters with a stiffness limit that no vertex reaches.
fn unlimited(radius: f64) -> HapticParams {
    haptic_params(radius, 1e9)
}

/// Table 1.1 of the haptics chapter: the stiffness of a single vertex vanishes with the mesh size, that of a mask converges.
#[test]
fn masked_stiffness_settles_under_refinement_and_single_vertices_vanish() {
    let radius = nodule(1).expect("a closed surface").mean_edge();
    let mut table = Vec::new();
    for level in 1..=3 {
        let asset = held_nodule(level);
        let top = extreme(&asset.skin, Vec3::y());
        let stiffness = |radius: f64| {
            let surface = HapticSurface::new(asset.clone(), &unlimited(radius)).expect("made");
            (
                surface.vertex_stiffness(top).norm(),
                surface.masks().row(top).0.len(),
            )
        };
        let (single, one) = stiffness(1e-6);
        let (masked, count) = stiffness(radius);
        assert_eq!(one, 1);
        table.push((asset.skin.vertex_count(), single, masked, count));
    }
    let sizes: Vec<usize> = table.iter().map(|row| row.0).collect();
    assert_eq!(sizes, [34, 130, 514]);
    for pair in table.windows(2) {
        let falls = pair[0].1 / pair[1].1;
        assert!(falls >= 2.2, "{table:?}");
    }
    let change = |k: usize| (table[k + 1].2 / table[k].2 - 1.0).abs();
    assert!(change(0) < 0.15 && change(1) < 0.06, "{table:?}");
    for ((_, single, masked, _), expected) in table.iter().zip([0.55, 0.24, 0.10]) {
        let ratio = single / masked;
        assert!((ratio / expected - 1.0).abs() < 0.15, "{table:?}");
    }
}

fn plate(cells: usize) -> Arc<GreensAsset> {
    let geometry = held_box(
        Vec3::new(0.2, 0.08, 0.2),
        [cells, cells * 2 / 5, cells],
        None,
    );
    baked(&geometry, Precision::Single)
}

fn random_point(skin: &SurfaceMesh, random: &mut RandomNumbers) -> SurfacePoint {
    let (a, b) = (random.signed().abs(), random.signed().abs());
    let (a, b) = if a + b > 1.0 {
        (1.0 - a, 1.0 - b)
    } else {
        (a, b)
    };
    SurfacePoint {
        triangle: random.below(skin.triangles.len()) as u32,
        weights: [1.0 - a - b, a, b],
    }
}

#[test]
fn stiffness_is_definite_within_the_device_and_continuous_across_edges() {
    let asset = plate(10);
    for mode in [StiffnessMode::Interpolated, StiffnessMode::Consistent] {
        let params = HapticParams {
            mode,
            ..haptic_params(0.05, 3000.0)
        };
        let surface = HapticSurface::new(asset.clone(), &params).expect("made");
        let report = surface.report();
        assert_eq!(report.repaired, 0);
        assert!(report.limited > 10 && report.limited < asset.skin.vertex_count());
        let max_norm = 3.0_f64.sqrt() * 3000.0 * (1.0 + 1e-9);
        let mut random = RandomNumbers(3);
        let skin = surface.skin();
        for _ in 0..10_000 {
            let at = random_point(skin, &mut random);
            let k = surface.stiffness(&at);
            assert!(k.norm() <= max_norm);
            assert!(k.symmetric_eigenvalues().min() > 0.0);
            assert_eq!(k, k.transpose());
        }
        // the stiffness is continuous across edges
        let neighbours = triangle_neighbours(&skin.triangles);
        for (t, corners) in skin.triangles.iter().enumerate().step_by(3) {
            for k in 0..3 {
                let (a, b) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
                let other = neighbours[t][k];
                let weights = |triangle: u32| {
                    skin.triangles[triangle as usize].map(|v| match v {
                        v if v == a => 0.3,
                        v if v == b => 0.7,
                        _ => 0.0,
                    })
                };
                let point = |triangle: u32| SurfacePoint {
                    triangle,
                    weights: weights(triangle),
                };
                let (x, y) = (
                    surface.stiffness(&point(t as u32)),
                    surface.stiffness(&point(other)),
                );
                assert!((x - y).norm() < 1e-6 * x.norm(), "triangle {t}, edge {k}");
            }
        }
    }
}

#[test]
fn the_consistent_mode_is_what_the_surface_does_and_the_interpolated_one_is_stiffer() {
    let asset = plate(15);
    let radius = 3.0 * asset.skin.mean_edge();
    let consistent = HapticParams {
        mode: StiffnessMode::Consistent,
        ..unlimited(radius)
    };
    let consistent = HapticSurface::new(asset.clone(), &consistent).expect("made");
    let interpolated = HapticSurface::new(asset.clone(), &unlimited(radius)).expect("made");
    let columns = MaskedColumns::new(&interpolated);
    let mut random = RandomNumbers(8);
    let (mut mismatch, mut count) = (0.0, 0);
    let mut nodal = NodalForces::default();
    while count < 60 {
        let at = random_point(&asset.skin, &mut random);
        if asset.skin.point(&at).y < 0.0 {
            continue;
        }
        count += 1;
        let force = random.vector(3.0);
        nodal.clear(asset.nodes());
        let held = interpolated.spread(&at, force, &mut nodal);
        let sum: Vec3 = nodal.list().iter().map(|(_, f)| *f).sum();
        assert!(
            (sum + held - force).norm() < 1e-12 * force.norm(),
            "no force is lost"
        );
        let mut field = vec![0.0; 3 * asset.nodes()];
        asset.matrix.add_columns(nodal.list(), &mut field);
        let mut masked_field = vec![0.0; 3 * asset.nodes()];
        columns.add(&interpolated, &at, force, &mut masked_field);
        let largest = field.iter().fold(0.0_f64, |a, u| a.max(u.abs()));
        for (a, b) in field.iter().zip(&masked_field) {
            assert!((a - b).abs() < 1e-5 * largest);
        }
        // the displacement under the force follows from the consistent stiffness
        let corners = asset.skin.triangles[at.triangle as usize];
        let moved: Vec3 = corners
            .iter()
            .zip(at.weights)
            .map(|(&v, w)| asset.rows.interpolate(v as usize, &field) * w)
            .sum();
        let blocks = triangle_compliance(&asset, interpolated.masks(), at.triangle as usize);
        let compliance: Mat3 = (0..9)
            .map(|k| blocks[k / 3][k % 3] * (at.weights[k / 3] * at.weights[k % 3]))
            .sum();
        // columns are stored and summed in single precision
        assert!((compliance * force - moved).norm() < 1e-5 * moved.norm());
        let k = consistent.stiffness(&at);
        let error = (k * moved - force).norm() / force.norm();
        assert!(error < 0.10, "only the antisymmetric part is left: {error}");
        mismatch += (interpolated.stiffness(&at) - k).norm() / k.norm();
    }
    let mean = mismatch / 60.0;
    assert!(mean < 0.10, "{mean}");
}

#[test]
fn parameters_without_meaning_are_refused_by_name() {
    let asset = plate(5);
    for radius in [0.0, -1.0, 5.0, f64::NAN] {
        let refused = HapticSurface::new(asset.clone(), &unlimited(radius));
        assert!(matches!(refused, Err(HapticError::MaskRadius { .. })));
    }
    let refused = HapticSurface::new(asset, &haptic_params(0.05, -2.0))
        .map(|_| ())
        .expect_err("no stiffness");
    assert_eq!(refused.code(), "RigidStiffness");
    assert!(refused.to_string().contains("remedy:"));
}
