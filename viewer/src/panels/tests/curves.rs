//! Values under the pointer, spans, and the past by a click.

use std::sync::Arc;

use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::model::EnergyAccount;
use pliant_simulation::reference::SurfaceDistance;
use pliant_simulation::world::{FrameMetrics, METRICS};

use super::*;

/// A window after two seconds.
pub(super) fn after_two_seconds() -> Fixture {
    let mut start = fixture();
    for frame in 1..=120 {
        let history = &mut start.state.history;
        history.record_frame(&mut start.snapshot, frame);
    }
    start
}

#[test]
fn values_under_the_pointer_are_shown_and_a_click_goes_there() {
    let mut window = harness(after_two_seconds());
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
    let frame = sought_frame(&window);
    assert!((50..=70).contains(&frame), "{frame}");
}

#[test]
fn a_scene_without_tools_says_that_there_is_nothing_to_plot() {
    let mut start = fixture();
    setup_mut(&mut start.snapshot).tools.clear();
    start.snapshot.panes[0].points.clear();
    let mut window = harness(start);
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
    click(&mut window, "30 s");
    assert_eq!(window.state().state.span, 1);
}

#[test]
fn where_curves_were_saved_is_shown_until_it_is_dismissed() {
    let mut start = after_two_seconds();
    start.state.saved = Some(Err("/x/poke-curves.csv: no room".into()));
    let mut window = harness(start);
    window.get_by_label("Save CSV");
    window.get_by_label("not saved: /x/poke-curves.csv: no room");
    click(&mut window, "Dismiss");
    assert!(window.state().state.saved.is_none());
}

/// Two panes that run: the first one has an energy, and they are 1.5 mm apart.
pub(super) fn with_metrics() -> Fixture {
    let mut start = fixture();
    let panes = &mut start.snapshot.panes;
    panes[1].state = PaneState::Ready;
    panes[0].metrics = FrameMetrics {
        energy: Some(EnergyAccount {
            kinetic: 2.5e-3,
            work: 3e-3,
            ..EnergyAccount::default()
        }),
        violation: Some(2e-5),
        pull: Some(0.0),
        volume_change: Some(-0.0125),
        carrier_force: None,
    };
    panes[1].metrics = FrameMetrics {
        violation: Some(0.0),
        ..FrameMetrics::default()
    };
    let far = SurfaceDistance {
        rms: 1.5e-3,
        max: 4e-3,
    };
    panes[0].distances = [None, Some(far), None];
    panes[1].distances = [Some(far), None, None];
    start
}

fn metric(name: &str) -> Plotted {
    let known = METRICS.iter().find(|m| m.name == name);
    Plotted::Metric(known.expect("a metric"))
}

#[test]
fn metrics_are_chosen_in_a_menu_and_a_method_without_one_says_so() {
    let mut window = harness(with_metrics());
    click(&mut window, "Metrics");
    window.get_by_label("Change of volume");
    click_for(&mut window, "Kinetic energy", 10);
    assert_eq!(window.state().state.plotted, metric("energy_kinetic"));
    window.get_by_label("in mJ");
    window.get_by_label("Quasistatic: no energy");
    // the menu has its name now
    click_for(&mut window, "Kinetic energy", 10);
    // nobody runs whose distance that would be
    assert!(window.query_by_label("Distance to Lattice").is_none());
    click(&mut window, "Distance to Adaptive");
    assert_eq!(window.state().state.plotted, Plotted::Distance(0));
    window.get_by_label("rms in mm");
    assert!(window.query_by_label("Quasistatic: no energy").is_none());
    click(&mut window, "Force");
    assert_eq!(window.state().state.plotted, Plotted::Force);
}

#[test]
fn there_is_no_menu_without_a_metric_and_a_scene_without_tools_shows_one() {
    let window = harness(fixture());
    assert!(window.query_by_label("Metrics").is_none());
    let mut start = with_metrics();
    setup_mut(&mut start.snapshot).tools.clear();
    start.snapshot.panes[0].points.clear();
    let window = harness(start);
    window.get_by_label("Kinetic energy");
    window.get_by_label("in mJ");
}

#[test]
fn large_skins_are_measured_while_the_result_is_visible() {
    let mut start = with_metrics();
    for pane in &mut start.snapshot.panes {
        pane.metrics.volume_change = None;
        pane.distances = Default::default();
    }
    // 5,408 vertices
    let plate = box_surface(Vec3::new(0.2, 0.2, 0.01), [51, 51, 1], CellStyle::Kuhn);
    setup_mut(&mut start.snapshot).scene_skin = Arc::new(plate);
    let mut window = harness(start);
    assert!(window.state().commands.is_empty());
    click(&mut window, "Metrics");
    click_for(&mut window, "Change of volume", 5);
    assert_eq!(window.state().state.plotted, metric("volume_change"));
    let commands = &window.state().commands;
    assert_eq!(commands[..], [Command::MeasureSkins(true)], "once");
    click_for(&mut window, "Force", 5);
    let last = window.state().commands.last();
    assert_eq!(last, Some(&Command::MeasureSkins(false)));
}
