//! Parameters, figures and the material of all methods.

use egui::accesskit::Role;
use pliant_core::inspect::{ParameterEffect, ParameterError, ParameterInfo, ParameterValue};
use pliant_core::scene::Method;
use pliant_simulation::snapshot::RefusedValue;

use super::*;

fn set(name: &str, value: ParameterValue) -> Command {
    Command::SetParameter {
        method: Method::Adaptive,
        name: name.into(),
        value,
    }
}

#[test]
fn parameters_stand_in_groups_and_internals_are_folded_away() {
    let mut start = with_details();
    crate::testing::add_explained_vertex(&mut start.snapshot, -1.0);
    let pane = &mut start.snapshot.panes[0];
    pane.stats.counters = vec![("blended", 0.0), ("step_levels", 4.0)];
    let mut window = harness(start);
    window.get_by_label("Damping ratio");
    window.get_by_label("Step sizes in use");
    assert!(window.query_by_label("• levels: 3 of 4").is_none());
    click_for(&mut window, "Notes (1)", 10);
    window.get_by_label("• levels: 3 of 4");
    assert!(window.query_by_label("Blended").is_none());
    assert!(window.query_by_label_contains("xplained").is_none());
    click_for(&mut window, "Internals", 10);
    window.get_by_label("Blended");
    window.get_by_label("Explained skin vertex");
    assert!(window.query_by_label("-1").is_none());
    window.get_by_role(egui::accesskit::Role::CheckBox).click();
    window.run_steps(3);
    let expected = set("recover", ParameterValue::Flag(true));
    assert_eq!(window.state().commands.last(), Some(&expected));
}

#[test]
fn a_menu_of_two_lines_does_not_cover_the_next_row() {
    let mut start = with_details();
    let law = ParameterInfo {
        name: "law",
        unit: "",
        help: "law of the material",
        min: 0.0,
        max: 0.0,
        effect: ParameterEffect::Immediate,
    };
    let word = ParameterValue::Choice("stable_neo_hookean".into());
    start.snapshot.panes[0].parameters.insert(0, (law, word));
    let window = harness(start);
    let menu = window.get_by_role_and_label(Role::ComboBox, "Material law");
    let next = window.get_by_role_and_label(Role::SpinButton, "Damping ratio");
    let (menu, next) = (menu.rect(), next.rect());
    assert!(menu.height() > 28.0, "two lines: {menu:?}");
    assert!(next.top() >= menu.bottom(), "{menu:?} {next:?}");
}

