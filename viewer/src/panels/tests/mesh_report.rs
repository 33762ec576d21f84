//! The report on the mesh: places are marked, seen from their side, and left again.

use std::sync::Arc;

use egui::Key;
use pliant_core::inspect::ElementShapes;
use pliant_core::scene::Method;
use pliant_simulation::setup::{MeshFindings, MeshProblem, PlacePoint, PlaceShape, SkinPlace};

use super::*;
use crate::state::{Marked, SceneSimilarity};

/// A window on a box whose file had a hole in front, one at the back, and vertices that were joined.
pub(super) fn perforated() -> Fixture {
    let mut start = fixture();
    let setup = setup_mut(&mut start.snapshot);
    let skin = Arc::clone(setup.skin());
    let point = |rest: Vec3| PlacePoint {
        rest,
        skin: skin.nearest_point(&rest).expect("a skin"),
    };
    let edge = |from: Vec3| SkinPlace {
        shape: PlaceShape::Edges,
        points: vec![point(from), point(from + Vec3::x() * 0.02)],
    };
    let closed = RepairStep {
        code: "ClosedHole",
        count: 1,
        message: "a hole of 3 edges was closed".into(),
    };
    let open = MeshProblem {
        code: "BoundaryEdges",
        severity: "warning",
        count: 6,
        message: "6 edges with one triangle only".into(),
        hint: "close the holes in a modeller",
        repairs: vec![closed.clone()],
        places: vec![edge(Vec3::z() * 0.1), edge(Vec3::z() * -0.1)],
        further_places: 3,
    };
    let joined = MeshProblem {
        code: "DuplicateVertices",
        severity: "note",
        count: 2,
        message: "2 vertices at the same place as another".into(),
        repairs: Vec::new(),
        places: Vec::new(),
        further_places: 0,
        ..open.clone()
    };
    setup.repairs = vec![closed];
    setup.findings = Arc::new([MeshFindings {
        body: "body".into(),
        problems: vec![open, joined],
        other_repairs: Vec::new(),
    }]);
    start
}

fn marked(window: &Harness<'static, Fixture>) -> Option<Marked> {
    let fixture = window.state();
    let mark = fixture.state.mesh_report.mark(&fixture.snapshot);
    mark.map(|mark| mark.what)
}

fn place(place: usize) -> Option<Marked> {
    let problem = (0, 0);
    Some(Marked::Place { problem, place })
}

#[test]
fn the_camera_flies_from_place_to_place_and_escape_clears_the_mark() {
    let mut window = harness(perforated());
    press(&mut window, Key::B);
    window.get_by_label("Vertices at one position: 2");
    window.get_by_label("Done: a hole of 3 edges was closed");
    window.get_by_label("and 3 more places, which are not shown");
    click_for(&mut window, "Open edges: 6", 8);
    assert_eq!(marked(&window), place(0));
    window.get_by_label("1 of 2");
    let camera = window.state().state.camera;
    assert!((camera.target - Vec3::new(0.01, 0.0, 0.1)).norm() < 1e-6);
    assert!(camera.axes()[2].z > 0.5, "from the front");
    click_for(&mut window, "Next", 8);
    window.get_by_label("2 of 2");
    let camera = window.state().state.camera;
    assert!((camera.target - Vec3::new(0.01, 0.0, -0.1)).norm() < 1e-6);
    assert!(camera.axes()[2].z < -0.9, "from behind");
    // around, and back by the keyboard
    window.key_press(Key::N);
    window.run_steps(8);
    assert_eq!(marked(&window), place(0));
    window.key_press_modifiers(egui::Modifiers::SHIFT, Key::N);
    window.run_steps(8);
    assert_eq!(marked(&window), place(1));
    press(&mut window, Key::Escape);
    assert_eq!(marked(&window), None);
    assert!(window.query_by_label("2 of 2").is_none());
    assert!(window.state().state.mesh_report.open, "the report stays");
    click(&mut window, "Close");
    assert!(window.query_by_label("Open edges: 6").is_none());
}

