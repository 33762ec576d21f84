//! Commands of the mesh report.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::WindowCommand;
use crate::panels::context::Context;
use crate::panels::mesh_report::step;

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[
    WindowCommand::new(
        "Mesh report",
        "the problems of the mesh file, and their repairs",
    )
    .key(Shortcut::of(Key::B))
    .runs(|_, cx| cx.state.mesh_report.toggle()),
    WindowCommand::new("The next place of the mesh report", "marks it in all panes")
        .key(Shortcut::of(Key::N))
        .unless(without_places)
        .runs(|_, cx| step(false, cx)),
    WindowCommand::new(
        "The previous place of the mesh report",
        "marks it in all panes",
    )
    .key(Shortcut::shift(Key::N))
    .unless(without_places)
    .runs(|_, cx| step(true, cx)),
];

fn without_places(cx: &Context<'_>) -> Option<&'static str> {
    let next = cx.state.mesh_report.neighbour(cx.snapshot, false);
    next.is_none()
        .then_some("no problem with a place was found in the mesh file")
}
