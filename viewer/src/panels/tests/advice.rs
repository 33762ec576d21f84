//! Requesting advice, its progress, and applying it.

use std::sync::Arc;

use pliant_core::scene::Method;
use pliant_simulation::advice::{
    Advice, AdviceProgress, Candidate, CandidateFigures, Choice, ErrorMeasure, Family, Goal,
    Outcome, Setting, SettingValue, TriedCandidate,
};
use pliant_simulation::error::Fault;
use pliant_simulation::reference::{RecordedRun, Reference};
use pliant_simulation::snapshot::AdviceStatus;

use super::*;

pub(super) fn open() -> Fixture {
    let mut start = fixture();
    start.state.advice.open = true;
    start
}

fn tried(method: Method, key: &'static str, cost_ms: f64, error: f64) -> TriedCandidate {
    TriedCandidate {
        candidate: Candidate {
            method,
            family: Family::Cells {
                half_width: Some(1),
            },
            settings: vec![Setting::new(method, key, SettingValue::Number(3.0))],
            resolution: 1.0,
        },
        outcome: Outcome::Measured(CandidateFigures {
            median_ms: cost_ms,
            p99_ms: cost_ms,
            force_error: Some(error),
            ..CandidateFigures::default()
        }),
        chance: None,
    }
}

pub(super) fn advice() -> Advice {
    Advice {
        goal: Goal::new(4.0, 0.05).expect("a goal"),
        error_measure: ErrorMeasure::Force,
        reference: Reference {
            fine: RecordedRun::default(),
            coarse: Some(RecordedRun::default()),
            force: None,
            ..Reference::default()
        },
        frames: 60,
        tried: vec![
            tried(Method::Adaptive, "budget_ms", 2.0, 0.03),
            tried(Method::Lattice, "cell", 9.0, 0.01),
        ],
        front: vec![0, 1],
        choice: Choice::MeetsAll(0),
        unsteadiness: 1.0,
        reason: vec!["Use adaptive with budget_ms = 3.".into(), "Why.".into()],
        seconds: 1.0,
    }
}

#[test]
fn advice_is_requested_and_the_panes_pause() {
    let mut window = harness(open());
    click(&mut window, "Find");
    let goal = Goal::new(Goal::DEFAULT_BUDGET_MS, Goal::DEFAULT_ERROR).expect("a goal");
    let commands = &window.state().commands;
    assert_eq!(commands[..], [Command::Pause, Command::Advise(goal)]);
    window.state_mut().commands.clear();
    window.get_by_label("Pause the panes meanwhile").click();
    click(&mut window, "Find");
    assert_eq!(window.state().commands[..], [Command::Advise(goal)]);
}

#[test]
fn the_limit_of_the_skin_is_typed_and_passed_on() {
    let mut window = harness(open());
    type_number(&mut window, "and a skin error of at most", "2.5");
    press(&mut window, egui::Key::Enter);
    click(&mut window, "Find");
    let goal = Goal::new(8.0, 0.05).and_then(|goal| goal.with_skin_error(0.025));
    let goal = goal.expect("a goal");
    assert_eq!(window.state().commands.last(), Some(&Command::Advise(goal)));
}

#[test]
fn a_low_window_keeps_its_bar_free() {
    let window = harness_of(open(), [640.0, 360.0]);
    let bar = window.get_by_label("Details").rect().bottom();
    let role = egui::accesskit::Role::SpinButton;
    let first = window.get_by_role_and_label(role, "A frame may take");
    // above it is the title of the panel
    assert!(first.rect().top() - 25.0 >= bar, "{:?}", first.rect());
}

#[test]
fn progress_is_shown_and_can_be_cancelled() {
    let mut start = open();
    start.snapshot.advice = AdviceStatus::Running(AdviceProgress {
        stage: "simulating".into(),
        fraction: 0.5,
        tried: 3,
        of: 20,
        last: "lattice, cell = 0.02".into(),
    });
    let mut window = harness(start);
    window.get_by_label("simulating, 50 %");
    window.get_by_label("last: lattice, cell = 0.02");
    assert!(window.query_by_label("Find").is_none());
    click(&mut window, "Cancel");
    assert_eq!(window.state().commands[..], [Command::CancelAdvice]);
}

#[test]
fn a_result_is_shown_in_words_and_applied() {
    let mut start = open();
    start.snapshot.advice = AdviceStatus::Ready(Arc::new(advice()));
    let mut window = harness(start);
    window.get_by_label("Use adaptive with budget_ms = 3.");
    window.get_by_label("Why.");
    window.get_by_label("adaptive, budget_ms = 3: 2.00 ms, 3.0 %, skin 0.00 %");
    click(&mut window, "Apply to Adaptive");
    assert_eq!(window.state().commands[..], [Command::ApplyAdvice]);
}

#[test]
fn what_grey_marks_mean_is_said_where_there_are_any() {
    let mut start = open();
    let mut given = advice();
    start.snapshot.advice = AdviceStatus::Ready(Arc::new(given.clone()));
    let mut window = harness(start);
    assert!(window.query_by_label_contains("grey ").is_none());
    let mut coarse = tried(Method::Lattice, "cell", 0.5, 0.01);
    coarse.chance = Some(1);
    given.tried.push(coarse);
    let mut bulged = tried(Method::Lattice, "cell", 0.7, 0.01);
    if let Outcome::Measured(figures) = &mut bulged.outcome {
        figures.skin = 0.02;
    }
    given.tried.push(bulged);
    window.state_mut().snapshot.advice = AdviceStatus::Ready(Arc::new(given));
    window.run_steps(3);
    window.get_by_label("grey cross: by chance  ·  grey square: skin too far off");
}

#[test]
fn a_failure_is_shown_and_a_key_closes_the_panel() {
    let mut start = open();
    let reason = "no advice without a reference: several bodies";
    start.snapshot.advice = AdviceStatus::Failed(Fault::new("NoReference", reason));
    let mut window = harness(start);
    window.get_by_label("no advice without a reference: several bodies");
    window.get_by_label("Find again");
    press(&mut window, egui::Key::A);
    assert!(window.query_by_label("Find again").is_none());
    assert!(!window.state().state.advice.open);
}
