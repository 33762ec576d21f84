//! Advice that is given up, and advice that is applied, on a small scene.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::unbounded;
use pliant_core::inspect::ParameterValue;
use pliant_core::scene::Method;
use pliant_fuzzing::on_threads;
use web_time::Instant;

use crate::cache::AssetCache;
use crate::compare::advice::{
    Advice, Candidate, CandidateFigures, Choice, ErrorMeasure, Family, Goal, Outcome, Setting,
    SettingValue, TriedCandidate,
};
use crate::reference::Reference;
use crate::runner::background::opening::{Opening, Stage};
use crate::runner::background::reports::Reports;
use crate::runner::background::{BakeEvent, BakeJob, SceneChanges, Threads};
use crate::runner::command::Command;
use crate::runner::pane::{Completeness, MethodPane};
use crate::runner::simulation::Simulation;
use crate::runner::snapshot::{AdviceStatus, PaneState};
use crate::scenes::ImportOptions;
use crate::world::testing::{built, pad, prepared, scene_in};

fn scene(methods: &str) -> String {
    let head = format!("duration = 0.2\ngravity = [0.0, 0.0, 0.0]\nmethods = {methods}");
    pad(&head, "lattice = { cell = 0.05, half_width = 1 }")
}

/// A simulation without a thread, whose scene lies in `folder`.
fn simulation(folder: &std::path::Path) -> Simulation {
    let scene = scene_in(folder, &scene("['lattice']"));
    let setup = Arc::new(prepared(&scene));
    let source = Some((scene.origin.into(), ImportOptions::default()));
    Simulation::of_scene(&setup, &[Method::Lattice], source, None)
}

/// The same lattice once more, as it comes from the background.
fn admit_again(simulation: &mut Simulation) {
    let setup = simulation.setup.clone().expect("a scene");
    simulation.admit(built(&setup, Method::Lattice).expect("built"));
}

/// An advice that names one setting of the lattice.
fn advice(key: &'static str, value: SettingValue) -> Arc<Advice> {
    let method = Method::Lattice;
    let figures = CandidateFigures {
        median_ms: 1.0,
        p99_ms: 1.0,
        ..CandidateFigures::default()
    };
    let settings = vec![
        Setting::without(method, "cell"),
        Setting::new(method, key, value),
    ];
    Arc::new(Advice {
        goal: Goal::new(4.0, 0.05).expect("a goal"),
        error_measure: ErrorMeasure::Skin,
        reference: Reference::default(),
        frames: 1,
        tried: vec![TriedCandidate {
            candidate: Candidate {
                method,
                family: Family::Cells {
                    half_width: Some(1),
                },
                settings,
                resolution: 1.0,
            },
            outcome: Outcome::Measured(figures),
            chance: None,
        }],
        front: vec![0],
        choice: Choice::MeetsAll(0),
        unsteadiness: 1.0,
        reason: Vec::new(),
        seconds: 0.0,
    })
}

fn particles(simulation: &Simulation) -> usize {
    simulation
        .worlds()
        .map(|w| w.model().stats().total_nodes)
        .sum()
}