#[test]
fn a_report_that_is_closed_leaves_no_mark_in_the_panes() {
    let mut window = harness(perforated());
    for by_key in [true, false] {
        press(&mut window, Key::B);
        click_for(&mut window, "Open edges: 6", 8);
        assert_eq!(marked(&window), place(0));
        match by_key {
            true => press(&mut window, Key::B),
            false => click(&mut window, "Close"),
        }
        assert!(!window.state().state.mesh_report.open);
        assert_eq!(marked(&window), None);
    }
}

#[test]
fn the_next_place_can_be_asked_for_while_the_report_is_closed() {
    let mut window = harness(perforated());
    window.key_press(Key::N);
    window.run_steps(8);
    assert_eq!(marked(&window), place(0));
    window.get_by_label("1 of 2");
    // another scene has no such place
    let fixture = window.state_mut();
    let setup = fixture.snapshot.setup.as_deref().expect("a scene");
    fixture.state.begin_scene(setup, SceneSimilarity::SameSkin);
    window.run_steps(3);
    assert_eq!(marked(&window), None);
}

#[test]
fn the_warning_about_a_changed_mesh_leads_to_the_report() {
    let mut window = harness(perforated());
    window.get_by_label("The mesh was changed: 1 hole closed");
    click(&mut window, "Show in the mesh");
    window.get_by_label("Open edges: 6");
}

#[test]
fn what_was_left_as_it_is_is_not_called_done() {
    let mut start = perforated();
    let step = |code, message: &str| RepairStep {
        code,
        count: 8,
        message: message.into(),
    };
    let (kept, welded) = ("8 pairs of triangles cross", "8 vertices joined");
    for (code, message, title, line) in [
        (
            "KeptCrossings",
            kept,
            "Also found",
            "Kept: 8 pairs of triangles cross",
        ),
        ("Welded", welded, "Also done", "Done: 8 vertices joined"),
    ] {
        setup_mut(&mut start.snapshot).findings = Arc::new([MeshFindings {
            body: "body".into(),
            problems: Vec::new(),
            other_repairs: vec![step(code, message)],
        }]);
        let snapshot = start.snapshot.clone();
        let mut window = harness(Fixture {
            snapshot,
            ..fixture()
        });
        press(&mut window, Key::B);
        for text in ["No problem was found.", title, line] {
            window.get_by_label(text);
        }
    }
}

#[test]
fn a_generated_body_says_that_there_is_no_file() {
    let mut window = harness(fixture());
    press(&mut window, Key::N);
    assert!(!window.state().state.mesh_report.open, "there is no place");
    press(&mut window, Key::B);
    window.get_by_label("The body is generated: there is no mesh file to report on.");
}

#[test]
fn the_worst_tetrahedron_of_a_method_is_shown_with_its_angle() {
    let mut start = fixture();
    start.snapshot.panes[0].element_shapes = Some(ElementShapes {
        count: 4321,
        dihedral_range: (12.5, 144.0),
        worst: [
            Vec3::zeros(),
            Vec3::x() * 0.05,
            Vec3::y() * 0.05,
            Vec3::z() * 0.05,
        ],
    });
    let mut window = harness(start);
    press(&mut window, Key::B);
    window.get_by_label("4,321 on the finest level, with dihedral angles of 12.5° to 144°");
    click_for(&mut window, "Show the smallest angle", 8);
    let worst = Marked::WorstElement(Method::Adaptive);
    assert_eq!(marked(&window), Some(worst));
    let target = window.state().state.camera.target;
    assert!((target - Vec3::repeat(0.025)).norm() < 1e-6, "{target}");
    // finer levels take the place of coarse ones and have another one
    let shapes = &mut window.state_mut().snapshot.panes[0].element_shapes;
    if let Some(shapes) = shapes {
        shapes.worst[3] *= 0.5;
    }
    assert_eq!(marked(&window), None);
}
