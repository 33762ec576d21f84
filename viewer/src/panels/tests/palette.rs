//! The command palette, mostly by the keyboard alone.

use egui::{Key, Modifiers};
use pliant_core::inspect::ParameterValue;
use pliant_core::scene::Method;
use pliant_simulation::scenes::{ImportOptions, load};

use super::*;
use crate::input::mode::HandMode;
use crate::panels::commands::{HELP, all};
use crate::state::{CutPreparation, Edit, Layer};
use crate::testing::show_frame;

const TITLE: &str = "Commands and keys";

fn typed(window: &mut Harness<'static, Fixture>, text: &str) {
    window.event(egui::Event::Text(text.into()));
    window.run_steps(3);
}

#[test]
fn what_is_typed_is_found_and_run_by_enter() {
    let mut window = harness(fixture());
    for (modifiers, key) in [
        (Modifiers::COMMAND, Key::K),
        (Modifiers::COMMAND | Modifiers::SHIFT, Key::P),
        (Modifiers::NONE, Key::F1),
    ] {
        press_with(&mut window, modifiers, key);
        assert!(window.state().state.palette.open, "{key:?}");
        typed(&mut window, "edg");
        // named for those who hear the window, in the bar and in the palette
        assert_eq!(window.query_all_by_label("Edges").count(), 2);
        let before = window.state().state.wireframe;
        press(&mut window, Key::Enter);
        let state = &window.state().state;
        assert!(!state.palette.open && state.wireframe != before, "{key:?}");
    }
    // no picture was taken by the P of the shortcut
    assert_eq!(window.state().state.pictures.request, None);
}

#[test]
fn a_click_beside_the_palette_closes_it_and_one_within_does_not() {
    let mut window = harness(fixture());
    // this click is beside the palette, too
    click(&mut window, "Help: all commands and their keys");
    assert!(window.state().state.palette.open);
    for (place, stays) in [([750.0, 78.0], true), ([30.0, 700.0], false)] {
        let pos = egui::Pos2::from(place);
        window.event(egui::Event::PointerMoved(pos));
        window.run_steps(1);
        for pressed in [true, false] {
            window.event(egui::Event::PointerButton {
                pos,
                button: egui::PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            });
        }
        window.run_steps(3);
        assert_eq!(window.state().state.palette.open, stays, "{place:?}");
    }
}

#[test]
fn ambient_occlusion_is_on_until_it_is_switched_off() {
    let mut window = harness(fixture());
    for expected in [false, true] {
        assert_eq!(window.state().state.no_occlusion, expected);
        press(&mut window, Key::F1);
        typed(&mut window, "ambient");
        press(&mut window, Key::Enter);
        assert_eq!(window.state().state.no_occlusion, !expected);
    }
}

#[test]
fn arrows_choose_and_escape_closes() {
    let mut window = harness(fixture());
    press_with(&mut window, Modifiers::COMMAND, Key::K);
    typed(&mut window, "view from");
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowDown, Key::ArrowUp] {
        press(&mut window, key);
    }
    let chosen = window.state().state.palette.chosen;
    assert_eq!(chosen, 2, "three views, around");
    let before = window.state().commands.len();
    typed(&mut window, "  r space ");
    let after = window.state().commands.len();
    assert_eq!(after, before, "letters are words here");
    press(&mut window, Key::Escape);
    assert!(!window.state().state.palette.open);
}

#[test]
fn scenes_open_from_the_palette_and_what_cannot_be_run_says_why() {
    let mut start = fixture();
    setup_mut(&mut start.snapshot).description.methods = vec![Method::Quasistatic];
    let mut window = harness(start);
    press_with(&mut window, Modifiers::COMMAND, Key::K);
    typed(&mut window, "cut, or");
    window.get_by_label_contains("no method of this scene can cut its bodies");
    press(&mut window, Key::Enter);
    let state = &window.state().state;
    assert!(state.palette.open && state.hand_mode == HandMode::Grab);
    window.state_mut().state.palette.query.clear();
    typed(&mut window, "open liver");
    press(&mut window, Key::Enter);
    let opened = window.state().commands.last();
    assert!(matches!(opened, Some(Command::Open { source, .. }) if source == "liver"));
}

#[test]
fn the_scene_is_read_again_from_the_palette() {
    let mut window = harness(fixture());
    press(&mut window, Key::F1);
    typed(&mut window, "reload");
    press(&mut window, Key::Enter);
    assert_eq!(window.state().commands.last(), Some(&Command::Reload));
}

