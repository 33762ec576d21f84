//! A body that may break moves on its cut until a load comes near breaking it.

use std::sync::Arc;

use pliant_adaptive::bake::bake_with;
use pliant_adaptive::params::Calibration;
use pliant_adaptive::{AdaptiveModel, AdaptiveParams, DampingRule, LevelChoice, Resolution};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::inspect::Inspect;
use pliant_core::material::FractureLimits;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::model::{DeformableModel, SnapshotMismatch};

use super::griffith::{YOUNG, material, pull};
use crate::blades::{pieces, sweep_down};
use crate::bodies::{With, baked, bits, frame, frames, mass, model, momenta, on_threads};
use crate::cut::cuts::set_by_rest;

/// Pa
const STRENGTH: f64 = 1e3;
/// The material with this strength.
const WEAK: FractureLimits = FractureLimits {
    strength: Some(STRENGTH),
    toughness: None,
};
/// Half the width of the notch, m.
const NOTCH: f64 = 0.025;
/// What the pull gains in each frame, Pa.
const STEP: f64 = 2.5;

/// A free bar of two levels with a wide notch through half of its width.
fn notched() -> BodyGeometry {
    let size = Vec3::new(0.25, 0.1, 0.025);
    let levels = [[10, 4, 1], [20, 8, 2]].map(|cells| {
        let whole = box_tets(size, cells, CellStyle::Alternating);
        whole.part(|x| x.x.abs() > NOTCH || x.y < 0.0)
    });
    BodyGeometry::of_levels(levels, material())
}

fn params(fracture: FractureLimits) -> AdaptiveParams {
    AdaptiveParams {
        resolution: Resolution::Cut,
        level: LevelChoice::Index(1),
        budget_units: 1 << 30,
        damping_rule: DampingRule::Rayleigh,
        fracture,
        ..AdaptiveParams::default()
    }
}

fn weak_bar() -> AdaptiveModel {
    model(&baked(&notched()), params(WEAK))
}

/// Frame `k` of a pull that grows slowly.
fn step(body: &mut AdaptiveModel, k: i32) {
    let load = pull(body, STEP * f64::from(k));
    frame(body, &load);
}

/// Pulls until the first edge is cut. Returns the numbers of the frames in which the body was handed over, and in which it began to break.
fn begin_to_break(body: &mut AdaptiveModel) -> [i32; 2] {
    let mut over = 0;
    for k in 1..100 {
        step(body, k);
        if over == 0 && body.cut().is_none() {
            over = k;
        }
        if !body.cut_edges().is_empty() {
            return [over, k];
        }
    }
    panic!("it does not break");
}

/// What the notes say about the hand-over.
fn handover_note(body: &AdaptiveModel) -> String {
    let mut notes = body.stats().notes.into_iter();
    notes
        .find(|note| note.starts_with("HandedOver: "))
        .unwrap_or_default()
}

#[test]
fn a_body_far_from_breaking_has_the_bits_of_one_that_cannot_break() {
    let asset = baked(&notched());
    let tough = FractureLimits {
        strength: None,
        toughness: Some(1e-6),
    };
    // a third of what begins the hand-over; and without a strength no crack begins
    for (limits, stress) in [(WEAK, 20.0), (tough, 1e3)] {
        let mut body = model(&asset, params(limits));
        let mut without = model(&asset, params(FractureLimits::default()));
        for k in 1..=20 {
            let load = pull(&body, stress * (f64::from(k) / 10.0).min(1.0));
            frame(&mut body, &load);
            frame(&mut without, &load);
            let [(state, skin), (expected, expected_skin)] = [&body, &without].map(bits);
            // the first number is the level
            assert!(state[1..] == expected[1..] && skin == expected_skin, "{k}");
        }
        assert!(body.cut().is_some());
        assert_eq!((pieces(&body), body.cut_edges().len()), (1, 0));
        assert_eq!(handover_note(&body), "");
        assert_eq!(without.pieces(), None);
        assert_eq!(body.restore(&without.snapshot()), Err(SnapshotMismatch));
    }
}

#[test]
fn a_body_near_breaking_goes_over_to_the_level_and_breaks_there_at_the_load_of_the_level() {
    let asset = baked(&notched());
    let level = params(WEAK).with(|p| p.resolution = Resolution::Level);
    let [mut body, mut on_level] = [params(WEAK), level].map(|params| model(&asset, params));
    let [over, broken] = begin_to_break(&mut body);
    let [_, expected] = begin_to_break(&mut on_level);
    // what differed at the hand-over has died out many periods later, so that both bear the same load: to the step of the load from frame to frame
    assert!((broken - expected).abs() <= 1, "{broken} {expected}");
    // the stress that is expected on the level was half of the strength, as far as coarse elements show it
    let share = f64::from(over) / f64::from(broken);
    assert!(share > 0.3 && share < 0.7, "{over} {broken}");
    assert_eq!(body.level(), on_level.level());
    let note = handover_note(&body);
    assert!(note.contains("a load has come near breaking"), "{note}");
    let words = body.explain(0).expect("a vertex");
    assert!(words.contains("since a load has come near"), "{words}");
    assert_eq!(handover_note(&on_level), "");
    // twice the load that begins the crack drives it through
    for body in [&mut body, &mut on_level] {
        let load = pull(body, 2.0 * STEP * f64::from(expected));
        frames(body, &load, 40);
        assert!(pieces(body) >= 2, "{} edges", body.cut_edges().len());
    }
}

