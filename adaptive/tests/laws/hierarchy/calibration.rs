//! Calibrated levels have equal frequencies. The calibration uses only the levels of the body.

use pliant_adaptive::bake::bake_with;
use pliant_adaptive::bake::lowest_frequency::lowest_frequency;
use pliant_adaptive::params::Calibration;
use pliant_adaptive::study::mesh::box_with_about;
use pliant_adaptive::study::oscillate;
use pliant_adaptive::study::reference::BlockReference;
use pliant_adaptive::{AdaptiveParams, ElementModel, LodHierarchy, key};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::material::{Damping, LameParameters, Material, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::scene::Selection;

use crate::bodies::{CUBE_PERIOD, With, block, cube_material, left_of};

fn frequencies(asset: &LodHierarchy) -> Vec<f64> {
    let of = |level| {
        let level: &pliant_adaptive::hierarchy::Level = level;
        let material = level.material(&asset.material);
        lowest_frequency(level, &material, &Progress::new()).expect("not cancelled")
    };
    asset.levels.iter().map(of).collect()
}

fn baked(geometry: &BodyGeometry, calibrate: bool) -> LodHierarchy {
    let calibration = match calibrate {
        true => Calibration::Modes,
        false => Calibration::Off,
    };
    bake_with(geometry, calibration, &Progress::new()).expect("bakes")
}

fn wall(size: Vec3) -> Option<Selection> {
    Some(left_of(-0.499 * size.x))
}

#[test]
fn the_calibrated_cube_oscillates_like_the_converged_reference() {
    let size = Vec3::repeat(1.0);
    let material = cube_material(0.0);
    let reference = BlockReference::new(size, &material, &Progress::new()).expect("meshed");
    for (nodes, most) in [(57, 0.03), (137, 0.02), (500, 0.02)] {
        for model in [ElementModel::Green, ElementModel::Cauchy] {
            let mesh = box_with_about(size, nodes);
            let factor = reference.stiffness_factor(&mesh, &Progress::new());
            let mut softer = material;
            softer.elastic.young *= factor.expect("found");
            let run = oscillate(&mesh, size, &softer, 9.81, model, 1.5, &Progress::new());
            let run = run.expect("runs");
            let error = run.period_s.expect("swings") / CUBE_PERIOD - 1.0;
            assert!(error.abs() < most, "{nodes} nodes, {model:?}: {error}");
            assert!(run.energy_drift.expect("ran") < 0.025);
        }
    }
}

#[test]
fn other_calibrated_blocks_oscillate_like_their_fine_meshes() {
    for (size, young, poisson) in [
        (Vec3::new(1.5, 0.8, 1.0), 1e6, 0.3),
        (Vec3::new(2.0, 0.7, 1.1), 2e4, 0.4),
        (Vec3::new(1.0, 1.0, 0.4), 3e5, 0.0),
    ] {
        let material = Material {
            elastic: YoungPoisson { young, poisson },
            damping: Damping::Ratio(0.0),
            ..cube_material(0.0)
        };
        let reference = BlockReference::new(size, &material, &Progress::new()).expect("meshed");
        // so small that the oscillation is linear: its period is that of the bending mode along gravity, one of the two lowest
        let small = 1e-6 * young;
        for (nodes, most) in [(57, 0.03), (137, 0.02)] {
            let mesh = box_with_about(size, nodes);
            let factor = reference.stiffness_factor(&mesh, &Progress::new());
            let mut softer = material;
            softer.elastic.young *= factor.expect("found");
            let duration = 4.0 / reference.frequencies()[0];
            let period = |material: &Material| {
                let model = ElementModel::Green;
                let p = Progress::new();
                let run = oscillate(&mesh, size, material, small / 1e3, model, duration, &p);
                run.expect("runs").period_s.expect("swings")
            };
            let error_of = |period: f64| {
                let errors = reference
                    .frequencies()
                    .into_iter()
                    .take(3)
                    .map(|f| period * f - 1.0);
                errors
                    .min_by(|a, b| a.abs().total_cmp(&b.abs()))
                    .expect("modes")
            };
            let calibrated = error_of(period(&softer));
            assert!(calibrated.abs() < most, "{size:?} {nodes}: {calibrated}");
            assert!(
                period(&softer) > 1.02 * period(&material),
                "{size:?} {nodes}"
            );
        }
    }
}

#[test]
fn every_level_of_a_hierarchy_gets_the_frequency_of_the_finest() {
    let size = Vec3::new(0.3, 0.2, 0.2);
    let levels = [[2, 2, 2], [4, 3, 3], [8, 5, 5]];
    let geometry = block(size, &levels, cube_material(0.1), wall(size));
    let plain = frequencies(&baked(&geometry, false));
    let asset = baked(&geometry, true);
    let calibrated = frequencies(&asset);
    for l in 0..2 {
        assert!(plain[l] > 1.04 * plain[2], "{plain:?}");
        let error = calibrated[l] / calibrated[2] - 1.0;
        assert!(error.abs() < 0.01, "level {l}: {error}");
        assert!(asset.levels[l].stiffness < asset.levels[l + 1].stiffness);
    }
    assert_eq!(asset.levels[2].stiffness, 1.0);
    let shared = asset.lowest_frequency / calibrated[2] - 1.0;
    assert!(shared.abs() < 1e-3, "{shared}");
    // element frequencies, which determine the step, change accordingly
    let uncalibrated = baked(&geometry, false);
    let ratio = asset.levels[0].frequencies[0] / uncalibrated.levels[0].frequencies[0];
    assert!((ratio * ratio / asset.levels[0].stiffness - 1.0).abs() < 1e-12);
}

#[test]
fn calibration_of_free_bodies_and_point_supports_is_harmless() {
    let size = Vec3::new(0.3, 0.2, 0.2);
    let levels = [[2, 2, 2], [4, 3, 3], [8, 5, 5]];
    let free = block(size, &levels, cube_material(0.1), None);
    let corner = Selection::Sphere {
        center: (-size / 2.0).into(),
        radius: 1e-3,
    };
    let hinged = block(size, &levels, cube_material(0.1), Some(corner));
    let factors =
        |asset: &LodHierarchy| -> Vec<f64> { asset.levels.iter().map(|l| l.stiffness).collect() };
    // lumped masses lower the frequencies of the free modes of 27 nodes; that is no error of the stiffness
    let calibrated = baked(&free, true);
    let found = factors(&calibrated);
    assert!(
        found[0] == 1.0 && found[1] < 1.0 && found[2] == 1.0,
        "{found:?}"
    );
    // the stiffness of a point support depends on the level
    let held = baked(&hinged, true);
    assert!(factors(&held).iter().all(|f| (0.3..=2.0).contains(f)));
    assert!(held.notes.iter().any(|n| n.contains("not calibrated")));
}

#[test]
fn a_single_level_is_not_calibrated_and_factors_do_not_depend_on_scale() {
    let size = Vec3::repeat(0.2);
    let single = block(size, &[[3, 3, 3]], cube_material(0.1), wall(size));
    assert_eq!(baked(&single, true).levels[0].stiffness, 1.0);
    // the factor is dimensionless: it depends neither on modulus nor on density nor on size
    let factor = |scale: f64, stiffer: f64| {
        let mut material = cube_material(0.1);
        material.elastic = LameParameters {
            lambda: 5e5 * stiffer,
            mu: 4e5 * stiffer,
        }
        .into();
        let size = size * scale;
        let levels = [[2, 2, 2], [4, 4, 4]];
        baked(&block(size, &levels, material, wall(size)), true).levels[0].stiffness
    };
    let one = factor(1.0, 1.0);
    assert!((factor(0.01, 1e-4) / one - 1.0).abs() < 1e-3);
}

#[test]
fn the_key_depends_on_the_calibration() {
    let size = Vec3::repeat(0.2);
    let geometry = block(size, &[[2, 2, 2]], cube_material(0.1), None);
    let params = AdaptiveParams::default();
    let plain = params.with(|p| p.calibration = Calibration::Off);
    assert_eq!(params.calibration, Calibration::Modes);
    assert_ne!(key(&geometry, &params), key(&geometry, &plain));
}

#[test]
fn thin_bars_bend_like_beams_with_fitted_stiffness() {
    let (length, thickness) = (1.2, 0.1);
    let size = Vec3::new(length, thickness, thickness);
    let material = cube_material(0.0);
    let material = Material {
        elastic: YoungPoisson {
            poisson: 0.0,
            ..material.elastic
        },
        ..material
    };
    // clamped and free end (Euler, Bernoulli): β L = 1.8751, E I / (ρ A) = E t² / (12 ρ)
    let rigidity = material.elastic.young * thickness * thickness / (12.0 * material.density);
    let beam = 1.875_104_f64.powi(2) / (length * length) * rigidity.sqrt();
    let geometry = block(size, &[[12, 1, 1], [24, 2, 2]], material, wall(size));
    let of = |calibration| {
        let asset = bake_with(&geometry, calibration, &Progress::new()).expect("bakes");
        frequencies(&asset)
    };
    let (plain, fitted) = (of(Calibration::Off), of(Calibration::Local));
    let error = fitted[1] / beam - 1.0;
    assert!(error.abs() < 0.02, "fitted {} against {beam}", fitted[1]);
    assert!(plain[1] / beam > 1.25, "plain {}", plain[1]);
    // one cell thick: its tetrahedra bend more easily one way than the other, which a scalar factor cannot correct; the lower of both frequencies is 9.3 % low
    let error = fitted[0] / beam - 1.0;
    assert!(error.abs() < 0.10, "fitted {} against {beam}", fitted[0]);
    assert!(plain[0] / beam > 1.6, "plain {}", plain[0]);
}