#[test]
fn every_command_has_a_line_also_in_a_small_window() {
    let mut window = harness_of(fixture(), [640.0, 480.0]);
    press(&mut window, Key::F1);
    assert!(window.query_all_by_label(TITLE).count() > 0);
    for command in all() {
        let lines = window.query_all_by_label(command.name).count();
        assert!(lines > 0, "{}", command.name);
    }
}

/// A scene in which no command is refused, and in which each one changes something.
fn everything_possible() -> Fixture {
    let cut = load("cut", &ImportOptions::default()).expect("bundled");
    let mut start = mesh_report::perforated();
    let setup = setup_mut(&mut start.snapshot);
    setup.description.tools = cut.description.tools;
    setup.held[0] = true;
    for frame in 1..=20 {
        let history = &mut start.state.history;
        history.record_frame(&mut start.snapshot, frame);
    }
    show_frame(&mut start.snapshot, 10, 20);
    start.state.pictures.marks = [Some(5), Some(15)];
    start.state.picked.vertex = Some(5);
    start.state.hand_mode = HandMode::Pull;
    for (before, after) in [(0.1, 0.2), (0.2, 0.3)] {
        let edit = Edit {
            method: Method::Adaptive,
            name: "damping_ratio".into(),
            before: ParameterValue::Number(before),
            after: ParameterValue::Number(after),
        };
        start.state.edits.record(edit, false);
    }
    start.state.edits.undo(None);
    start
}

/// All that a command can change.
fn everything(window: &Harness<'static, Fixture>) -> String {
    let Fixture {
        state, commands, ..
    } = window.state();
    let (theme, zoom) = (window.ctx.theme(), window.ctx.zoom_factor());
    format!("{state:?} {commands:?} {theme:?} {zoom}")
}

#[test]
fn every_command_is_run_by_typing_its_name_and_by_its_label() {
    let mut window = harness(fixture());
    let ways = [false, true].into_iter();
    for (command, is_by_label) in ways.flat_map(|way| all().map(move |c| (c, way))) {
        let name = command.name;
        *window.state_mut() = everything_possible();
        window.ctx.set_zoom_factor(1.2);
        window.run_steps(4);
        let before = everything(&window);
        window.run_steps(3);
        let is_still = everything(&window) == before;
        assert!(is_still, "something changes without `{name}`");
        press_with(&mut window, Modifiers::COMMAND, Key::K);
        typed(&mut window, name);
        if is_by_label {
            let mut lines = window.query_all_by_label(name);
            // buttons of the bars have the same labels
            let line = lines.find(|line| line.rect().width() > 400.0);
            line.expect(name).click_accesskit();
            drop(lines);
            window.run_steps(3);
        } else {
            press(&mut window, Key::Enter);
        }
        let state = &window.state().state;
        assert_eq!(state.palette.open, name == HELP.name, "`{name}` is refused");
        if let Some(Ok(file)) = &state.saved {
            std::fs::remove_file(file).expect("the curves were saved");
        }
        let is_done = everything(&window) != before;
        assert!(is_done, "`{name}` does nothing");
    }
}

#[test]
fn colours_curves_and_their_spans_are_chosen_by_their_names() {
    let mut window = harness(curves::with_metrics());
    let mut choose = |name: &str| {
        press_with(&mut window, Modifiers::COMMAND, Key::K);
        typed(&mut window, name);
        assert!(window.query_all_by_label(name).count() > 0, "{name}");
        press(&mut window, Key::Enter);
        let Fixture {
            state, commands, ..
        } = window.state();
        (
            state.layer.clone(),
            state.plotted,
            state.span,
            commands.len(),
        )
    };
    let panes = 3;
    for (name, layer, asked) in [
        ("Colour: stress", Layer::Quantity("stress".into()), panes),
        ("Colour: displacement", Layer::Displacement, 2 * panes),
    ] {
        let (found, _, _, commands) = choose(name);
        assert_eq!((found, commands), (layer, asked), "{name}");
    }
    let (_, plotted, _, _) = choose("Curves: tendon: stress");
    assert_eq!(plotted, Plotted::PointStress(0));
    let (_, plotted, _, _) = choose("Curves: Kinetic energy");
    assert_eq!(plotted.quantity(), "Kinetic energy");
    for (span, name) in [
        (1, "Curves of the last 30 s"),
        (2, "Curves of the last 120 s"),
        (0, "Curves of the last 10 s"),
    ] {
        assert_eq!(choose(name).2, span, "{name}");
    }
}

