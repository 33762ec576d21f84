//! Panels without a window: a fake snapshot, clicks by name.

use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, HarnessBuilder};
use pliant_core::math::Vec3;
use pliant_simulation::command::Command;
use pliant_simulation::servo::ForceFeedback;
use pliant_simulation::setup::{NoteSubject, RepairStep, SceneNote};
use pliant_simulation::snapshot::{PaneState, WorldSnapshot};

use crate::panels::{Context, frame, header, keys, overlay};
use crate::state::{AnimationFormat, ForceSource, PictureRequest, Plotted, UiState};
use crate::testing::setup_mut;
use crate::window::layout;

mod accuracy;
mod advice;
mod bar;
mod curves;
mod details;
mod mesh_report;
mod palette;
mod picked;
mod pictures;
mod rasteriser;
mod texts;
mod timeline;

#[derive(Default)]
struct Fixture {
    snapshot: WorldSnapshot,
    state: UiState,
    commands: Vec<Command>,
}

/// The whole window but for the pictures.
fn harness(fixture: Fixture) -> Harness<'static, Fixture> {
    harness_of(fixture, [1500.0, 1100.0])
}

fn harness_of(fixture: Fixture, size: [f32; 2]) -> Harness<'static, Fixture> {
    harness_from(Harness::builder().with_size(size), fixture)
}

fn harness_from(builder: HarnessBuilder<Fixture>, fixture: Fixture) -> Harness<'static, Fixture> {
    let mut window = builder.build_ui_state(
        |ui, fixture: &mut Fixture| {
            let source = ForceSource::of(&fixture.snapshot, false);
            let mut cx = Context {
                snapshot: &fixture.snapshot,
                state: &mut fixture.state,
                commands: &mut fixture.commands,
            };
            frame::show(ui, &mut cx, &source);
            keys::read(ui, &mut cx);
            let all = ui.available_rect_before_wrap();
            for k in 0..3 {
                let (head, picture) = layout::pane(all, k, 3);
                header::show(ui, head, k, &cx, &source);
                overlay::show(ui, picture, k, &cx);
            }
        },
        fixture,
    );
    window.run_steps(3);
    window
}

/// Clicks what has this name.
fn click(window: &mut Harness<'static, Fixture>, name: &str) {
    click_for(window, name, 3);
}

/// Clicks what has this name, and waits for what moves.
fn click_for(window: &mut Harness<'static, Fixture>, name: &str, steps: usize) {
    window.get_by_label(name).click();
    window.run_steps(steps);
}

/// Types `text` into the field of a number, in place of what is there.
fn type_number(window: &mut Harness<'static, Fixture>, field: &str, text: &str) {
    let role = egui::accesskit::Role::SpinButton;
    window.get_by_role_and_label(role, field).focus();
    window.run_steps(2);
    for key in [egui::Key::A, egui::Key::Backspace] {
        window.key_press_modifiers(egui::Modifiers::COMMAND, key);
        window.run_steps(1);
    }
    window.event(egui::Event::Text(text.into()));
    window.run_steps(2);
}

/// Presses a key.
fn press(window: &mut Harness<'static, Fixture>, key: egui::Key) {
    press_with(window, egui::Modifiers::NONE, key);
}

fn press_with(window: &mut Harness<'static, Fixture>, modifiers: egui::Modifiers, key: egui::Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(3);
}

/// The frame that was asked for last.
fn sought_frame(window: &Harness<'static, Fixture>) -> u64 {
    match window.state().commands.last() {
        Some(Command::Seek(frame)) => *frame,
        other => panic!("{other:?}"),
    }
}

fn with_details() -> Fixture {
    let mut start = fixture();
    start.state.details = true;
    start
}

fn fixture() -> Fixture {
    Fixture {
        snapshot: crate::testing::snapshot(),
        state: UiState {
            aspect: 1.0,
            ..UiState::default()
        },
        commands: Vec::new(),
    }
}

#[test]
fn play_step_reset_and_gravity_are_commands() {
    let mut window = harness(fixture());
    for (name, expected) in [
        ("Play", Command::Play),
        ("Step", Command::Step),
        ("Reset", Command::Reset),
        ("Gravity", Command::SetGravity(true)),
    ] {
        click(&mut window, name);
        assert_eq!(window.state().commands.last(), Some(&expected), "{name}");
    }
    window.state_mut().snapshot.playing = true;
    window.run_steps(3);
    click(&mut window, "Pause");
    assert_eq!(window.state().commands.last(), Some(&Command::Pause));
    window.get_by_label("0.6x real time");
}

