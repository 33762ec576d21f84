//! Damping has the requested strength.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::Damping;
use pliant_core::math::Vec3;

use crate::LatticeParams;
use crate::step::damping::plan::DampingPlan;
use crate::testing::bodies::{
    Random, body_of, deform, energy_after, grid_of, internal_energy_after, kinetic_energy,
    model_of, momenta, run, undamped,
};

/// damping ratio from the decay of the extremes of the first bending mode of a standing bar
#[test]
fn the_first_mode_decays_with_the_requested_ratio() {
    for (zeta, damp_every) in [(0.02, 1), (0.1, 1), (0.1, 3)] {
        let params = LatticeParams::with_half_width(1)
            .damped(zeta)
            .with(|p| p.damp_every = damp_every);
        let mut model = model_of(&body_of(grid_of([2, 9, 2], |_| true), 0.001), &params);
        let height = 0.45;
        deform(&mut model, |x| {
            x + Vec3::new(0.01 * ((x.y + height / 2.0) / height).powi(2), 0.0, 0.0)
        });
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
            "expected {zeta}, found {found}, every {damp_every}"
        );
    }
}

#[test]
fn the_energy_lost_is_the_energy_counted() {
    for (damp_globally, damp_every) in [(false, 1), (true, 1), (false, 3)] {
        energy_is_counted(&LatticeParams {
            damp_globally,
            damp_every,
            ..LatticeParams::default().damped(0.1)
        });
    }
}

fn energy_is_counted(params: &LatticeParams) {
    let mut model = model_of(&body_of(grid_of([3, 4, 3], |_| true), 0.001), params);
    deform(&mut model, |x| x + Vec3::new(0.1 * (x.y + 0.1), 0.0, 0.0));
    let plan = model.frame_plan(1.0 / 60.0);
    let misfit = model.matching.misfit(&model.asset, &model.x, &model.center);
    let start = 0.5 * plan.alpha / (plan.step * plan.step) * misfit;
    let energy = energy_after(&mut model, 300);
    assert!(energy.kinetic + energy.elastic < 1e-3 * start);
    assert!(
        (energy.dissipated / start - 1.0).abs() < 0.02,
        "{energy:?} {start}"
    );
}

#[test]
fn slow_limbs_have_the_requested_damping_with_the_help_of_drag() {
    let params = LatticeParams::with_half_width(1)
        .damped(0.1)
        .with(|p| p.steps = Some(8));
    let mut model = model_of(&body_of(grid_of([2, 20, 1], |_| true), 0.001), &params);
    let plan = model.frame_plan(1.0 / 60.0);
    assert!(
        plan.drag > 0.0 && plan.damping.missing > plan.damping.gain,
        "{plan:?}"
    );
    deform(&mut model, |x| {
        x + Vec3::new(0.0, 0.0, 0.005 * (x.y + 0.5).powi(2))
    });
    let mut energies = Vec::new();
    let period = 2.0 * std::f64::consts::PI * plan.step
        / (plan.alpha * model.asset.lowest_eigenvalue).sqrt();
    let frames = (period * 60.0).round() as usize;
    for _ in 0..3 {
        energies.push(internal_energy_after(&mut model, frames));
    }
    // energy falls by exp(−4 π ζ) a period
    let found = (energies[0] / energies[2]).ln() / (8.0 * std::f64::consts::PI);
    assert!((found / 0.1 - 1.0).abs() < 0.15, "{found}");
}

#[test]
fn strong_damping_is_stable_in_every_frame() {
    // the stiffest case: α = 1, all gains
    for gain in [0.3, 0.99, 1.1, 3.0, 5.0, 100.0] {
        let mut model = model_of(
            &body_of(grid_of([4, 3, 3], |_| true), -1.0),
            &undamped(1, 1.0, 4),
        );
        let zeta = 0.5 * gain * model.asset.lowest_eigenvalue.sqrt();
        model.material.damping = Damping::Ratio(zeta);
        let mut random = Random(2);
        deform(&mut model, |x| x + random.vector() * 0.005);
        let mut last = f64::INFINITY;
        for _ in 0..10 {
            let energy = energy_after(&mut model, 4);
            let now = energy.kinetic + energy.elastic;
            assert!(
                (now < last || now < 1e-9 * energy.dissipated) && energy.dissipated > 0.0,
                "gain {gain}: {energy:?}"
            );
            last = now;
        }
    }
}