#[test]
fn the_hand_over_by_a_load_keeps_mass_and_momentum() {
    let mut body = weak_bar();
    let velocity = Vec3::new(0.1, -0.2, 0.3);
    set_by_rest(body.cut_mut().expect("a cut"), |x| (*x, velocity));
    let (whole, momentum) = (mass(&body), momenta(&body).0);
    assert!((momentum - velocity * whole).norm() < 1e-9 * momentum.norm());
    // the pull at one end balances that at the other one
    let mut frames_on_level = 0;
    for k in 1..100 {
        step(&mut body, k);
        let (now, moved) = (mass(&body), momenta(&body).0);
        assert!((now / whole - 1.0).abs() < 1e-9, "{k}: {now} {whole}");
        let off = (moved - momentum).norm();
        assert!(off < 1e-6 * momentum.norm(), "{k}: {off}");
        frames_on_level += i32::from(body.cut().is_none());
        if frames_on_level == 3 {
            break;
        }
    }
    assert_eq!(frames_on_level, 3);
}

#[test]
fn a_body_that_starts_loaded_goes_over_in_its_first_frame() {
    let asset = bake_with(&notched(), Calibration::Off, &Progress::new()).expect("bakes");
    let asset = Arc::new(asset);
    let spacing = |level: usize| asset.levels[level].spacing;
    for level in 0..2 {
        let goes_over = |strain: f64| {
            let params = params(WEAK).with(|p| p.level = LevelChoice::Index(level));
            let mut body = model(&asset, params);
            set_by_rest(body.cut_mut().expect("a cut"), |x| {
                (x + Vec3::x() * (strain * x.x), Vec3::zeros())
            });
            frame(&mut body, &BoundaryConditions::default());
            body.cut().is_none()
        };
        // a uniform stress, which at a notch would be that many times as large on the level
        let factor = (spacing(0) / spacing(level)).sqrt();
        let limit = 0.5 * STRENGTH / (YOUNG * factor);
        assert!(!goes_over(0.97 * limit), "{level}");
        assert!(goes_over(1.03 * limit), "{level}");
        // pressure breaks nothing
        assert!(!goes_over(-10.0 * limit), "{level}");
    }
}

#[test]
fn states_before_and_after_the_hand_over_are_restored_to_the_same_bits() {
    let mut body = weak_bar();
    let [over, broken] = begin_to_break(&mut body.clone());
    (1..over - 1).for_each(|k| step(&mut body, k));
    let before = body.snapshot();
    (over - 1..over + 3).for_each(|k| step(&mut body, k));
    assert!(body.cut().is_none() && body.cut_edges().is_empty());
    let (after, note) = (body.snapshot(), handover_note(&body));
    assert!(note.contains("a load"), "{note}");
    (over + 3..broken + 3).for_each(|k| step(&mut body, k));
    assert!(!body.cut_edges().is_empty());
    let last = bits(&body);
    let mut other = weak_bar();
    for body in [&mut other, &mut body] {
        body.restore(&after).expect("the same body");
        assert_eq!(handover_note(body), note);
        (over + 3..broken + 3).for_each(|k| step(body, k));
        assert!(bits(body) == last);
        body.restore(&before).expect("the same body");
        assert!(body.cut().is_some() && body.cut_edges().is_empty());
        assert_eq!(handover_note(body), "");
        (over - 1..broken + 3).for_each(|k| step(body, k));
        assert!(bits(body) == last);
        // a cause that does not exist
        let mut bad = after.clone();
        *bad.values.last_mut().expect("a cause") = 0.5;
        assert_eq!(body.restore(&bad), Err(SnapshotMismatch));
        assert!(bits(body) == last);
    }
    body.reset();
    assert!(body.cut().is_some());
    (1..broken + 3).for_each(|k| step(&mut body, k));
    assert!(bits(&body) == last);
}

#[test]
fn a_break_after_the_hand_over_has_the_same_bits_for_any_number_of_threads() {
    let broken_on = |threads: usize| {
        on_threads(threads, || {
            let mut body = weak_bar();
            let frames = begin_to_break(&mut body);
            (frames, bits(&body))
        })
    };
    assert!(broken_on(2) == broken_on(1));
}

#[test]
fn a_blade_ends_the_cut_of_a_body_that_may_break_and_its_crack_grows() {
    let tough = FractureLimits {
        strength: None,
        toughness: Some(1e-4),
    };
    let mut body = model(&baked(&notched()), params(tough));
    let blade = sweep_down(0.08, 0.2, -0.01);
    body.set_blades(&[blade]).expect("it can be cut");
    frame(&mut body, &BoundaryConditions::default());
    let note = handover_note(&body);
    assert!(note.contains("a blade has reached the body"), "{note}");
    let notch = body.cut_edges().len();
    assert!(notch > 0 && pieces(&body) == 1);
    let load = pull(&body, 50.0);
    frames(&mut body, &load, 40);
    assert!(body.cut_edges().len() > notch, "it bears the load");
}