/// Waits for what other threads do.
fn until(mut is_done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_done() {
        let waited = started.elapsed();
        assert!(waited < Duration::from_secs(60), "it takes too long");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Takes what comes from the background until the job has ended, with frames between.
fn until_done(simulation: &mut Simulation) {
    until(|| {
        simulation.receive_bake_events();
        simulation.take_frame();
        simulation.job.is_none()
    });
}

/// Takes what comes from the background until the scene is opened or refused.
fn until_opened(simulation: &mut Simulation) {
    until(|| {
        simulation.receive_bake_events();
        simulation.opening.is_none()
    });
}

#[test]
fn what_is_cancelled_leaves_nothing_and_can_be_asked_for_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut simulation = simulation(folder.path());
    let goal = Goal::new(4.0, 0.05).expect("a goal");
    for _ in 0..2 {
        simulation.execute(Command::Advise(goal));
        assert!(matches!(simulation.advice.status, AdviceStatus::Running(_)));
        simulation.take_frame();
        simulation.execute(Command::CancelAdvice);
        assert!(matches!(simulation.advice.status, AdviceStatus::None));
        assert!(!simulation.poll_advice(), "nothing comes any more");
    }
    let pane = &simulation.panes[2];
    assert_eq!(
        (pane.method, &pane.state),
        (Method::Lattice, &PaneState::Ready)
    );
}

#[test]
fn an_applied_advice_takes_the_place_of_the_pane_which_runs_on_meanwhile() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut simulation = simulation(folder.path());
    let before = particles(&simulation);
    simulation.execute(Command::ApplyAdvice);
    assert!(simulation.job.is_none(), "there is no advice");
    let finer = advice("cells_longest", SettingValue::Count(8));
    simulation.advice.status = AdviceStatus::Ready(finer);
    simulation.execute(Command::ApplyAdvice);
    assert_eq!(simulation.panes[2].baked, Some(0.0));
    let frame = simulation.now();
    simulation.take_frame();
    assert_eq!(simulation.now(), frame + 1, "it runs on");
    until_done(&mut simulation);
    assert!(particles(&simulation) > 3 * before);
    assert_eq!(simulation.panes[2].baked, None);
    let setup = simulation.setup.as_ref().expect("a scene");
    assert_eq!(setup.description.body.lattice.cells_longest, Some(8));
    assert_eq!(simulation.open_error, None);
}

#[test]
fn settings_that_do_not_go_with_the_scene_leave_the_pane_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut simulation = simulation(folder.path());
    let before = particles(&simulation);
    let wrong = advice("fill", SettingValue::Word("magic"));
    simulation.advice.status = AdviceStatus::Ready(wrong);
    simulation.execute(Command::ApplyAdvice);
    until_done(&mut simulation);
    let told = simulation.open_error.clone().expect("told");
    assert!(
        told.contains("lattice.fill") && told.contains("magic"),
        "{told}"
    );
    assert_eq!(particles(&simulation), before);
    let pane = &simulation.panes[2];
    assert_eq!((pane.baked, &pane.state), (None, &PaneState::Ready));
}

#[test]
fn a_method_that_joins_late_begins_with_the_others_unless_the_user_did_something() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut simulation = simulation(folder.path());
    let run = |simulation: &mut Simulation| (0..5).for_each(|_| simulation.take_frame());
    run(&mut simulation);
    // a finer model for a method that runs: this scene does not repeat, so that it would never be seen
    admit_again(&mut simulation);
    assert_eq!(simulation.now(), 0);
    run(&mut simulation);
    // the pane beside it joins for the first time
    let beside = simulation.panes.remove(1);
    simulation.panes.insert(
        1,
        MethodPane {
            method: Method::Lattice,
            ..beside
        },
    );
    simulation.panes[2].method = Method::Quasistatic;
    admit_again(&mut simulation);
    assert_eq!(simulation.now(), 0, "both begin together");
    assert_eq!(simulation.began_again, [Method::Lattice]);
    simulation.execute(Command::Reset);
    assert!(simulation.began_again.is_empty(), "the user did that");
    // a hand did something: nothing of it may be lost
    run(&mut simulation);
    simulation.interaction.gravity_on = true;
    run(&mut simulation);
    simulation.panes[1].world = None;
    admit_again(&mut simulation);
    assert_eq!(simulation.now(), 10);
    assert!(simulation.began_again.is_empty());
    let joined = simulation.panes[1].world.as_ref().expect("joined");
    assert_eq!(joined.frame_index(), 10);
}

#[test]
fn what_is_baked_goes_on_where_another_scene_cannot_be_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut simulation = simulation(folder.path());
    let open = |simulation: &mut Simulation, name: &str| {
        simulation.execute(Command::Open {
            source: folder.path().join(name).into(),
            import: ImportOptions::default(),
        });
        until_opened(simulation);
    };
    open(&mut simulation, "scene.toml");
    open(&mut simulation, "nowhere.toml");
    assert!(simulation.open_error.is_some());
    until_done(&mut simulation);
    let pane = &simulation.panes[2];
    assert_eq!((pane.baked, &pane.state), (None, &PaneState::Ready));
    assert_eq!(pane.completeness, Completeness::Complete);
}

