//! Commands of the mesh report.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, always_allowed};
use crate::panels::context::Context;
use crate::panels::mesh_report::step;

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[
    WindowCommand {
        name: "Mesh report",
        about: "the problems of the mesh file, and their repairs",
        keys: &[Shortcut::of(Key::B)],
        refused: always_allowed,
        run: |_, cx| cx.state.mesh_report.toggle(),
    },
    WindowCommand {
        name: "The next place of the mesh report",
        about: "marks it in all panes",
        keys: &[Shortcut::of(Key::N)],
        refused: without_places,
        run: |_, cx| step(false, cx),
    },
    WindowCommand {
        name: "The previous place of the mesh report",
        about: "marks it in all panes",
        keys: &[Shortcut::shift(Key::N)],
        refused: without_places,
        run: |_, cx| step(true, cx),
    },
];

fn without_places(cx: &Context<'_>) -> Option<&'static str> {
    let next = cx.state.mesh_report.neighbour(cx.snapshot, false);
    next.is_none()
        .then_some("no problem with a place was found in the mesh file")
}
