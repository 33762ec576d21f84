//! The bar at the top: its menus stay open while somebody writes, and it fits into small windows.

use egui::accesskit::Role;

use super::*;

/// Forty characters.
const LONG: &str = "a_scene_with_a_name_of_forty_characters_";

fn named(name: &str) -> Fixture {
    let mut start = fixture();
    setup_mut(&mut start.snapshot).description.name = name.into();
    start
}

/// Places of all that can be clicked in the row of the button *Details*, from left to right.
fn row(window: &Harness<'static, Fixture>) -> Vec<egui::Rect> {
    let middle = window.get_by_label("Details").rect().center().y;
    let buttons = window.query_all_by_role(Role::Button);
    let menus = window.query_all_by_role(Role::ComboBox);
    let mut row: Vec<egui::Rect> = buttons
        .chain(menus)
        .map(|node| node.rect())
        .filter(|rect| rect.y_range().contains(middle))
        .collect();
    row.sort_by(|a, b| a.left().total_cmp(&b.left()));
    row
}

fn assert_apart(window: &Harness<'static, Fixture>, width: f32) {
    let row = row(window);
    for pair in row.windows(2) {
        assert!(pair[0].right() <= pair[1].left(), "{width}: {pair:?}");
    }
    let (first, last) = (row[0], row[row.len() - 1]);
    assert!(
        first.left() >= 0.0 && last.right() <= width,
        "{width}: {row:?}"
    );
    // a second row would push the panes down
    let top = row.iter().fold(0.0_f32, |top, rect| top.max(rect.top()));
    assert!(top < 20.0, "{width}: {row:?}");
}

#[test]
fn the_bar_has_one_row_in_which_nothing_overlaps() {
    for name in ["cut", "internal_wall__bunny_6k", LONG] {
        for width in [900.0, 1000.0, 1280.0, 1440.0, 2560.0] {
            let window = harness_of(named(name), [width, 720.0]);
            assert_apart(&window, width);
            let help = "Help: all commands and their keys";
            for always in [name, "Gravity", "Grab", "Save", help, "Details"] {
                window.get_by_label(always);
            }
        }
    }
}

#[test]
fn what_leaves_a_narrow_bar_stands_in_a_menu() {
    let wide = harness_of(named("cut"), [2560.0, 720.0]);
    assert!(wide.query_all_by_label("Colour").count() > 0);
    wide.get_by_label("Fit");
    assert!(wide.query_by_label("More").is_none());
    let mut narrow = harness_of(named(LONG), [900.0, 720.0]);
    assert_eq!(narrow.query_all_by_label("Overlay").count(), 0);
    click_for(&mut narrow, "More", 4);
    assert!(narrow.query_all_by_label("Overlay").count() > 0);
    assert!(narrow.query_all_by_label("Panes").count() > 0);
    let all = [0, 1, 2].map(|k| narrow.state().snapshot.panes[k].method);
    let title = crate::style::title(all[1]);
    // the first row is that of the overlay
    let mut buttons = narrow.query_all_by_role_and_label(Role::Button, title);
    buttons.next().expect("a method").click();
    drop(buttons);
    narrow.run_steps(3);
    let state = &narrow.state().state;
    assert_eq!((state.overlay, state.maximised), (Some(all[1]), None));
    assert!(
        narrow.query_all_by_label("Panes").count() > 0,
        "the menu stays, for another choice"
    );
}

#[test]
fn panes_are_hidden_and_shown_in_a_menu_which_stays_open() {
    let mut narrow = harness_of(named(LONG), [900.0, 720.0]);
    let [a, b, c] = [0, 1, 2].map(|k| narrow.state().snapshot.panes[k].method);
    click_for(&mut narrow, "More", 4);
    for (method, hidden) in [(a, vec![a]), (c, vec![a, c]), (a, vec![c]), (b, vec![b, c])] {
        let name = format!("Show {}", crate::style::title(method));
        click_for(&mut narrow, &name, 4);
        assert_eq!(narrow.state().state.hidden, hidden);
    }
}

#[test]
fn the_bar_of_the_smallest_window_has_one_row_in_which_nothing_overlaps() {
    for width in [480.0, 560.0, 640.0] {
        let window = harness_of(named(LONG), [width, 400.0]);
        assert_apart(&window, width);
        for always in ["Grab", "Save", "More", "Details"] {
            window.get_by_label(always);
        }
    }
    let mut smallest = harness_of(named(LONG), [480.0, 400.0]);
    assert!(smallest.query_by_label("Gravity").is_none());
    click_for(&mut smallest, "More", 4);
    smallest.get_by_label("Gravity");
    smallest.get_by_label("Help: all commands and their keys");
}

#[test]
fn a_recording_moves_nothing_in_the_bar() {
    let mut window = harness(fixture());
    let before = row(&window);
    window.state_mut().state.pictures.recording = Some("recording".into());
    window.run_steps(3);
    window.get_by_label("Stop recording");
    assert_eq!(row(&window), before);
}

#[test]
fn a_path_can_be_typed_after_a_click_into_its_field() {
    let mut window = harness(fixture());
    click_for(&mut window, "welcome", 4);
    window.get_by_role(Role::TextInput).click();
    window.run_steps(4);
    window.key_press(egui::Key::W);
    window.event(egui::Event::Text("w.stl".into()));
    window.run_steps(3);
    window.get_by_role(Role::TextInput);
    let state = &window.state().state;
    assert_eq!(state.path, "w.stl");
    assert!(!state.wireframe, "the letter is no shortcut");
    window.key_press(egui::Key::Enter);
    window.run_steps(4);
    let opened = window.state().commands.last();
    assert!(matches!(opened, Some(Command::Open { source, .. }) if source == "w.stl"));
    assert!(window.query_by_role(Role::TextInput).is_none(), "closed");
}

#[test]
fn a_click_on_the_length_of_an_animation_leaves_its_menu_open() {
    let mut window = harness(fixture());
    click_for(&mut window, "Save", 4);
    window
        .get_by_role_and_label(Role::SpinButton, "Length")
        .click();
    window.run_steps(4);
    window.get_by_label_contains("Mark the beginning");
    // a click beside it closes it
    click_for(&mut window, "Grab", 4);
    let mark = window.query_by_label_contains("Mark the beginning");
    assert!(mark.is_none());
}

#[test]
fn a_choice_of_colours_moves_nothing_in_the_bar() {
    let mut window = harness(fixture());
    let before = row(&window);
    let method = window.state().snapshot.panes[1].method;
    window.state_mut().state.layer = crate::state::Layer::DifferenceTo(method);
    window.run_steps(3);
    assert_eq!(row(&window), before);
}

#[test]
fn without_a_scene_nothing_can_be_played() {
    let mut window = harness(Fixture::default());
    for name in ["Play", "Step", "Loop", "Reset"] {
        click(&mut window, name);
    }
    for key in [
        egui::Key::Space,
        egui::Key::ArrowRight,
        egui::Key::Home,
        egui::Key::L,
        egui::Key::R,
    ] {
        press(&mut window, key);
    }
    assert!(window.state().commands.is_empty());
    window.get_by_label("Open");
}
