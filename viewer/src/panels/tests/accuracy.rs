//! What panes and the line above the curves say of a reference.

use std::sync::Arc;

use pliant_simulation::reference::{Accuracy, RecordedRun, Reference, ReferenceForce};
use pliant_simulation::snapshot::ReferenceStatus;

use super::*;

/// A window whose running pane feels 5 N where the reference feels 4 N; `is_estimate` says which kind of reference.
pub(super) fn compared(is_estimate: bool) -> Fixture {
    let mut start = fixture();
    let reference = Arc::new(Reference {
        fine: RecordedRun {
            nodes: 12_000,
            forces: vec![vec![4.0; 60]],
            ..RecordedRun::default()
        },
        coarse: (!is_estimate).then(RecordedRun::default),
        force: Some(ReferenceForce {
            curve: 0,
            frames: vec![50, 51],
            force: 4.0,
            uncertainty: 0.1,
        }),
        ..Reference::default()
    });
    start.snapshot.panes[0].accuracy = Some(Accuracy {
        force: Some(5.0),
        force_error: Some(0.25),
        ..Accuracy::default()
    });
    start.snapshot.reference = match is_estimate {
        true => ReferenceStatus::Computing {
            estimate: Some(reference),
            stage: "reference: 12,022 nodes".into(),
            fraction: 0.3,
        },
        false => ReferenceStatus::Ready(reference),
    };
    start
}

#[test]
fn an_error_is_shown_with_its_side_an_estimate_with_about_and_a_touch_as_the_users_own() {
    for (is_estimate, touched, text) in [
        (false, None, "25 % above reference"),
        (true, None, "about 25 % above reference"),
        (true, Some(120..200), "touch: about 25 % above"),
        (false, Some(120..200), "touch: 25 % above"),
    ] {
        let mut start = compared(is_estimate);
        start.snapshot.touched = touched;
        harness(start).get_by_label(text);
    }
}

#[test]
fn one_method_alone_is_not_called_the_nearest_while_others_run() {
    for (runs, text) in [
        (false, "nearest and cheapest: Adaptive"),
        (true, "compared: Adaptive  ·  not compared: Quasistatic"),
    ] {
        let mut start = compared(false);
        start.state.history.record_frame(&mut start.snapshot, 1);
        if runs {
            start.snapshot.panes[1].state = PaneState::Ready;
        }
        harness(start).get_by_label(text);
    }
}

#[test]
fn an_estimate_that_is_met_has_no_side() {
    for (error, text) in [
        (0.004, "within 1 % of reference"),
        (-0.004, "within 1 % of reference"),
        (-0.006, "about 1 % below reference"),
    ] {
        let mut start = compared(true);
        let found = start.snapshot.panes[0].accuracy.as_mut().expect("compared");
        found.force_error = Some(error);
        harness(start).get_by_label(text);
    }
}

#[test]
fn the_reason_of_a_missing_reference_is_shown_where_there_is_room() {
    let long = "long ".repeat(100);
    for (reason, text) in [
        (
            "the scene takes 120 s\nthe program computes it",
            "no reference: the scene takes 120 s",
        ),
        (long.as_str(), "no reference"),
    ] {
        let mut start = fixture();
        start.snapshot.reference = ReferenceStatus::Unavailable(reason.into());
        harness(start).get_by_label(text);
    }
}
