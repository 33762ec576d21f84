//! A model on a cut: contact, state, refused parameters.

use pliant_adaptive::cut::Interface;
use pliant_adaptive::{AdaptiveModel, ElementModel, Precision, Resolution};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::inspect::Inspect;
use pliant_core::material::LameParameters;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest};

use crate::bodies::{
    FRAME, With, baked, block, counter, frame, frames, model, on_threads, shown, weight,
};
use crate::cut::slab::{LEVELS, SIZE, SMALL, params, press, press_and_hold, slab, slab_of, soft};

struct Poke {
    force: f64,
    support: f64,
    work: u64,
}

/// Presses in 30 frames, holds for 60. Returns the forces at the end.
fn poke(b: &mut AdaptiveModel) -> Poke {
    let mut work = 0;
    for k in 1..=90 {
        let boundary = press_and_hold(b, k);
        let report = frame(b, &boundary);
        // the work of a cut includes more than evaluations
        let counters = b.stats().counters;
        let evaluations = counters.iter().find(|c| c.0 == "evaluations");
        work += evaluations.map_or(report.work_used, |c| c.1 as u64);
    }
    Poke {
        force: -b.reactions().iter().map(|f| f.y).sum::<f64>(),
        support: b.support_reactions().iter().map(|f| f.y).sum(),
        work,
    }
}

#[test]
fn a_pressed_cut_agrees_with_the_finest_level_and_costs_less() {
    let asset = slab(&LEVELS);
    let fine = poke(&mut model(&asset, params(Resolution::Level)));
    // without a budget the default threshold refines all moving parts; this one refines only near the tool
    let mut b = model(
        &asset,
        params(Resolution::Cut).with(|p| p.gamma_max = Some(1e-3)),
    );
    let cut = poke(&mut b);
    assert!(
        (cut.support - cut.force).abs() < 0.01 * cut.force.abs(),
        "balance: {} {}",
        cut.support,
        cut.force
    );
    let forces = [cut.force, fine.force];
    assert!((forces[0] / forces[1] - 1.0).abs() < 0.05, "{forces:?}");
    let work = [cut.work, fine.work];
    assert!(3 * work[0] < 2 * work[1], "{work:?}");
    // at rest the cut does not change
    let cutting = b.cut().expect("a cut").cut().states().to_vec();
    let boundary = press(&b, 0.01, 0.0);
    frames(&mut b, &boundary, 30);
    assert_eq!(b.cut().expect("a cut").cut().states(), cutting);
    // and it becomes coarse again after contact
    frames(&mut b, &BoundaryConditions::default(), 60);
    let active = b.cut().expect("a cut").cut().active_count();
    assert_eq!(active, asset.levels[0].node_count());
}

fn pressed(frames: u32, precision: Precision) -> AdaptiveModel {
    let params = params(Resolution::Cut).with(|p| p.precision = precision);
    let mut b = model(&slab(&SMALL), params);
    for k in 1..=frames {
        let boundary = press(&b, 0.002 * f64::from(k), 0.002 / FRAME);
        frame(&mut b, &boundary);
    }
    b
}

#[test]
fn a_cut_has_the_same_bits_for_any_number_of_threads() {
    for precision in [Precision::F64, Precision::F32] {
        let with = |threads: usize| on_threads(threads, || pressed(4, precision).snapshot());
        let one = with(1);
        assert_eq!(one, with(2));
        assert_eq!(one, with(8));
    }
}

#[test]
fn a_restored_cut_continues_to_the_same_bits() {
    let mut b = pressed(5, Precision::F32);
    let saved = b.snapshot();
    let continue_run = |b: &mut AdaptiveModel| {
        for k in 0..45 {
            let boundary = if k < 3 {
                press(b, 0.012, 0.0)
            } else {
                weight()
            };
            frame(b, &boundary);
        }
        b.snapshot()
    };
    let first = continue_run(&mut b);
    b.restore(&saved).expect("same model");
    assert_eq!(b.snapshot(), saved);
    assert_eq!(continue_run(&mut b), first);
    let mut other = saved.clone();
    other.values.pop();
    assert!(b.restore(&other).is_err());
    b.reset();
    let mut fresh = pressed(0, Precision::F32);
    frame(&mut b, &BoundaryConditions::default());
    frame(&mut fresh, &BoundaryConditions::default());
    assert_eq!(b.snapshot(), fresh.snapshot());
}

/// Active nodes of each level.
fn resolution(b: &AdaptiveModel) -> Vec<usize> {
    let cut = b.cut().expect("a cut").cut();
    let forest = cut.forest();
    let active = |level: usize| {
        let nodes = forest.nodes_of_level(level);
        nodes.filter(|&n| cut.is_active(n)).count()
    };
    (0..forest.level_count()).map(active).collect()
}

