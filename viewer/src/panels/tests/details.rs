//! Parameters, figures and the material of all methods.

use pliant_core::inspect::{ParameterEffect, ParameterInfo, ParameterValue};
use pliant_core::scene::Method;

use super::*;

fn with_details() -> Desk {
    let mut start = desk();
    start.state.details = true;
    start
}

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
    let explained = ParameterInfo {
        name: "explained_vertex",
        unit: "",
        help: "explains",
        min: -1.0,
        max: 9.0,
        effect: ParameterEffect::Immediate,
    };
    let pane = &mut start.snapshot.panes[0];
    pane.parameters
        .push((explained, ParameterValue::Number(-1.0)));
    pane.stats.counters = vec![("blended", 0.0), ("step_levels", 4.0)];
    let mut window = harness(start);
    window.run_steps(3);
    window.get_by_label("Damping ratio");
    window.get_by_label("Different steps");
    assert!(window.query_by_label("• levels: 3 of 4").is_none());
    window.get_by_label("Notes (1)").click();
    window.run_steps(10);
    window.get_by_label("• levels: 3 of 4");
    assert!(window.query_by_label("Blended").is_none());
    assert!(window.query_by_label_contains("xplained").is_none());
    window.get_by_label("Internals").click();
    window.run_steps(10);
    window.get_by_label("Blended");
    window.get_by_label("Explained skin vertex");
    assert!(window.query_by_label("-1").is_none());
    window.get_by_role(egui::accesskit::Role::CheckBox).click();
    window.run_steps(3);
    let wanted = set("recover", ParameterValue::Flag(true));
    assert_eq!(window.state().commands.last(), Some(&wanted));
}

#[test]
fn a_parameter_goes_back_to_its_default_and_changes_are_undone() {
    let mut window = harness(with_details());
    window.run_steps(3);
    assert!(window.query_by_label("Default").is_none());
    window.state_mut().snapshot.panes[0].parameters[0].1 = ParameterValue::Number(0.7);
    window.run_steps(3);
    window.get_by_label("Default").click();
    window.run_steps(3);
    let number = |x| set("damping_ratio", ParameterValue::Number(x));
    assert_eq!(window.state().commands.last(), Some(&number(0.1)));
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    window.run_steps(3);
    assert_eq!(window.state().commands.last(), Some(&number(0.7)));
    let again = egui::Modifiers::COMMAND | egui::Modifiers::SHIFT;
    window.key_press_modifiers(again, egui::Key::Z);
    window.run_steps(3);
    assert_eq!(window.state().commands.last(), Some(&number(0.1)));
    let count = window.state().commands.len();
    window.get_by_label("Undo").click();
    window.run_steps(3);
    assert_eq!(window.state().commands.last(), Some(&number(0.7)));
    assert_eq!(window.state().commands.len(), count + 1);
}

#[test]
fn the_material_is_changed_for_all_methods_at_once() {
    let mut window = harness(with_details());
    window.run_steps(3);
    window.get_by_label("Apply to all").click();
    window.run_steps(3);
    assert!(window.state().commands.is_empty(), "nothing has changed");
    let setup = window.state().snapshot.setup.clone().expect("a scene");
    let mut material = setup.description.body.material;
    material.elastic.young *= 2.0;
    window.state_mut().state.material = Some((1, material));
    window.run_steps(3);
    window.get_by_label("Apply to all").click();
    window.run_steps(3);
    let wanted = Command::SetMaterial(material);
    assert_eq!(window.state().commands.last(), Some(&wanted));
    window.get_by_label("As in the run").click();
    window.run_steps(3);
    assert_eq!(window.state().state.material, None);
}

#[test]
fn points_inside_are_told_and_can_be_plotted() {
    let mut window = harness(with_details());
    window.run_steps(3);
    window.get_by_label("tendon");
    window.get_by_label("2.00 mm");
    window.get_by_label("3.00 kPa");
    assert!(window.query_by_label("von Mises stress in Pa").is_none());
    window.get_by_label("tendon: stress").click();
    window.run_steps(3);
    assert_eq!(window.state().state.plotted, Plotted::PointStress(0));
    window.get_by_label("von Mises stress in Pa");
    // another scene has no such point
    window.state_mut().snapshot.panes[0].points.clear();
    window.run_steps(3);
    window.get_by_label("on the finger in N");
}
