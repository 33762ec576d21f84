//! Commands of the vertex that is picked on the skin, and the one that takes all marks away.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, without_scene};

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[
    WindowCommand::new(
        "Pick the vertex under the pointer",
        "its number, place, displacement and force in every pane; also a click on the skin",
    )
    .key(Shortcut::of(Key::I))
    .unless(without_scene)
    .runs(|_, cx| cx.state.picked.is_requested = true),
    WindowCommand::new(
        "Pick nothing and mark nothing",
        "removes the marker of the picked vertex and the mark of the mesh report",
    )
    .key(Shortcut::of(Key::Escape))
    .unless(|cx| {
        let is_marked = cx.state.mesh_report.mark(cx.snapshot).is_some();
        let is_picked = cx.state.picked.vertex.is_some();
        (!is_marked && !is_picked).then_some("nothing is picked or marked")
    })
    .runs(|_, cx| {
        cx.state.picked.vertex = None;
        cx.state.mesh_report.clear();
        cx.state.flight = None;
    }),
];
