//! Several bodies on cuts under one budget: resolution degrades first, then steps, damping and time, as for a single body; and all of it recovers.

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, LodHierarchy};
use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::{Pose, Tool, ToolShape};
use pliant_core::inspect::Inspect;
use pliant_core::material::{Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::model::{
    DeformableModel, Degradation, FrameReport, FrameRequest, OwnContact, WorkBudget,
};
use pliant_core::scene::Selection;

use crate::bodies::{FRAME, With, baked, block, counter, momenta, weight};
use crate::group::cut_bodies::{PLENTY, active, cube, model};
use crate::group::levels::{SIDE, center, floor, free, group, same_bits_and_restored, throw};

/// Nodes of both bodies on their coarsest cuts.
const COARSEST: usize = 50 + 27;

/// A cube of two levels whose elements need some dozens of steps a frame, with its density in kg/m³.
fn stiff(density: f64) -> Arc<LodHierarchy> {
    let material = Material::isotropic(1e7, 0.3)
        .with_density(density)
        .with_damping_ratio(0.1)
        .with_law(MaterialLaw::StableNeoHookean);
    let cells = [[2; 3], [4; 3]];
    baked(&block(Vec3::repeat(SIDE), &cells, material, None))
}

/// A cube on a table of 0.4 × 0.1 × 0.4 m that stands on its lower side, and a ball that presses the cube down.
fn cube_on_table() -> BodyGroup<AdaptiveModel> {
    let material = Material::isotropic(4e6, 0.3)
        .with_damping_ratio(0.2)
        .with_law(MaterialLaw::StableNeoHookean);
    let cells = [[4, 1, 4], [8, 2, 8]];
    let foot = Some(Selection::Lowest(0.01));
    let size = Vec3::new(0.4, 0.1, 0.4);
    let table = baked(&block(size, &cells, material, foot));
    let models = vec![model(&table, PLENTY), model(&stiff(1000.0), PLENTY)];
    let at = [Vec3::zeros(), Vec3::new(0.01, 0.05 + 0.5 * SIDE, -0.01)];
    let options = GroupOptions::default().with(|p| p.sleeping = false);
    group(models, &at, options)
}

/// A ball that moves from one height above the cube to another within a frame, m.
fn ball(from: f64, to: f64) -> Tool {
    let at = |y: f64| Pose::at(Vec3::new(0.01, 0.05 + SIDE + 0.06 + y, -0.01));
    Tool {
        shape: ToolShape::Sphere { radius: 0.06 },
        begin: at(from),
        end: at(to),
        ..floor(Vec3::y(), 0.3)
    }
}

fn step(group: &mut BodyGroup<AdaptiveModel>, units: u64) -> FrameReport {
    let boundary = weight();
    group
        .advance(FrameRequest::new(FRAME, &boundary).within(WorkBudget(units)))
        .expect("advances")
}

fn nodes(group: &BodyGroup<AdaptiveModel>) -> usize {
    group.models().iter().map(active).sum()
}

fn degradation_level(group: &BodyGroup<AdaptiveModel>) -> f64 {
    counter(group, "ladder_rung")
}

/// The group after the ball has pressed by a centimetre, with an ample budget.
fn pressed_group() -> BodyGroup<AdaptiveModel> {
    let mut group = cube_on_table();
    for k in 0..40 {
        let depth = |k: i32| -5e-4 * f64::from(k.min(20));
        group.set_tools(&[ball(depth(k), depth(k + 1))]);
        step(&mut group, PLENTY);
    }
    group
}

#[test]
fn a_group_degrades_resolution_first_and_time_last_and_keeps_its_budget() {
    let mut group = pressed_group();
    let whole = nodes(&group);
    let all = step(&mut group, PLENTY).work_used;
    let mut units = 2 * all;
    assert!(whole > 2 * COARSEST, "{whole}");
    let (mut levels, mut sizes) = (vec![0.0], Vec::new());
    for _ in 0..11 {
        for k in 0..10 {
            let (before, changes) = (nodes(&group), counter(&group, "cut_changes"));
            let report = step(&mut group, units);
            let (now, was) = (degradation_level(&group), levels[levels.len() - 1]);
            assert!(
                now <= 6.0 || before == COARSEST,
                "{units} {k}: time is taken with {before} nodes"
            );
            let is_changed = counter(&group, "cut_changes") > changes || now != was;
            assert!(
                report.work_used <= units || is_changed || now >= 6.0,
                "{units} {k}: {} on level {now}",
                report.work_used
            );
            assert!(now == 0.0 || report.degraded.is_some(), "told");
            levels.push(now);
        }
        sizes.push(nodes(&group));
        units = units / 5 * 3;
    }
    assert!(sizes.iter().is_sorted_by(|a, b| a >= b), "{sizes:?}");
    assert!(
        sizes.contains(&COARSEST) && sizes[0] > COARSEST,
        "{sizes:?} {levels:?}"
    );
    let slow = levels.iter().filter(|r| **r > 6.0).count();
    assert!(slow >= 8, "{levels:?}");
    let notes = group.stats().notes;
    let told = |n: &String| n.contains("times as slowly as that of its tools");
    assert!(notes.iter().any(told), "{notes:?}");
    // with enough budget again
    for k in 0..90 {
        let report = step(&mut group, 4 * all);
        assert!(
            k < 10 || degradation_level(&group) == 0.0,
            "frame {k}: {}",
            degradation_level(&group)
        );
        assert!(k < 89 || report.degraded.is_none(), "{report:?}");
    }
    assert!(20 * nodes(&group) > 19 * whole, "{}", nodes(&group));
}

#[test]
fn a_restored_group_with_degradation_continues_to_the_same_bits() {
    let mut group = pressed_group();
    let units = step(&mut group, PLENTY).work_used / 16;
    for _ in 0..20 {
        step(&mut group, units);
    }
    let high = degradation_level(&group);
    assert!(high > 0.0);
    let saved = group.snapshot();
    let continue_run = |group: &mut BodyGroup<AdaptiveModel>| {
        let mut levels = Vec::new();
        for k in 0..40 {
            let y = |k: i32| -0.01 + 2e-4 * f64::from(k);
            group.set_tools(&[ball(y(k), y(k + 1))]);
            step(group, if k < 10 { units } else { 6 * units });
            levels.push(degradation_level(group));
        }
        levels
    };
    let levels = continue_run(&mut group);
    assert!(levels[39] < high, "{levels:?}");
    let end = group.snapshot();
    // also in other bodies
    for mut other in [group, cube_on_table()] {
        other.restore(&saved).expect("same bodies");
        assert!(other.snapshot() == saved);
        assert_eq!(continue_run(&mut other), levels);
        assert!(other.snapshot() == end);
    }
}

#[test]
fn tools_cover_their_whole_distance_in_slow_motion() {
    let mut group = pressed_group();
    let units = step(&mut group, PLENTY).work_used / 30;
    for _ in 0..20 {
        step(&mut group, units);
    }
    assert!(
        degradation_level(&group) > 6.0,
        "{}",
        degradation_level(&group)
    );
    let before = center(&group.models()[1]).y;
    let y = |k: i32| -0.01 - 1e-3 * f64::from(k);
    let mut report = FrameReport::default();
    for k in 0..10 {
        group.set_tools(&[ball(y(k), y(k + 1))]);
        report = step(&mut group, units);
    }
    assert_eq!(report.degraded, Some(Degradation::SlowMotion));
    assert!(counter(&group, "slow_frames") > 10.0);
    // without the higher constraint velocities the bodies would lag further behind the tool in each frame
    assert!(report.max_violation < 1.5e-3, "{}", report.max_violation);
    let after = center(&group.models()[1]).y;
    assert!(before - after > 2e-3, "{before} {after}");
}

#[test]
fn free_bodies_conserve_momentum_at_every_degradation_level() {
    let at = [Vec3::new(-0.12, 0.0, 0.0), Vec3::new(0.12, 0.06, 0.03)];
    let kinds = [stiff(1000.0), stiff(300.0)];
    let all = |group: &BodyGroup<AdaptiveModel>| -> Vec3 {
        group.models().iter().map(|m| momenta(m).0).sum()
    };
    let (mut touched, mut highest) = (0, 0.0_f64);
    for units in [8_000, 12_000, 16_000, 24_000, 36_000] {
        let models = kinds.iter().map(|a| model(a, PLENTY)).collect();
        let mut group = group(models, &at, free());
        throw(&mut group, &[Vec3::x() * 1.5, Vec3::x() * -2.5]);
        let before = all(&group);
        let scale = momenta(&group.models()[0]).0.norm();
        for _ in 0..60 {
            let boundary = BoundaryConditions::default();
            group
                .advance(FrameRequest::new(FRAME, &boundary).within(WorkBudget(units)))
                .expect("advances");
            let is_touched = group.force_between(0, 1).norm() > 0.0;
            touched += usize::from(is_touched && degradation_level(&group) > 0.0);
            highest = highest.max(degradation_level(&group));
            let off = (all(&group) - before).norm();
            assert!(off < 1e-9 * scale, "{units}: {off}");
        }
        assert!(center(&group.models()[1]).x > center(&group.models()[0]).x);
    }
    assert!(
        highest > 6.0 && touched > 1,
        "level {highest}, {touched} frames in touch"
    );
}

#[test]
fn any_number_of_threads_gives_the_same_bits_under_a_small_budget() {
    let kinds = [cube(1000.0, 0.2), cube(300.0, 0.2)];
    same_bits_and_restored(5, [30, 60, 150], |k| model(&kinds[k % 2], 4_000));
}
