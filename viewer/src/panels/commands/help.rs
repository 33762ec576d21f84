//! The command that opens the palette, which explains all others.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::WindowCommand;

/// The command.
pub(super) const COMMANDS: &[WindowCommand] = &[HELP];

/// Opens or closes the palette.
pub const HELP: WindowCommand =
    WindowCommand::new("Commands and keys", "all commands and their keys")
        .key(Shortcut::command(Key::K).anywhere())
        .key(Shortcut::command_shift(Key::P).anywhere())
        .key(Shortcut::of(Key::F1).anywhere())
        .runs(|_, cx| cx.state.palette.toggle());
