//! Going back in time by buttons, keys, the slider and the curves.

use super::*;

/// A window on frame 30 of 60.
fn in_the_past() -> Fixture {
    let mut start = fixture();
    crate::testing::show_frame(&mut start.snapshot, 30, 60);
    start.snapshot.timeline.first = 12;
    start.snapshot.timeline.exact_from = 12;
    start
}

#[test]
fn buttons_and_keys_go_back_and_repeat() {
    let mut window = harness(in_the_past());
    for (name, key, expected) in [
        ("Start", egui::Key::Home, Command::Seek(12)),
        ("Back", egui::Key::ArrowLeft, Command::StepBack),
        ("Loop", egui::Key::L, Command::Loop(true)),
    ] {
        click(&mut window, name);
        assert_eq!(window.state().commands.last(), Some(&expected), "{name}");
        window.state_mut().commands.clear();
        press(&mut window, key);
        assert_eq!(window.state().commands.last(), Some(&expected), "{key:?}");
    }
    window.get_by_label("in the past");
    window.get_by_label("0.2 to 1.0 s");
    window.state_mut().snapshot.playing = true;
    window.run_steps(3);
    window.get_by_label("repeating");
}

#[test]
fn the_clock_has_no_speed_until_a_method_is_ready() {
    let mut start = fixture();
    start.snapshot.playing = true;
    let mut window = harness(start);
    window.get_by_label("0.6x real time");
    window.state_mut().snapshot.panes[0].state = PaneState::Waiting;
    window.run_steps(3);
    assert!(window.query_by_label("0.6x real time").is_none());
}

#[test]
fn the_slider_stops_the_run_and_goes_where_it_is_dragged() {
    let mut start = in_the_past();
    start.snapshot.playing = true;
    let mut window = harness(start);
    let rect = window.get_by_label("Timeline").rect();
    let at = |share: f32| egui::pos2(rect.left() + share * rect.width(), rect.center().y);
    window.drag_at(at(0.5));
    window.run_steps(2);
    window.hover_at(at(0.25));
    window.run_steps(2);
    let first = window.state().commands.first();
    assert_eq!(first, Some(&Command::Pause));
    let frame = sought_frame(&window);
    assert!((22..=26).contains(&frame), "{frame}");
    window.drop_at(at(1.0));
    window.run_steps(2);
}

#[test]
fn a_click_within_one_slow_frame_is_not_lost() {
    let mut start = in_the_past();
    start.snapshot.playing = true;
    let mut window = harness(start);
    let rect = window.get_by_label("Timeline").rect();
    let pos = rect.left_center() + egui::vec2(0.75 * rect.width(), 0.0);
    let events = &mut window.input_mut().events;
    events.push(egui::Event::PointerMoved(pos));
    for pressed in [true, false] {
        events.push(egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        });
    }
    window.run_steps(2);
    let first = window.state().commands.first();
    assert_eq!(first, Some(&Command::Pause));
    let frame = sought_frame(&window);
    assert!((47..=49).contains(&frame), "{frame}");
}

#[test]
fn beyond_what_is_computed_there_is_nothing_to_go_to() {
    let mut start = in_the_past();
    start.snapshot.timeline.last = 30;
    let mut window = harness(start);
    let rect = window.get_by_label("Timeline").rect();
    window.drag_at(egui::pos2(rect.right() - 3.0, rect.center().y));
    window.run_steps(2);
    assert_eq!(window.state().commands.last(), Some(&Command::Seek(30)));
}

#[test]
fn without_a_past_there_is_nowhere_to_go() {
    let mut window = harness(fixture());
    window.get_by_label("Back").click();
    click(&mut window, "Start");
    assert!(window.state().commands.is_empty());
    window.get_by_label("paused");
}

#[test]
fn a_small_window_has_all_of_the_bar() {
    let window = harness_of(in_the_past(), [1280.0, 720.0]);
    let mut right = 0.0;
    for name in [
        "Start",
        "Back",
        "Play",
        "Step",
        "Loop",
        "Reset",
        "Timeline",
        "0.2 to 1.0 s",
    ] {
        let rect = window.get_by_label(name).rect();
        let is_apart = rect.left() >= right && rect.right() <= 1280.0;
        assert!(is_apart, "{name}: {rect:?}");
        right = rect.right();
    }
    let narrow = harness_of(in_the_past(), [700.0, 500.0]);
    let rect = narrow.get_by_label("Timeline").rect();
    assert!(rect.width() > 50.0 && rect.right() <= 700.0, "{rect:?}");
}

#[test]
fn a_key_that_does_nothing_now_says_why_for_some_seconds() {
    let mut window = harness(fixture());
    press_with(&mut window, egui::Modifiers::SHIFT, egui::Key::V);
    let line =
        "The marked part as an animation: mark a part of the timeline first: [ begins, ] ends it";
    window.get_by_label(line);
    window.run_steps(20);
    assert!(window.query_by_label(line).is_none());
    // nothing to close is no mistake
    press(&mut window, egui::Key::Escape);
    assert!(
        window
            .query_by_label_contains("nothing is picked")
            .is_none()
    );
}
