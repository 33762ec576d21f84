//! Damping is as strong as asked for.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::Damping;
use pliant_core::math::Vec3;

use crate::LatticeParams;
use crate::damping::DampingPlan;
use crate::testing::{Random, body_of, grid_of, model_of, run};

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
        let plan = model.frame_plan(1.0 / 60.0).damping;
        assert!(plan.reached > 0.999, "{plan:?}");
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
        for _ in 0..1200 {
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
        let count = peaks.len().min(5);
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

#[test]
fn plans_reach_the_gain_within_their_cost() {
    for steps in [1, 2, 7, 11, 40] {
        for gain in [0.01, 0.9, 1.1, 5.0, 30.0, 1e4] {
            let plan = DampingPlan::new(gain, steps);
            assert!(
                plan.groups * plan.stages <= (2 * steps as usize).max(8),
                "{plan:?}"
            );
            let given = plan.gain * plan.groups as f64 / (gain * f64::from(steps));
            assert!(
                (given - plan.reached).abs() < 1e-12 && plan.reached <= 1.0,
                "{plan:?}"
            );
            let acting = (0..steps).filter(|&k| plan.acts_in(k, steps)).count();
            assert_eq!(acting, plan.groups);
        }
    }
    // soft limbs: a gain of 40 a step is reached by a few strong applications
    assert_eq!(DampingPlan::new(40.0, 11).reached, 1.0);
    assert_eq!(DampingPlan::new(0.0, 11).groups, 0);
    assert_eq!(DampingPlan::new(f64::NAN, 11).groups, 0);
}

#[test]
fn a_strong_plan_takes_energy_from_every_motion() {
    let geometry = body_of(grid_of([6, 4, 3], |c| c[0] != 3 || c[1] == 0), 0.001);
    let mut model = model_of(&geometry, &LatticeParams::default());
    let mut random = Random(21);
    for gain in [0.5, 3.0, 40.0, 300.0] {
        let plan = DampingPlan::new(gain, 4);
        let free = |w: f64| if w > 0.0 { 1.0 } else { 0.0 };
        let mut v: Vec<Vec3> = model
            .inverse_mass
            .iter()
            .map(|&w| random.vector() * free(w))
            .collect();
        let kinetic = |v: &[Vec3]| -> f64 {
            v.iter()
                .zip(&model.asset.mass)
                .map(|(v, m)| m * v.norm_squared())
                .sum()
        };
        let momentum =
            |v: &[Vec3]| -> Vec3 { v.iter().zip(&model.asset.mass).map(|(v, m)| v * *m).sum() };
        let (before, p) = (kinetic(&v), momentum(&v));
        let at = (model.x.as_slice(), &model.center);
        let sums = &model.matching.sums;
        let moment = |r: usize| Vec3::new(sums[r][0], sums[r][1], sums[r][2]);
        model
            .averages
            .prepare(&model.asset, &model.summation, at, moment);
        model.averages.relax(
            &model.asset,
            &model.summation,
            at,
            &plan,
            &model.inverse_mass,
            &mut v,
        );
        // what held particles got is the supports' share
        assert!((momentum(&v) - p).norm() < 1e-11 * before, "gain {gain}");
        for (v, w) in v.iter_mut().zip(&model.inverse_mass) {
            *v *= free(*w);
        }
        assert!(
            kinetic(&v) < 0.8 * before,
            "gain {gain}: {}",
            kinetic(&v) / before
        );
    }
}