#[test]
fn other_parts_get_coarser_during_contact_and_are_refined_again_afterwards() {
    let asset = slab(&[[5, 3, 5], [10, 6, 10], [20, 12, 20]]);
    let whole = asset.levels[1].node_count();
    // the smallest budget (in steps of a quarter) of which half is enough for the middle level
    let mut units = 10_000;
    let mut b = loop {
        let params = params(Resolution::Cut)
            .with(|p| p.budget_units = units)
            .with(|p| p.floor_share = 0.5);
        let mut b = model(&asset, params);
        frames(&mut b, &BoundaryConditions::default(), 3);
        if resolution(&b) == [0, whole, 0] {
            break b;
        }
        units += units / 4;
        assert!(units < 100_000_000, "{:?}", resolution(&b));
    };
    for k in 1..=60 {
        let boundary = press(&b, 0.01 * f64::from(k.min(30)) / 30.0, 0.0);
        frame(&mut b, &boundary);
    }
    let pressed = resolution(&b);
    assert!(pressed[0] > 0 && pressed[2] > 0, "{pressed:?}");
    // the distribution of levels is part of a snapshot
    let saved = b.snapshot();
    let continue_run = |b: &mut AdaptiveModel| {
        for _ in 0..20 {
            let boundary = press(b, 0.01, 0.0);
            frame(b, &boundary);
        }
        frames(b, &BoundaryConditions::default(), 120);
        b.snapshot()
    };
    let first = continue_run(&mut b);
    assert_eq!(resolution(&b), [0, whole, 0]);
    let params = params(Resolution::Cut)
        .with(|p| p.budget_units = units)
        .with(|p| p.floor_share = 0.5);
    let mut other = model(&asset, params);
    other.restore(&saved).expect("same model");
    assert_eq!(continue_run(&mut other), first);
}

#[test]
fn constraints_act_at_least_a_thousand_times_a_second_on_soft_bodies() {
    let mut material = soft(0.1);
    // the softest supported material
    material.elastic = LameParameters {
        lambda: 10.0,
        mu: 10.0,
    }
    .into();
    let asset = slab_of(&SMALL, material);
    let mut b = model(&asset, params(Resolution::Cut));
    for k in 1..=4 {
        let boundary = press(&b, 0.001 * f64::from(k), 0.001 / FRAME);
        frame(&mut b, &boundary);
        // the tool acts at equal intervals of a frame
        assert!(counter(&b, "impulses") >= FRAME * 1e3);
    }
}

#[test]
fn an_impossible_pull_on_a_cut_is_reported_and_the_last_good_state_kept() {
    let mut b = pressed(2, Precision::F64);
    let before = b.cut().expect("a cut").positions().to_vec();
    let mut boundary = press(&b, 0.0, 0.0);
    let far: Vec<DisplacementConstraint> = boundary
        .displacements()
        .iter()
        .map(|c| DisplacementConstraint {
            target: Vec3::new(0.0, 1e9, 0.0),
            velocity: Vec3::new(0.0, 1e9 / FRAME, 0.0),
            ..*c
        })
        .collect();
    boundary.set_displacements(far).expect("finite");
    let error = b
        .advance(FrameRequest::new(FRAME, &boundary))
        .expect_err("diverges");
    assert_eq!(error.code(), "Diverged");
    assert!(error.to_string().contains("skin vertex"), "{error}");
    assert_eq!(b.cut().expect("a cut").positions(), before);
    frame(&mut b, &BoundaryConditions::default());
}

#[test]
fn unstable_or_unsupported_parameters_are_refused_with_a_code() {
    let asset = slab(&SMALL[..2]);
    let springs = params(Resolution::Cut).with(|p| p.model = Some(ElementModel::Spring));
    let error = AdaptiveModel::new(asset.clone(), springs).expect_err("no springs");
    assert_eq!(error.code(), "CutNeedsTetrahedra");
    let undamped = baked(&block(SIZE, &SMALL[..2], soft(0.0), None));
    let paper = params(Resolution::Cut).with(|p| p.interface = Interface::Paper);
    let error = AdaptiveModel::new(undamped.clone(), paper).expect_err("unstable");
    assert_eq!(error.code(), "InterfaceNeedsDamping");
    assert!(error.to_string().contains("remedy"));
    let anyway = paper.with(|p| p.allow_unstable = true);
    AdaptiveModel::new(undamped, anyway).expect("asked for");
    AdaptiveModel::new(asset, paper).expect("damped");
}

#[test]
fn a_reset_cut_repeats_the_same_bits() {
    let asset = slab(&SMALL);
    // too small for all splits that contact and criterion ask for
    let mut budget = params(Resolution::Cut);
    budget.budget_units = 9_000;
    let mut b = model(&asset, budget);
    let run = |b: &mut AdaptiveModel| {
        let mut seen = Vec::new();
        for k in 0..40 {
            let boundary = match k {
                0..12 => press(b, 0.002 * f64::from(k), 0.002 / FRAME),
                12..24 => weight(),
                _ => BoundaryConditions::default(),
            };
            let report = frame(b, &boundary);
            seen.push((report, b.snapshot(), shown(b).positions, b.stats()));
        }
        seen
    };
    let first = run(&mut b);
    assert!(first.iter().any(|s| s.0.degraded.is_some()), "refused");
    b.reset();
    let fresh = model(&asset, budget);
    assert_eq!(b.snapshot(), fresh.snapshot());
    assert_eq!(b.stats(), fresh.stats());
    let again = run(&mut b);
    for (k, (a, b)) in first.iter().zip(&again).enumerate() {
        assert!(a.1 == b.1, "state of frame {k}");
        assert_eq!((&a.0, &a.3), (&b.0, &b.3), "frame {k}");
        assert!(a.2 == b.2, "skin of frame {k}");
    }
}
