//! The command palette, by the keyboard alone.

use egui::{Key, Modifiers};
use pliant_simulation::scenes::{ImportOptions, load};

use super::*;
use crate::input::mode::HandMode;

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
    let mut window = harness(fixture());
    press_with(&mut window, Modifiers::COMMAND, Key::K);
    typed(&mut window, "cut, or");
    window.get_by_label("this scene has no blade, so that its bodies are not prepared for cutting");
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
    for command in crate::panels::commands::all() {
        let lines = window.query_all_by_label(command.name).count();
        assert!(lines > 0, "{}", command.name);
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
