//! What frames that change the cut may cost.

use pliant_adaptive::inspect::CHANGE_ALLOWANCE;
use pliant_adaptive::{AdaptiveModel, AdaptiveParams, Resolution};
use pliant_core::inspect::{Inspect, ParameterError, ParameterValue};

use crate::bodies::{FRAME, frame};
use crate::cut::slab::{LEVELS, model, params, press, slab};

const BUDGET: u64 = 192_000;

fn changes(b: &AdaptiveModel) -> f64 {
    let counters = b.stats().counters;
    let found = counters.iter().find(|c| c.0 == "cut_changes");
    found.map_or(0.0, |c| c.1)
}

/// Presses in 30 frames and holds for 60: the most work of frames that change the cut and of the others, and the nodes at the end.
fn held(b: &mut AdaptiveModel) -> ([u64; 2], usize) {
    let mut most = [0; 2];
    for k in 1..=90 {
        let depth = 0.01 * (f64::from(k) / 30.0).min(1.0);
        let speed = if k <= 30 { 0.01 / 30.0 / FRAME } else { 0.0 };
        let before = changes(b);
        let boundary = press(b, depth, speed);
        let work = frame(b, &boundary).work_used;
        let most = &mut most[usize::from(changes(b) == before)];
        *most = work.max(*most);
    }
    (most, b.stats().active_nodes)
}

#[test]
fn only_frames_that_change_the_cut_use_the_allowance_and_all_others_use_more_of_the_budget() {
    let asset = slab(&LEVELS);
    let with = |change_allowance: f64| {
        model(
            &asset,
            AdaptiveParams {
                budget_units: BUDGET,
                change_allowance,
                ..params(Resolution::Cut)
            },
        )
    };
    let ([changing, still], few) = held(&mut with(0.0));
    assert!(changing <= BUDGET && still <= BUDGET, "{changing} {still}");
    let ([changing, more], many) = held(&mut with(1.0));
    assert!(changing > BUDGET && changing <= 2 * BUDGET, "{changing}");
    assert!(more > still && more <= BUDGET, "{more} after {still}");
    assert!(many > few, "{many} nodes after {few}");
    // taken back by name
    let mut strict = with(1.0);
    let set = |b: &mut AdaptiveModel, x: f64| {
        b.set_parameter(CHANGE_ALLOWANCE, ParameterValue::Number(x))
    };
    set(&mut strict, 0.0).expect("in range");
    assert!(held(&mut strict).0[0] <= BUDGET);
    for bad in [-0.1, 4.1, f64::NAN] {
        let refused = set(&mut strict, bad);
        assert!(matches!(refused, Err(ParameterError::OutOfRange { .. })));
    }
}