#[test]
fn c_and_t_take_what_the_scene_allows_and_put_it_away() {
    let cut = load("cut", &ImportOptions::default()).expect("bundled");
    let mut start = fixture();
    let mut window = harness(fixture());
    for key in [Key::C, Key::T] {
        press(&mut window, key);
        let mode = window.state().state.hand_mode;
        assert_eq!(mode, HandMode::Grab, "no blade, and nothing holds it");
    }
    click(&mut window, "Cut");
    // once for the key, and once for the button
    let sent = &window.state().commands;
    assert_eq!(
        *sent,
        [Command::PrepareForCutting, Command::PrepareForCutting]
    );
    let state = &window.state().state;
    let is_cut = (state.hand_mode, state.cut_preparation);
    assert_eq!(is_cut, (HandMode::Grab, CutPreparation::Requested));
    let setup = setup_mut(&mut start.snapshot);
    setup.description.tools = cut.description.tools;
    setup.held[0] = true;
    let mut window = harness(start);
    for (key, name, taken) in [
        (Key::C, "Cut", HandMode::Cut),
        (Key::T, "Pull", HandMode::Pull),
    ] {
        for mode in [taken, HandMode::Grab, taken] {
            press(&mut window, key);
            assert_eq!(window.state().state.hand_mode, mode);
        }
        click(&mut window, "Grab");
        assert_eq!(window.state().state.hand_mode, HandMode::Grab);
        for _ in 0..2 {
            click(&mut window, name);
            assert_eq!(window.state().state.hand_mode, taken);
        }
    }
}

#[test]
fn a_scene_that_starts_anew_to_be_cut_says_so_until_the_line_is_dismissed() {
    let mut start = fixture();
    start.state.cut_preparation = CutPreparation::Started;
    let mut window = harness(start);
    window.get_by_label_contains("prepared for cutting now");
    click(&mut window, "Dismiss");
    let line = window.query_all_by_label_contains("prepared for cutting now");
    assert_eq!(line.count(), 0);
}

#[test]
fn recent_files_open_again_and_one_that_is_gone_says_so_and_leaves() {
    let file = |name: &str| std::env::temp_dir().join(format!("{}-{name}", std::process::id()));
    let (here, gone) = (file("here.toml"), file("gone.toml"));
    let mut start = fixture();
    for f in [&gone, &here] {
        std::fs::write(f, "").expect("written");
        start.state.recent.opened(f);
    }
    std::fs::remove_file(&gone).expect("removed");
    let mut window = harness(start);
    let mut open = |name: &str| {
        press_with(&mut window, Modifiers::COMMAND, Key::K);
        typed(&mut window, name);
        press(&mut window, Key::Enter);
    };
    open("here.toml");
    open("gone.toml");
    std::fs::remove_file(&here).expect("removed");
    let opened = &window.state().commands;
    let is_here = matches!(&opened[..], [Command::Open { source, .. }] if *source == here);
    assert!(is_here, "{opened:?}");
    let line = format!(
        "{} no longer exists and was removed from the list of recent files",
        gone.display()
    );
    window.get_by_label(&line);
    assert_eq!(window.state().state.recent.files(), [here]);
    // the list of scenes has the other one
    click(&mut window, "welcome");
    window.get_by_label(&format!("{}-here.toml", std::process::id()));
}

#[test]
fn a_key_counts_with_the_modifiers_that_it_was_pressed_with() {
    // in a slow frame ctrl is released again, and more was typed, when the frame reads the key
    let mut window = harness(fixture());
    let event = |key, modifiers| egui::Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers,
    };
    window.event(event(Key::K, Modifiers::COMMAND));
    window.event(event(Key::W, Modifiers::NONE));
    window.run_steps(2);
    let state = &window.state().state;
    assert!(state.palette.open && !state.wireframe);
}

#[test]
fn cards_of_scenes_stand_beside_each_other_in_a_small_window() {
    // 1280 x 720 pixels, and the same at a scale of 200 %
    for size in [[1280.0, 720.0], [640.0, 360.0]] {
        let mut window = harness_of(fixture(), size);
        click_for(&mut window, "welcome", 4);
        let place = |name: &str| {
            let found = window.query_all_by_label(name).last();
            found.map(|node| node.rect()).expect("a card of the list")
        };
        let (first, second) = (place("welcome"), place("penguins"));
        assert!(first.right() < second.left(), "{first:?} {second:?}");
        for (name, _) in crate::panels::palette::scene_titles::bundled() {
            let line = place(name);
            let is_inside = line.left() >= 0.0 && line.right() <= size[0];
            assert!(is_inside, "{name}: {line:?}");
        }
    }
}
