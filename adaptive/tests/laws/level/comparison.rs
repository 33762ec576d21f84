//! Options for comparison with the paper: the node-jump scheme, the filter.

use std::sync::Arc;

use pliant_adaptive::cut::Cut;
use pliant_adaptive::step::multirate::CutDynamics;
use pliant_adaptive::{
    AdaptiveParams, ElementModel, FilterRule, LevelChoice, LodHierarchy, Scheme,
};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::Damping;
use pliant_core::math::Vec3;

use crate::bodies::{With, baked_block, bent, counter, frame, model, weight};
use crate::cut::cuts::{green, momentum, set_by_rest, split_where, step_frame, total_energy};

/// Half of the nodes of level 0 are split.
fn split_half(cut: &mut Cut) {
    split_where(cut, 0, |x| x.x > -0.1);
}

/// A bent, spinning bar of two levels, undamped and free, under a scheme.
fn spinning(asset: &Arc<LodHierarchy>, scheme: Scheme) -> CutDynamics {
    let params = AdaptiveParams::default()
        .with(|p| p.scheme = scheme)
        .with(|p| p.recover = false);
    let mut b = green(asset, Damping::Ratio(0.0), &params);
    b.change_cut(split_half);
    set_by_rest(&mut b, |x| {
        let spin = Vec3::new(0.3, 1.5, -0.4).cross(x);
        (x + (bent(x) - x) * 0.3, spin)
    });
    b
}

#[test]
fn element_impulses_keep_momentum_and_jumping_nodes_diverge() {
    let size = Vec3::new(1.2, 0.6, 0.6);
    let asset = baked_block(size, &[[4, 2, 2], [9, 4, 5]], 0.0, None);
    let run = |scheme: Scheme| {
        let mut b = spinning(&asset, scheme);
        let (e0, m0) = (total_energy(&b), momentum(&b));
        let (mut worst, mut lost) = (1.0_f64, 0.0_f64);
        for _ in 0..120 {
            step_frame(&mut b, Vec3::zeros());
            assert!(b.groups().len() > 1, "several rates");
            let ratio = total_energy(&b) / e0;
            if !ratio.is_finite() || ratio > 10.0 {
                return (f64::INFINITY, f64::INFINITY);
            }
            worst = worst.max(ratio);
            lost = lost.max((momentum(&b).angular - m0.angular).norm() / m0.angular.norm());
        }
        (worst, lost)
    };
    let impulses = run(Scheme::ElementImpulses);
    let jump = run(Scheme::NodeJump);
    assert!(impulses.0 < 1.02 && impulses.1 < 1e-10, "{impulses:?}");
    assert!(jump.0 > 1.5, "{jump:?}");
}

#[test]
fn the_published_filter_halves_the_steps_and_slows_a_fall() {
    let asset = baked_block(Vec3::repeat(0.3), &[[3, 3, 3]], 0.0, None);
    let gravity = weight();
    let fall = |filter: FilterRule| {
        let params = AdaptiveParams::default()
            .with(|p| p.filter = filter)
            .with(|p| p.level = LevelChoice::Index(0));
        let mut b = model(&asset, params);
        frame(&mut b, &gravity);
        // steps of the body at rest
        let steps = counter(&b, "substeps");
        for _ in 1..30 {
            frame(&mut b, &gravity);
        }
        let speed = b.level_velocities().iter().map(|v| -v.y);
        (speed.fold(0.0, f64::max), steps)
    };
    let (free, steps) = fall(FilterRule::Off);
    let (paper, fewer) = fall(FilterRule::Paper);
    let expected = 9.81 * 0.5;
    assert!((free / expected - 1.0).abs() < 1e-9);
    assert!(fewer <= 0.5 * steps + 1.0, "{fewer} of {steps} steps");
    assert!(paper < 0.2 * expected, "{paper} m/s");
}

#[test]
fn the_corotated_law_conserves_energy_under_rotation() {
    let asset = baked_block(Vec3::new(0.6, 0.3, 0.3), &[[4, 2, 2]], 0.0, None);
    let params = AdaptiveParams {
        model: Some(ElementModel::Corotated),
        level: LevelChoice::Index(0),
        ..AdaptiveParams::default()
    };
    let mut b = model(&asset, params);
    let rest = b.level_nodes().to_vec();
    // about a quarter turn in a tenth of a second, slightly stretched
    let spin = Vec3::new(0.0, 15.0, 4.0);
    let start: Vec<Vec3> = rest.iter().map(|x| x * 1.02).collect();
    let speed: Vec<Vec3> = rest.iter().map(|x| spin.cross(x)).collect();
    b.set_state(&start, &speed);
    let still = BoundaryConditions::default();
    let first = frame(&mut b, &still).energy.expect("an energy");
    let mut worst = 0.0_f64;
    for _ in 0..240 {
        let energy = frame(&mut b, &still).energy.expect("an energy");
        let sum = |e: &pliant_core::model::EnergyAccount| e.kinetic + e.elastic;
        worst = worst.max((sum(&energy) / sum(&first) - 1.0).abs());
    }
    assert!(worst < 0.01, "{worst}");
    let stretch = b.level_positions().iter().map(|x| x.norm());
    let size = rest.iter().map(|x| x.norm()).fold(0.0, f64::max);
    let largest = stretch.fold(0.0, f64::max);
    assert!(largest < 1.1 * size, "{largest} of {size}");
}
