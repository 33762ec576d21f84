//! Damping is as strong as asked for.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::Damping;
use pliant_core::math::Vec3;

use crate::LatticeParams;
use crate::testing::{body_of, grid_of, model_of, run};

/// damping ratio from the decay of the extremes of the first bending mode of a standing bar
#[test]
fn the_first_mode_decays_with_the_wanted_ratio() {
    for zeta in [0.02, 0.1] {
        let params = LatticeParams {
            damping: Some(Damping::Ratio(zeta)),
            half_width: Some(1),
            ..LatticeParams::default()
        };
        let mut model = model_of(&body_of(grid_of([2, 9, 2], |_| true), 0.001), &params);
        assert!(model.passes.reached > 0.999, "{:?}", model.passes);
        let height = 0.45;
        let bent: Vec<Vec3> = model
            .x
            .iter()
            .map(|x| x + Vec3::new(0.01 * ((x.y + height / 2.0) / height).powi(2), 0.0, 0.0))
            .collect();
        model.set_state(&bent, &[]);
        let tip =
            |m: &crate::LatticeModel| m.x[m.x.len() - 1].x - m.asset.rest_position(m.x.len() - 1).x;
        let mut samples = Vec::new();
        for _ in 0..400 {
            run(&mut model, 1, &BoundaryConditions::default()).expect("stable");
            samples.push(tip(&model));
        }
        let mut peaks = Vec::new();
        for w in samples.windows(3) {
            if w[1] > w[0] && w[1] >= w[2] && w[1] > 1e-6 {
                // the top of a parabola through three samples
                let (a, b) = (0.5 * (w[0] + w[2]) - w[1], 0.5 * (w[2] - w[0]));
                peaks.push(w[1] - b * b / (4.0 * a));
            }
        }
        // higher modes have gone by the second peak
        let count = peaks.len().min(6);
        assert!(count >= 3, "{peaks:?}");
        let decrement = (peaks[1] / peaks[count - 1]).ln() / (count - 2) as f64;
        let found = decrement / (decrement.powi(2) + 4.0 * std::f64::consts::PI.powi(2)).sqrt();
        assert!(
            (found / zeta - 1.0).abs() < 0.15,
            "wanted {zeta}, found {found}"
        );
    }
}

#[test]
fn the_energy_lost_is_the_energy_counted() {
    let params = LatticeParams {
        damping: Some(Damping::Ratio(0.1)),
        ..LatticeParams::default()
    };
    let mut model = model_of(&body_of(grid_of([3, 4, 3], |_| true), 0.001), &params);
    let sheared: Vec<Vec3> = model
        .x
        .iter()
        .map(|x| x + Vec3::new(0.1 * (x.y + 0.1), 0.0, 0.0))
        .collect();
    model.set_state(&sheared, &[]);
    let plan = model.frame_plan(1.0 / 60.0);
    let misfit = model.matching.misfit(&model.asset, &model.x, &model.center);
    let start = 0.5 * plan.alpha / (plan.step * plan.step) * misfit;
    let report = run(&mut model, 300, &BoundaryConditions::default()).expect("stable");
    let energy = report.energy.expect("a lattice has energy");
    assert!(energy.kinetic + energy.elastic < 1e-3 * start);
    assert!(
        (energy.dissipated / start - 1.0).abs() < 0.02,
        "{energy:?} {start}"
    );
}