#[test]
fn keys_do_the_same() {
    let mut window = harness(fixture());
    for (key, expected) in [
        (egui::Key::Space, Command::Play),
        (egui::Key::ArrowRight, Command::Step),
        (egui::Key::R, Command::Reset),
        (egui::Key::G, Command::SetGravity(true)),
    ] {
        press(&mut window, key);
        assert_eq!(window.state().commands.last(), Some(&expected), "{key:?}");
    }
    press(&mut window, egui::Key::W);
    assert!(window.state().state.wireframe);
}

#[test]
fn one_pane_alone_the_next_in_its_place_and_an_overlay() {
    let mut window = harness(fixture());
    let [a, b, c] = [0, 1, 2].map(|k| window.state().snapshot.panes[k].method);
    for (key, maximised, overlay) in [
        (egui::Key::M, Some(a), None),
        (egui::Key::X, Some(b), None),
        (egui::Key::X, Some(c), None),
        (egui::Key::X, Some(a), None),
        (egui::Key::M, None, None),
        (egui::Key::O, None, Some(a)),
        (egui::Key::O, None, Some(b)),
        (egui::Key::O, None, Some(c)),
        (egui::Key::O, None, None),
    ] {
        press(&mut window, key);
        let state = &window.state().state;
        let found = (state.maximised, state.overlay);
        assert_eq!(found, (maximised, overlay), "{key:?}");
    }
    assert!(window.query_all_by_label("Overlay").count() > 0);
    assert!(window.query_all_by_label("Panes").count() > 0);
}

#[test]
fn pictures_are_requested_by_keys_and_in_the_menu() {
    let mut start = fixture();
    start.snapshot.timeline.last = 60;
    start.snapshot.timeline.end = 60;
    start.snapshot.timeline.now = 10;
    let mut window = harness(start);
    let (alone, shift) = (egui::Modifiers::NONE, egui::Modifiers::SHIFT);
    let gif = AnimationFormat::Gif;
    for (modifiers, key, expected) in [
        (alone, egui::Key::P, Some(PictureRequest::Window)),
        (shift, egui::Key::P, Some(PictureRequest::Panes)),
        (alone, egui::Key::V, Some(PictureRequest::Next(gif))),
        // nothing is marked yet
        (shift, egui::Key::V, None),
        (alone, egui::Key::OpenBracket, None),
        (shift, egui::Key::V, Some(PictureRequest::Marked(gif))),
    ] {
        press_with(&mut window, modifiers, key);
        let request = window.state_mut().state.pictures.request.take();
        assert_eq!(request, expected, "{key:?}");
    }
    assert_eq!(window.state().state.pictures.marks, [Some(10), None]);
    click(&mut window, "Save");
    window.get_by_label_contains("Panes as PNG").click();
    window.run_steps(3);
    let request = window.state_mut().state.pictures.request.take();
    assert_eq!(request, Some(PictureRequest::Panes));
    let png = AnimationFormat::PngSequence;
    for (name, expected) in [
        (
            "Next 5 s of the panes as PNG sequence",
            PictureRequest::Next(png),
        ),
        (
            "Marked part of the panes as PNG sequence",
            PictureRequest::Marked(png),
        ),
    ] {
        click(&mut window, "Save");
        window.get_by_label_contains(name).click();
        window.run_steps(3);
        let request = window.state_mut().state.pictures.request.take();
        assert_eq!(request, Some(expected));
    }
    window.state_mut().state.pictures.recording = Some("recording the panes: 1.0 of 5 s".into());
    window.run_steps(3);
    window.get_by_label("recording the panes: 1.0 of 5 s");
    click(&mut window, "Stop recording");
    let request = window.state_mut().state.pictures.request.take();
    assert_eq!(request, Some(PictureRequest::Stop));
    press(&mut window, egui::Key::V);
    let request = window.state().state.pictures.request;
    assert_eq!(request, Some(PictureRequest::Stop));
}

#[test]
fn every_state_of_a_pane_is_shown_in_words() {
    let window = harness(fixture());
    window.get_by_label("5.00 N");
    window.get_by_label("force on the finger");
    window.get_by_label("1.2 ms a frame  ·  1,204 nodes");
    window.get_by_label("preparing: Green's functions, 40 %");
    window.get_by_label("the body has no support");
}

#[test]
fn the_digits_of_a_force_stay_in_place_when_its_unit_changes() {
    let mut window = harness(fixture());
    let left = window.get_by_label("5.00 N").rect().left();
    window.state_mut().snapshot.panes[0].tool_forces[0] *= 1e-3;
    window.run_steps(3);
    let moved = window.get_by_label("5.00 mN").rect().left() - left;
    assert!(moved.abs() < 1.0, "{moved} points");
}

