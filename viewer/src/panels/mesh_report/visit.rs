//! Going to the places of the report.

use egui::Ui;
use pliant_core::math::Vec3;
use pliant_simulation::setup::PlacePoint;

use crate::panels::context::Context;
use crate::scene::view_of_place;
use crate::state::{Marked, drawn};

/// Marks something and sends the camera there.
pub fn show_place(what: Marked, cx: &mut Context<'_>) {
    let (snapshot, state) = (cx.snapshot, &mut *cx.state);
    let Some(setup) = &snapshot.setup else {
        return;
    };
    let Some(mark) = state.mesh_report.set(what, snapshot) else {
        return;
    };
    // positions in the first visible pane; those in the other panes are close to them
    let pane = drawn(snapshot, state.maximised, &state.hidden)
        .first()
        .copied();
    let pane = pane.and_then(|k| snapshot.panes.get(k));
    let now = |point: &PlacePoint| match pane {
        Some(pane) => point.now(setup.skin(), &pane.frame),
        None => point.rest,
    };
    let points: Vec<Vec3> = mark.place.points.iter().map(now).collect();
    let normals = mark.place.points.iter();
    let normal: Vec3 = normals.map(|point| point.normal(setup.skin())).sum();
    let (camera, aspect) = (&state.camera, state.aspect);
    let to = view_of_place(camera, &points, &normal, setup.diagonal, aspect);
    state.fly_to(to);
}

/// Goes to the next place of the marked problem, or back; to the first place where none is marked.
pub fn step(back: bool, cx: &mut Context<'_>) {
    if let Some(what) = cx.state.mesh_report.neighbour(cx.snapshot, back) {
        cx.state.mesh_report.open = true;
        show_place(what, cx);
    }
}

/// Advances the flight of the camera to a place.
pub fn fly(ui: &Ui, cx: &mut Context<'_>) {
    let Some(flight) = &mut cx.state.flight else {
        return;
    };
    match flight.advance(&cx.state.camera, ui.input(|i| i.time)) {
        Some(camera) => {
            cx.state.camera = camera;
            ui.ctx().request_repaint();
        }
        None => cx.state.flight = None,
    }
}
