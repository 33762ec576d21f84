//! The elastic solid that a lattice is.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest};

use crate::LatticeParams;
use crate::testing::bodies::{body_of, deform, grid_of, model_of, run, undamped};

#[test]
fn a_stretched_bar_pulls_with_youngs_modulus() {
    for w in [1, 2, 3] {
        for side in [1, 4] {
            let params = undamped(w, 0.7, 20);
            let mut model = model_of(&body_of(grid_of([20, side, side], |_| true), -1.0), &params);
            let strain = 1e-4;
            deform(&mut model, |x| Vec3::new(x.x * (1.0 + strain), x.y, x.z));
            let h = 1.0 / 1200.0;
            // what one half pulls at the other: the momentum it gains in one step
            let free = BoundaryConditions::default();
            let request = FrameRequest::new(h, &free);
            model.advance(request).expect("stable");
            let column = |p: &usize| model.asset.sites[*p][0];
            let pull = |p: usize| -model.asset.mass[p] * model.v[p].x / h;
            let all = 0..model.x.len();
            let force: f64 = all.clone().filter(|p| column(p) >= 10).map(pull).sum();
            // the middle layer is cut in two: it belongs to both halves
            let middle: f64 = all.filter(|p| column(p) == 10).map(pull).sum();
            let area = (side as f64 * 0.05).powi(2);
            let ratio = (force - 0.5 * middle) / (model.calibration.young * area * strain);
            assert!((ratio - 1.0).abs() < 0.005, "w={w} side={side}: {ratio}");
        }
    }
}

#[test]
fn an_axial_wave_has_the_speed_of_the_calibrated_bar() {
    // once in the paper's way, once as calibrated for the material's modulus
    let calibrated = |w: usize| LatticeParams::with_half_width(w).damped(0.0);
    for (w, params) in [
        (1, undamped(1, 0.9, 16)),
        (2, undamped(2, 0.9, 16)),
        (1, calibrated(1)),
        (2, calibrated(2)),
    ] {
        let (cells, cell) = (32, 0.05);
        let geometry = body_of(grid_of([cells, 2, 2], |_| true), -1.0);
        let young = geometry.material.elastic.young;
        let mut model = model_of(&geometry, &params);
        if params.alpha.is_none() {
            assert!((model.calibration.young / young - 1.0).abs() < 1e-9);
        }
        let length = cells as f64 * cell;
        let half_wave = |x: f64| -(std::f64::consts::PI * x / length).sin();
        deform(&mut model, |x| {
            x + Vec3::new(1e-3 * length * half_wave(x.x), 0.0, 0.0)
        });
        let expected = (model.calibration.young / 1000.0).sqrt() / (2.0 * length);
        // the moment of the first mode; its sign changes twice a period
        let moment = |model: &crate::LatticeModel| -> f64 {
            (0..model.x.len())
                .map(|p| {
                    model.asset.mass[p]
                        * half_wave(model.asset.rest[p].x)
                        * (model.x[p].x - model.asset.rest[p].x)
                })
                .sum()
        };
        let frame = 1.0 / 60.0;
        let mut crossings = Vec::new();
        let mut last = moment(&model);
        for k in 0.. {
            run(&mut model, 1, &BoundaryConditions::default()).expect("stable");
            let now = moment(&model);
            if last * now < 0.0 {
                crossings.push((k as f64 + last / (last - now)) * frame);
            }
            last = now;
            if crossings.len() == 7 || k > 2000 {
                break;
            }
        }
        let found = 3.0 / (crossings[6] - crossings[0]);
        assert!(
            (found / expected - 1.0).abs() < 0.01,
            "w={w}: {found} Hz, expected {expected} Hz"
        );
    }
}
