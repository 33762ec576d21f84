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
            stage: "reference: 12022 nodes".into(),
            fraction: 0.3,
        },
        false => ReferenceStatus::Ready(reference),
    };
    start
}

#[test]
fn an_error_against_the_reference_is_shown_with_its_side() {
    let window = harness(compared(false));
    window.get_by_label("25 % above reference");
    assert!(window.query_by_label("touch: 25 % above").is_none());
}

#[test]
fn an_estimate_has_the_word_about() {
    let window = harness(compared(true));
    window.get_by_label("about 25 % above");
}

#[test]
fn a_touch_is_the_users_own() {
    let mut start = compared(true);
    start.snapshot.touched = Some(120..200);
    let window = harness(start);
    window.get_by_label("touch: about 25 % above");
    let mut start = compared(false);
    start.snapshot.touched = Some(120..200);
    let window = harness(start);
    window.get_by_label("touch: 25 % above");
}
