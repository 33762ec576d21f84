//! Work of frames that change the cut, and preparation of a change in the frame before.

use pliant_adaptive::inspect::OVERRUN_ALLOWANCE;
use pliant_adaptive::{AdaptiveModel, Resolution};
use pliant_core::inspect::{Inspect, ParameterError, ParameterValue};
use pliant_core::model::DeformableModel;

use crate::bodies::{With, counter, frame, model};
use crate::cut::slab::{LEVELS, params, press_and_hold, slab};

const BUDGET: u64 = 192_000;

fn changes(b: &AdaptiveModel) -> f64 {
    counter(b, "cut_changes")
}

/// Presses in 30 frames and holds for 60. Returns the largest work of frames that prepare or make a change of the cut, that of the other frames, and the nodes at the end.
fn press_and_hold_work(b: &mut AdaptiveModel) -> ([u64; 2], usize) {
    let mut frames = Vec::new();
    for k in 1..=90 {
        let before = changes(b);
        let boundary = press_and_hold(b, k);
        let work = frame(b, &boundary).work_used;
        frames.push((work, changes(b) > before));
    }
    let mut most = [0; 2];
    for (k, &(work, changed)) in frames.iter().enumerate() {
        let is_prepared = frames.get(k + 1).is_some_and(|next| next.1);
        let most = &mut most[usize::from(!changed && !is_prepared)];
        *most = work.max(*most);
    }
    (most, b.stats().active_nodes)
}

#[test]
fn only_frames_that_change_the_cut_use_the_allowance_and_all_others_use_more_of_the_budget() {
    let asset = slab(&LEVELS);
    let with = |overrun_allowance: f64| {
        model(
            &asset,
            params(Resolution::Cut)
                .with(|p| p.budget_units = BUDGET)
                .with(|p| p.overrun_allowance = overrun_allowance),
        )
    };
    let ([changing, still], few) = press_and_hold_work(&mut with(0.0));
    assert!(changing <= BUDGET && still <= BUDGET, "{changing} {still}");
    let ([changing, more], many) = press_and_hold_work(&mut with(1.0));
    assert!(changing > BUDGET && changing <= 2 * BUDGET, "{changing}");
    assert!(more > still && more <= BUDGET, "{more} after {still}");
    assert!(many > few, "{many} nodes after {few}");
    // the parameter can be changed at run time
    let mut strict = with(1.0);
    let set = |b: &mut AdaptiveModel, x: f64| {
        b.set_parameter(OVERRUN_ALLOWANCE, ParameterValue::Number(x))
    };
    set(&mut strict, 0.0).expect("in range");
    assert!(press_and_hold_work(&mut strict).0[0] <= BUDGET);
    for bad in [-0.1, 4.1, f64::NAN] {
        let refused = set(&mut strict, bad);
        assert!(matches!(refused, Err(ParameterError::OutOfRange { .. })));
    }
}

#[test]
fn a_change_that_is_prepared_leaves_room_for_more_nodes_in_the_same_budget() {
    let asset = slab(&LEVELS);
    let with = |prepares_changes: bool| {
        let wanted = params(Resolution::Cut)
            .with(|p| p.budget_units = BUDGET)
            .with(|p| p.prepares_changes = prepares_changes);
        press_and_hold_work(&mut model(&asset, wanted))
    };
    let ((at_once, few), (prepared, many)) = (with(false), with(true));
    let within = |most: [u64; 2]| most.iter().all(|work| *work <= BUDGET);
    assert!(
        within(at_once) && within(prepared),
        "{at_once:?} {prepared:?}"
    );
    assert!(
        many > few && 10 * prepared[1] > 11 * at_once[1],
        "{many} nodes, {few}; {prepared:?} {at_once:?}"
    );
}

#[test]
fn a_snapshot_between_preparation_and_change_goes_on_to_the_same_bits() {
    let wanted = params(Resolution::Cut)
        .with(|p| p.budget_units = BUDGET)
        .with(|p| p.prepares_changes = true);
    let asset = slab(&LEVELS);
    let mut b = model(&asset, wanted);
    let press_at = |b: &mut AdaptiveModel, k: u32| {
        let boundary = press_and_hold(b, k);
        frame(b, &boundary)
    };
    // until the frame that prepares a change: the one before the change
    let (mut prepared, mut k) = (b.snapshot(), 0);
    let mut before = changes(&b);
    while changes(&b) == before {
        (prepared, before, k) = (b.snapshot(), changes(&b), k + 1);
        press_at(&mut b, k);
        assert!(k < 30, "no change");
    }
    let first: Vec<_> = (k + 1..k + 9)
        .map(|k| press_at(&mut b, k).work_used)
        .collect();
    let end = b.snapshot();
    let mut other = model(&asset, wanted);
    other.restore(&prepared).expect("same model");
    assert_eq!(other.snapshot(), prepared);
    press_at(&mut other, k);
    assert!(changes(&other) > 0.0, "the prepared cut was lost");
    let again: Vec<_> = (k + 1..k + 9)
        .map(|k| press_at(&mut other, k).work_used)
        .collect();
    assert_eq!((other.snapshot(), again), (end, first));
}
