//! Degradation of a body under a small budget: resolution first, then steps, damping, and finally time; and its recovery.

use pliant_adaptive::{AdaptiveModel, Resolution};
use pliant_core::inspect::Inspect;
use pliant_core::model::{DeformableModel, Degradation};

use crate::bodies::{counter, model};
use crate::cut::slab::{LEVELS, inversion_resistant, params, press, slab_of, step};

/// Nodes of the coarsest cut.
const COARSEST: usize = 75;
const DEPTH: f64 = 0.02;

fn degradation_level(b: &AdaptiveModel) -> f64 {
    counter(b, "ladder_rung")
}

/// A slab whose elements need some dozens of steps a frame, pressed in by 2 cm.
fn pressed(units: u64) -> AdaptiveModel {
    let asset = slab_of(&LEVELS[..2], inversion_resistant(4e6, 0.1));
    let mut b = model(&asset, params(Resolution::Cut));
    for k in 1..=30 {
        let depth = 0.05 * DEPTH * f64::from(k.min(20));
        let boundary = press(&b, depth, if k <= 20 { 0.06 } else { 0.0 });
        step(&mut b, &boundary, units);
    }
    b
}

#[test]
fn resolution_degrades_first_then_steps_then_damping_then_time() {
    let mut b = pressed(u64::MAX);
    let boundary = press(&b, DEPTH, 0.0);
    let mut units = step(&mut b, &boundary, u64::MAX).work_used;
    let (whole, mut levels) = (b.stats().active_nodes, vec![0.0]);
    // down to a budget for about an eighth of the time
    while units > 4_500 {
        for k in 0..8 {
            let nodes = b.stats().active_nodes;
            let was = levels[levels.len() - 1];
            let changes = counter(&b, "cut_changes");
            let report = step(&mut b, &boundary, units);
            let now = degradation_level(&b);
            // a finer cut is degraded only until it is coarser
            assert!(
                now == 0.0 || was == 0.0 || nodes == COARSEST,
                "{units} {k}: level {now} with {nodes} nodes"
            );
            assert!(now <= 5.0 || nodes == COARSEST);
            let is_changed = counter(&b, "cut_changes") > changes;
            // where only time is left to degrade, a frame may cost a quarter more
            let most = if nodes == COARSEST {
                units / 4 * 5
            } else {
                units
            };
            assert!(
                report.work_used <= most || is_changed || now >= 6.0,
                "{units} {k}: {} on {now} after {was}, {nodes} nodes",
                report.work_used
            );
            assert!(now == 0.0 || report.degraded.is_some(), "told");
            levels.push(now);
        }
        units = units / 5 * 4;
    }
    assert!(levels.is_sorted(), "{levels:?}");
    let reached = |levels: std::ops::RangeInclusive<u8>| {
        move |level: &&f64| levels.clone().any(|l| f64::from(l) == **level)
    };
    assert!(levels.iter().filter(reached(1..=5)).count() >= 8);
    assert!(levels.iter().filter(reached(7..=9)).count() >= 8);
    let notes = b.stats().notes;
    assert!(
        notes
            .iter()
            .any(|n| n.contains("viscous forces are left out"))
    );
    // with enough budget again the degradation ends within a few frames, and resolution returns within a second
    for k in 0..60 {
        let report = step(&mut b, &boundary, u64::MAX);
        assert!(
            k < 6 || degradation_level(&b) == 0.0,
            "frame {k}: {}",
            degradation_level(&b)
        );
        assert!(k < 59 || report.degraded.is_none());
    }
    assert!(20 * b.stats().active_nodes > 19 * whole);
}

#[test]
fn a_restored_state_with_degradation_continues_to_the_same_bits() {
    for units in [12_000, 5_000] {
        let mut b = pressed(units);
        let mut boundary = press(&b, DEPTH, 0.0);
        step(&mut b, &boundary, units);
        assert!(degradation_level(&b) > 0.0);
        let saved = b.snapshot();
        // the tool goes up while the budget grows
        let mut continue_run = |b: &mut AdaptiveModel| {
            let mut levels = Vec::new();
            for k in 0..40 {
                boundary = press(b, DEPTH - 4e-4 * f64::from(k), 0.024);
                step(b, &boundary, if k < 10 { units } else { 2 * units });
                levels.push(degradation_level(b));
            }
            levels
        };
        let levels = continue_run(&mut b);
        assert!(levels[39] < levels[0]);
        let end = b.snapshot();
        b.restore(&saved).expect("same model");
        assert_eq!(continue_run(&mut b), levels);
        assert!(b.snapshot() == end);
        // also in another body
        let mut other = pressed(u64::MAX);
        other.restore(&saved).expect("same body");
        assert_eq!(continue_run(&mut other), levels);
        assert!(other.snapshot() == end);
    }
}

#[test]
fn slow_motion_is_reported_and_constraints_reach_their_targets() {
    let units = 5_000;
    let mut b = pressed(units);
    let boundary = press(&b, 1.05 * DEPTH, 0.06);
    let report = step(&mut b, &boundary, units);
    assert_eq!(report.degraded, Some(Degradation::SlowMotion));
    assert!(degradation_level(&b) > 6.0 && counter(&b, "slow_frames") > 0.0);
    let notes = b.stats().notes;
    assert!(
        notes
            .iter()
            .any(|n| n.contains("times as slowly as that of its tools")),
        "{notes:?}"
    );
    assert!(
        report.max_violation < 0.01 * DEPTH,
        "{}",
        report.max_violation
    );
}