#[test]
fn a_pane_before_its_first_frame_shows_no_force() {
    let mut start = fixture();
    start.snapshot.panes[0].tool_forces.clear();
    start.snapshot.panes[0].cost_ms = 0.0;
    let window = harness(start);
    window.get_by_label("— ms a frame  ·  1,204 nodes");
    for absent in ["—", "force on the finger"] {
        assert!(window.query_by_label(absent).is_none(), "{absent}");
    }
}

#[test]
fn force_feedback_is_shown_and_can_be_plotted() {
    let mut start = with_details();
    start.snapshot.panes[1].state = PaneState::Ready;
    start.snapshot.force_feedback = Some(ForceFeedback {
        held: true,
        force: Vec3::y() * 2.0,
        recent: vec![1.0, 2.0],
        ticks: 12_000,
        late_ticks: 3,
        work_us: [0.8, 4.0],
        latency_ms: [1.5, 9.0],
        ..ForceFeedback::default()
    });
    let mut window = harness(start);
    window.get_by_label("12,000 ticks, 3 late");
    window.get_by_label("pointer to force: p50 1.50 ms, p99 9.00 ms");
    click(&mut window, "Felt");
    assert_eq!(window.state().state.plotted, Plotted::ForceFeedback);
    // the choice is absent without force feedback
    window.state_mut().snapshot.force_feedback = None;
    window.run_steps(3);
    assert!(window.query_by_label("Felt").is_none());
    assert!(window.query_by_label("12,000 ticks, 3 late").is_none());
}

#[test]
fn warnings_are_shown_above_the_panes_of_bundled_scenes_too_until_they_are_dismissed() {
    let mut start = fixture();
    let setup = setup_mut(&mut start.snapshot);
    let note =
        "SkinTooCoarse: the skin is too coarse for `ball`\n  remedy: mesh.edge = 0.011 or less";
    let about = NoteSubject::Tool("ball".into());
    setup.notes.push(SceneNote::warning(about, note.into()));
    setup.repairs.push(RepairStep {
        code: "DroppedWalls",
        count: 1600,
        message: "1600 faces of walls with two sides, which bound nothing: dropped".into(),
    });
    let mut window = harness(start);
    let line = "Forces on ball may be off: the skin is too coarse there  ·  The mesh was changed: 1,600 faces dropped";
    window.get_by_label(line);
    assert!(!window.state().state.details);
    click(&mut window, "Show in Details");
    assert!(window.state().state.details);
    window.get_by_label("• the skin is too coarse for `ball`\n  remedy: mesh.edge = 0.011 or less");
    click(&mut window, "Dismiss");
    assert!(window.query_by_label(line).is_none());
}

#[test]
fn an_error_and_a_warning_are_dismissed_one_after_the_other() {
    let mut start = fixture();
    setup_mut(&mut start.snapshot).repairs.push(RepairStep {
        code: "DroppedDegenerate",
        count: 3,
        message: "3 faces without area: dropped".into(),
    });
    start.snapshot.open_error = Some("a.toml: no key `x`\n  remedy: did you mean `y`?".into());
    let mut window = harness(start);
    window.get_by_label("a.toml: no key `x`\n  did you mean `y`?");
    click(&mut window, "Dismiss");
    window.get_by_label("The mesh was changed: 3 faces dropped");
    click(&mut window, "Dismiss");
    assert!(window.query_by_label("Dismiss").is_none());
}

#[test]
fn an_empty_window_shows_that_something_is_opened() {
    let mut empty = Fixture::default();
    empty.snapshot.opening = Some("welcome".into());
    let window = harness(empty);
    window.get_by_label("opening welcome");
}

#[test]
fn the_letters_hold_every_sign_that_panels_write() {
    // the harness fails on a sign that the bundled letters lack
    let mut window = Harness::builder().build_ui_state(
        |ui, _: &mut ()| {
            ui.label("−1.5 × 10⁹  µm  m²  m³  kg/m³  °  ·  •  …  —  ν ρ α ζ ≤ ≥ ≈ ∞ é ü");
            ui.monospace("0123456789.−s");
        },
        (),
    );
    window.run_steps(2);
}

#[test]
fn a_skin_that_follows_particles_leaves_a_choice() {
    let window = harness(with_details());
    assert_eq!(window.query_all_by_label("Skin").count(), 0);
    let mut start = with_details();
    start.snapshot.panes[0].binding = Some(Default::default());
    start.state.skin_lines = vec![Some("skin in 3 batches of at most 900 particles".into())];
    let window = harness(start);
    assert!(window.query_all_by_label("Skin").count() > 0);
}
