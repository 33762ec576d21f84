//! Values under the pointer, spans, and the past by a click.

use super::*;

/// A window after two seconds.
fn after_two_seconds() -> Desk {
    let mut start = desk();
    let source = ForceSource::of(&start.snapshot, false);
    for frame in 1..=120_u32 {
        let snapshot = &mut start.snapshot;
        snapshot.time = f64::from(frame) / 60.0;
        snapshot.frames += 1;
        for end in [
            &mut snapshot.timeline.now,
            &mut snapshot.timeline.last,
            &mut snapshot.timeline.end,
        ] {
            *end = frame.into();
        }
        crate::testing::keep_frame(snapshot);
        start.state.history.record(snapshot, &source);
    }
    start
}

#[test]
fn values_under_the_pointer_are_told_and_a_click_goes_there() {
    let mut window = harness(after_two_seconds());
    window.run_steps(3);
    assert!(window.query_by_label("Adaptive  5.000 N").is_none());
    // one second of ten, in the plot above the bar
    let bar = window.get_by_label("Timeline").rect();
    let place = egui::pos2(70.0 + 0.1 * 1400.0, bar.top() - 90.0);
    window.hover_at(place);
    window.run_steps(3);
    window.get_by_label("Adaptive  5.000 N");
    window.drag_at(place);
    window.run_steps(2);
    window.drop_at(place);
    window.run_steps(3);
    let commands = &window.state().commands;
    let Some(Command::Seek(frame)) = commands.last() else {
        panic!("{commands:?}");
    };
    assert!((50..=70).contains(frame), "{frame}");
}

#[test]
fn a_scene_without_tools_says_that_there_is_nothing_to_plot() {
    let mut start = desk();
    let mut setup = start.snapshot.setup.as_deref().expect("a scene").clone();
    setup.tools.clear();
    start.snapshot.setup = Some(std::sync::Arc::new(setup));
    start.snapshot.panes[0].points.clear();
    let mut window = harness(start);
    window.run_steps(3);
    window.get_by_label("No tool, grab or probe: nothing to plot");
    assert!(window.query_by_label_contains("no tool in").is_none());
    // another scene has a force again, and the panel still has its height
    let bar = window.get_by_label("Timeline").rect();
    let legend = window.get_by_label("No tool, grab or probe: nothing to plot");
    assert!(bar.top() - legend.rect().bottom() > 80.0);
    window.state_mut().snapshot = crate::testing::snapshot();
    window.run_steps(3);
    window.get_by_label("on the finger in N");
}

#[test]
fn more_of_the_past_can_be_shown() {
    let mut window = harness(after_two_seconds());
    window.run_steps(3);
    window.get_by_label("30 s").click();
    window.run_steps(3);
    assert_eq!(window.state().state.span, 30.0);
}

#[test]
fn where_curves_were_saved_is_told_until_it_is_dismissed() {
    let mut start = after_two_seconds();
    start.state.saved = Some(Err("/x/poke-curves.csv: no room".into()));
    let mut window = harness(start);
    window.run_steps(3);
    window.get_by_label("Save CSV");
    window.get_by_label("not saved: /x/poke-curves.csv: no room");
    window.get_by_label("Dismiss").click();
    window.run_steps(3);
    assert!(window.state().state.saved.is_none());
}
