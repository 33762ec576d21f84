//! Commands of the vertex that is picked on the skin.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::WindowCommand;

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[
    WindowCommand {
        name: "Pick the vertex under the pointer",
        about: "its number, place, displacement and force in every pane; also a click on the skin",
        keys: &[Shortcut::of(Key::I)],
        refused: |cx| (cx.snapshot.setup.is_none()).then_some("no scene is open"),
        run: |_, cx| cx.state.picked.is_wanted = true,
    },
    WindowCommand {
        name: "Pick nothing",
        about: "takes the marker away; also a click beside the body",
        keys: &[Shortcut::of(Key::Escape)],
        refused: |cx| (cx.state.picked.vertex.is_none()).then_some("no vertex is picked"),
        run: |_, cx| cx.state.picked.vertex = None,
    },
];