#[test]
fn a_parameter_goes_back_to_its_default_and_changes_are_undone() {
    let mut window = harness(with_details());
    assert!(window.query_by_label("Default").is_none());
    window.state_mut().snapshot.panes[0].parameters[0].1 = ParameterValue::Number(0.7);
    window.run_steps(3);
    click(&mut window, "Default");
    let number = |x| set("damping_ratio", ParameterValue::Number(x));
    assert_eq!(window.state().commands.last(), Some(&number(0.1)));
    press_with(&mut window, egui::Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(window.state().commands.last(), Some(&number(0.7)));
    let again = egui::Modifiers::COMMAND | egui::Modifiers::SHIFT;
    press_with(&mut window, again, egui::Key::Z);
    assert_eq!(window.state().commands.last(), Some(&number(0.1)));
    let count = window.state().commands.len();
    click(&mut window, "Undo");
    assert_eq!(window.state().commands.last(), Some(&number(0.7)));
    assert_eq!(window.state().commands.len(), count + 1);
}

#[test]
fn a_refused_value_is_shown_beside_its_parameter() {
    let mut start = with_details();
    let refused = RefusedValue {
        name: "damping_ratio".into(),
        value: ParameterValue::Number(7.5),
        error: ParameterError::OutOfRange {
            name: "damping_ratio".into(),
            min: 0.0,
            max: 2.0,
        },
    };
    start.snapshot.panes[0].refused = vec![refused];
    let mut window = harness(start);
    let text = "7.500 is refused; allowed: 0 to 2. In use: 0.100";
    let line = window.get_by_label(text).rect();
    let name = window.get_by_label("Damping ratio").rect();
    assert!(line.top() >= name.bottom() && line.top() - name.bottom() < 12.0);
    window.state_mut().snapshot.panes[0].refused.clear();
    window.run_steps(3);
    assert!(window.query_by_label(text).is_none());
}

#[test]
fn what_is_typed_beyond_the_range_reaches_the_model() {
    let mut window = harness(with_details());
    type_number(&mut window, "Damping ratio", "7.5");
    let commands = &window.state().commands;
    assert!(commands.is_empty(), "it is still being typed");
    press(&mut window, egui::Key::Enter);
    let expected = set("damping_ratio", ParameterValue::Number(7.5));
    assert_eq!(window.state().commands, [expected]);
    assert_eq!(window.state().state.edits.available(None), (true, false));
}

#[test]
fn the_threshold_of_columns_has_a_slider_beside_size_and_error() {
    let mut start = with_details();
    let threshold = ParameterInfo {
        name: "threshold",
        unit: "",
        help: "drops details",
        min: 0.01,
        max: 1.0,
        effect: ParameterEffect::Immediate,
    };
    let pane = &mut start.snapshot.panes[0];
    pane.parameters
        .push((threshold, ParameterValue::Number(0.05)));
    pane.stats.counters = vec![
        ("column_bytes", 7.84e6),
        ("column_compression", 21.7),
        ("column_error", 0.03),
    ];
    let mut window = harness(start);
    for text in ["7.84 MB", "21.7", "3.00 %"] {
        window.get_by_label(text);
    }
    let role = egui::accesskit::Role::Slider;
    let slider = window.get_by_role_and_label(role, "Threshold of columns");
    slider.focus();
    window.run_steps(2);
    press(&mut window, egui::Key::ArrowRight);
    match window.state().commands.last() {
        Some(Command::SetParameter {
            name,
            value: ParameterValue::Number(x),
            ..
        }) => assert!(name == "threshold" && *x > 0.05 && *x < 1.0, "{name} {x}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn notes_begin_with_their_sentence() {
    let mut start = with_details();
    let note = "LevelTopologyMismatch: level 1 has 1 part";
    start.snapshot.panes[0].stats.notes = vec![note.into()];
    let mut window = harness(start);
    click_for(&mut window, "Notes (1)", 10);
    let line = window.get_by_label("• holes or parts differ: level 1 has 1 part");
    line.hover();
    window.run_steps(30);
    let hint = window.query_by_label_contains("LevelTopologyMismatch");
    assert!(hint.is_some(), "the code stands behind it");
}

#[test]
fn the_material_is_changed_for_all_methods_at_once() {
    let mut window = harness(with_details());
    click(&mut window, "Apply to all");
    assert!(window.state().commands.is_empty(), "nothing has changed");
    let setup = window.state().snapshot.setup.clone().expect("a scene");
    let mut material = setup.description.body.material;
    material.elastic.young *= 2.0;
    window.state_mut().state.material = Some(material);
    window.run_steps(3);
    click(&mut window, "Apply to all");
    let expected = Command::SetMaterial(material);
    assert_eq!(window.state().commands.last(), Some(&expected));
    click(&mut window, "As in the run");
    assert_eq!(window.state().state.material, None);
    // once it is prepared it can be taken back
    let original = setup.description.body.material;
    let mut prepared = pliant_simulation::setup::Setup::clone(&setup);
    prepared.description.body.material = material;
    window.state_mut().snapshot.setup = Some(prepared.into());
    window.run_steps(3);
    window.get_by_label("As in the scene");
    click(&mut window, "Undo");
    let expected = Command::SetMaterial(original);
    assert_eq!(window.state().commands.last(), Some(&expected));
}

#[test]
fn values_that_do_not_exist_yet_are_a_dash() {
    let mut start = with_details();
    start.snapshot.panes[0].cost_ms = 0.0;
    start.snapshot.panes[0].tool_forces.clear();
    let window = harness(start);
    assert!(window.query_by_label("0 ms").is_none() && window.query_by_label("0 N").is_none());
    assert!(window.query_all_by_label("—").count() >= 3);
    window.get_by_label("— ms a frame  ·  1,204 nodes");
}

#[test]
fn points_inside_are_shown_and_can_be_plotted() {
    let mut window = harness(with_details());
    window.get_by_label("tendon");
    window.get_by_label("2.00 mm");
    window.get_by_label("3.00 kPa");
    assert!(window.query_by_label("von Mises stress in Pa").is_none());
    click(&mut window, "tendon: stress");
    assert_eq!(window.state().state.plotted, Plotted::PointStress(0));
    window.get_by_label("von Mises stress in Pa");
    // another scene has no such point
    window.state_mut().snapshot.panes[0].points.clear();
    window.run_steps(3);
    window.get_by_label("on the finger in N");
}

#[test]
fn metrics_are_shown_for_methods_that_have_them() {
    let mut start = super::curves::with_metrics();
    start.state.details = true;
    let window = harness(start);
    for text in [
        "Kinetic energy",
        "2.50 mJ",
        "Tool work",
        "20.0 µm",
        "−1.25 %",
    ] {
        window.get_by_label(text);
    }
    assert_eq!(window.query_all_by_label("Deepest violation").count(), 2);
    window.get_by_label("Distance to Quasistatic");
    let distance = "1.50\u{a0}mm, at most 4.00\u{a0}mm";
    assert_eq!(window.query_all_by_label(distance).count(), 2);
}