#[test]
fn a_strong_plan_takes_energy_from_every_motion() {
    let geometry = body_of(grid_of([6, 4, 3], |c| c[0] != 3 || c[1] == 0), 0.001);
    let mut model = model_of(&geometry, &LatticeParams::default());
    let mut random = Random(21);
    for gain in [0.5, 1.0, 3.0, 300.0] {
        let plan = DampingPlan::new(gain);
        let free = |w: f64| if w > 0.0 { 1.0 } else { 0.0 };
        for (v, w) in model.v.iter_mut().zip(&model.inverse_mass) {
            *v = random.vector() * free(*w);
        }
        let (before, p) = (kinetic_energy(&model), momenta(&model)[0]);
        model.damp_regions(&plan);
        // what held particles got is the supports' share
        let off = (momenta(&model)[0] - p).norm();
        assert!(off < 2e-11 * before, "gain {gain}: {off}");
        for (v, w) in model.v.iter_mut().zip(&model.inverse_mass) {
            *v *= free(*w);
        }
        let left = kinetic_energy(&model) / before;
        assert!(left < 0.8, "gain {gain}: {left}");
    }
}

#[test]
fn damping_every_few_steps_is_stable_where_it_resonates_with_the_pull() {
    // damped before the pull, not halfway, these grow by a tenth a step
    for (alpha, damp_every) in [(0.75, 3), (1.0, 6), (0.5, 5)] {
        let params = undamped(1, alpha, 60)
            .damped(2.0)
            .with(|p| p.damp_every = damp_every);
        let mut model = model_of(&body_of(grid_of([4, 4, 4], |_| true), -1.0), &params);
        let mut random = Random(8);
        deform(&mut model, |x| x + random.vector() * 0.01);
        let mut last = f64::INFINITY;
        for _ in 0..10 {
            let now = internal_energy_after(&mut model, 1);
            assert!(
                now < 1.001 * last + 1e-12,
                "{alpha} {damp_every}: {last} {now}"
            );
            last = now;
        }
    }
}

#[test]
fn global_damping_leaves_each_piece_its_momenta_and_its_rigid_motion() {
    // two blocks that no link joins
    let params = undamped(1, 0.8, 4)
        .damped(0.3)
        .with(|p| p.damp_globally = true);
    let mut model = model_of(&body_of(grid_of([3, 7, 3], |c| c[1] != 3), -1.0), &params);
    let upper = |x: &Vec3| x.y > 0.0;
    let rigid = |x: &Vec3| match upper(x) {
        true => Vec3::new(0.1, 0.0, 0.0) + Vec3::y().cross(x),
        false => Vec3::new(0.0, -0.2, 0.3) + Vec3::new(0.5, 0.2, 0.0).cross(x),
    };
    let (mut random, rest) = (Random(2), model.x.clone());
    let v: Vec<Vec3> = rest
        .iter()
        .map(|x| rigid(x) + random.vector() * 0.05)
        .collect();
    model.set_state(&rest, &v);
    let momenta_of = |model: &crate::LatticeModel, up: bool| {
        let (mut p, mut l) = (Vec3::zeros(), Vec3::zeros());
        for (k, m) in model.asset.mass.iter().enumerate() {
            if upper(&rest[k]) == up {
                p += model.v[k] * *m;
                l += model.x[k].cross(&model.v[k]) * *m;
            }
        }
        (p, l)
    };
    let before = [true, false].map(|up| momenta_of(&model, up));
    let energy = energy_after(&mut model, 60);
    let after = [true, false].map(|up| momenta_of(&model, up));
    for (a, b) in after.iter().zip(&before) {
        assert!((a.0 - b.0).norm() < 1e-10 * b.0.norm(), "{a:?} {b:?}");
        assert!((a.1 - b.1).norm() < 1e-10 * b.1.norm(), "{a:?} {b:?}");
    }
    // what moves rigidly goes on
    assert!(
        energy.elastic < 1e-3 * energy.kinetic && energy.dissipated > 0.0,
        "{energy:?}"
    );
}

#[test]
fn global_damping_takes_energy_at_the_requested_rate_from_all_motions() {
    for damp_every in [1, 2] {
        let params = LatticeParams {
            damp_globally: true,
            damp_every,
            ..LatticeParams::with_half_width(1).damped(0.05)
        };
        let mut model = model_of(&body_of(grid_of([2, 9, 2], |_| true), 0.001), &params);
        let mut random = Random(6);
        deform(&mut model, |x| {
            x + Vec3::new(0.05 * (x.y + 0.225).powi(2), 0.0, 0.0) + random.vector() * 1e-4
        });
        let mut energy = || internal_energy_after(&mut model, 1);
        let first: f64 = (0..20).map(|_| energy()).sum();
        let frames = 60;
        (20..frames).for_each(|_| {
            energy();
        });
        let last: f64 = (0..20).map(|_| energy()).sum();
        let plan = model.frame_plan(1.0 / 60.0);
        let first_mode = (plan.alpha * model.asset.lowest_eigenvalue).sqrt() / plan.step;
        let expected = 2.0 * 0.05 * first_mode * f64::from(frames) / 60.0;
        let found = (first / last).ln();
        assert!(
            (found / expected - 1.0).abs() < 0.1,
            "every {damp_every}: expected {expected}, found {found}"
        );
    }
}
