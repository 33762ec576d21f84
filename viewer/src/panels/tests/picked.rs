//! The vertex that is picked on the skin.

use egui::Key;
use pliant_core::boundary::NodalLoad;

use super::*;

#[test]
fn details_show_the_picked_vertex_of_all_panes_until_it_is_cleared() {
    let mut start = with_details();
    start.snapshot.panes[0].frame.positions[5][1] += 0.5;
    start.snapshot.panes[0].vertex_forces = vec![NodalLoad {
        vertex: 5,
        force: Vec3::y() * 4.0,
    }];
    crate::testing::add_explained_vertex(&mut start.snapshot, 5.0);
    let why = "node 3 moves on level 1: contact is near";
    start.snapshot.panes[0].stats.explanation = Some(why.into());
    let mut window = harness(start);
    assert!(window.query_by_label("Picked on the skin").is_none());
    window.state_mut().state.picked.vertex = Some(5);
    window.run_steps(3);
    window.get_by_label_contains("vertex 5, rest (");
    window.get_by_label("moved 500\u{a0}mm (0, 500, 0)\u{a0}mm");
    window.get_by_label_contains("force 4.00 N");
    window.get_by_label(why);
    let asked = window.state().commands.last();
    assert!(
        matches!(asked, Some(Command::SetParameter { name, .. }) if name == "explained_vertex")
    );
    // the other two are the same vertex where it rests
    assert_eq!(window.query_all_by_label("at rest").count(), 2);
    click(&mut window, "Clear");
    assert_eq!(window.state().state.picked.vertex, None);
    assert!(window.query_by_label("Picked on the skin").is_none());
}

#[test]
fn escape_clears_the_picked_vertex_and_i_requests_the_vertex_under_the_pointer() {
    let mut window = harness(fixture());
    window.state_mut().state.picked.vertex = Some(5);
    // the first escape closes the palette
    press(&mut window, Key::F1);
    for left in [Some(5), None] {
        press(&mut window, Key::Escape);
        let state = &window.state().state;
        assert_eq!((state.picked.vertex, state.palette.open), (left, false));
    }
    press(&mut window, Key::I);
    assert!(window.state().state.picked.is_requested);
}
