//! The command that opens the palette, which explains all others.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, always_allowed};

/// The command.
pub(super) const COMMANDS: &[WindowCommand] = &[WindowCommand {
    name: "Commands and keys",
    about: "this list",
    keys: &[
        Shortcut::command(Key::K).anywhere(),
        Shortcut::command_shift(Key::P).anywhere(),
        Shortcut::of(Key::F1).anywhere(),
    ],
    refused: always_allowed,
    run: |_, cx| cx.state.palette.toggle(),
}];