#[test]
fn a_scene_that_is_edited_is_opened_again_and_nonsense_keeps_the_last_good_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut simulation = simulation(folder.path());
    let good = scene("['lattice']");
    let mut edit = |text: &str| {
        std::fs::write(folder.path().join("scene.toml"), text).expect("written");
        until(|| simulation.reload_changed());
        until_opened(&mut simulation);
        let setup = simulation.setup.as_ref().expect("a scene");
        let young = setup.description.body.material.elastic.young;
        let is_refused = simulation.open_error.is_some();
        (simulation.scene_number, young, is_refused)
    };
    let stiffer = good.replace("young = 2.0e4", "young = 3.0e4");
    assert_eq!(edit(&stiffer), (2, 3.0e4, false));
    assert_eq!(edit("schema = 1\nnonsense"), (2, 3.0e4, true));
    assert_eq!(edit(&good), (3, 2.0e4, false));
    assert!(simulation.is_prepared_again, "its view stays");
}

#[test]
fn values_set_on_a_coarse_model_hold_for_the_whole_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut simulation = simulation(folder.path());
    let pane = &mut simulation.panes[2];
    pane.completeness = Completeness::Preview;
    let value = ParameterValue::Number(0.25);
    assert!(pane.set_parameter("damping_ratio".into(), value.clone()));
    admit_again(&mut simulation);
    let pane = &simulation.panes[2];
    let world = pane.world.as_ref().expect("runs");
    assert_eq!(world.model().parameter("damping_ratio"), Ok(value));
    assert!(pane.accepted_values.is_empty() && pane.completeness == Completeness::Complete);
}

#[test]
fn lattice_and_levels_run_coarsely_before_they_are_baked_and_whole_ones_take_their_places() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = scene("['lattice', 'adaptive', 'quasistatic']")
        .replace("edge = 0.05", "edge = 0.01")
        .replace(
            "lattice = {",
            "adaptive = { nodes = [60, 200, 800] }\n    quasistatic = { boundary = 600 }\n    lattice = {",
        );
    let scene = scene_in(folder.path(), &scene);
    let setup = Arc::new(prepared(&scene));
    let mut simulation = Simulation::of_scene(&setup, &[], None, None);
    let job = BakeJob::start(
        scene.origin.into(),
        ImportOptions::default(),
        SceneChanges::default(),
        AssetCache::disabled(),
        Threads::Own,
    );
    let started = Instant::now();
    let mut coarse = Vec::new();
    loop {
        let waited = started.elapsed();
        assert!(waited < Duration::from_secs(600), "it takes too long");
        let Some(event) = job.next_event() else {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        let is_end = matches!(event, BakeEvent::Finished);
        simulation.handle_event(event);
        let runs =
            |pane: &&MethodPane| pane.completeness == Completeness::Preview && pane.world.is_some();
        coarse.push(simulation.panes.iter().filter(runs).count());
        if is_end {
            break;
        }
    }
    // the skin; in any order two that run coarsely, and the quasistatic body without and with its columns; the lattice, all levels, the end
    assert_eq!((coarse.len(), &coarse[4..]), (8, &[2, 1, 0, 0][..]));
    for pane in &simulation.panes {
        assert_eq!((pane.baked, &pane.state), (None, &PaneState::Ready));
        let world = pane.world.as_ref().expect("runs");
        let whole = built(&setup, pane.method).expect("built").model.stats();
        assert_eq!(world.model().stats().total_nodes, whole.total_nodes);
    }
}

#[test]
fn what_has_no_coarse_model_does_not_wait_for_the_columns_of_the_quasistatic_method() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = scene("['lattice', 'quasistatic']")
        .replace("half_width = 1", "half_width = 1, calibrate = false");
    let mut opening = Opening {
        source: scene_in(folder.path(), &scene).origin.into(),
        import: ImportOptions::default(),
        changes: SceneChanges::default(),
        cache: AssetCache::disabled(),
        has_previews: true,
        stage: Stage::Skin,
    };
    let (sender, events) = unbounded();
    let reports = Reports::new(sender);
    // one thread does first what others would do beside each other
    on_threads(1, || while opening.advance(&reports) {});
    drop(reports);
    let ready = events.iter().filter_map(|event| match event {
        BakeEvent::MethodReady(built) => Some(built.method),
        _ => None,
    });
    let ready: Vec<Method> = ready.collect();
    assert_eq!(ready, [Method::Lattice, Method::Quasistatic]);
}
