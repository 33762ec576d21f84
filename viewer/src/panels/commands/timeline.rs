//! Commands of time: playing, stepping, going back; and changes that are taken back.

use egui::Key;
use pliant_simulation::command::Command;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, needs_scene};
use crate::panels::context::Context;

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[
    WindowCommand {
        name: "Play or pause",
        about: "",
        keys: &[Shortcut::of(Key::Space)],
        refused: needs_scene,
        run: |_, cx| {
            cx.commands.push(if cx.snapshot.playing {
                Command::Pause
            } else {
                Command::Play
            });
        },
    },
    WindowCommand {
        name: "One frame forward",
        about: "step",
        keys: &[Shortcut::of(Key::ArrowRight), Shortcut::of(Key::Period)],
        refused: needs_scene,
        run: |_, cx| cx.commands.push(Command::Step),
    },
    WindowCommand {
        name: "One frame back",
        about: "step",
        keys: &[Shortcut::of(Key::ArrowLeft), Shortcut::of(Key::Comma)],
        refused: needs_scene,
        run: |_, cx| cx.commands.push(Command::StepBack),
    },
    WindowCommand {
        name: "To the oldest frame that is kept",
        about: "start of the timeline",
        keys: &[Shortcut::of(Key::Home)],
        refused: needs_scene,
        run: |_, cx| {
            cx.commands.push(Command::Seek(cx.snapshot.timeline.first));
        },
    },
    WindowCommand {
        name: "Loop",
        about: "plays the kept frames in a loop, or ends the loop",
        keys: &[Shortcut::of(Key::L)],
        refused: needs_scene,
        run: |_, cx| {
            cx.commands.push(Command::Loop(!cx.snapshot.timeline.loops));
        },
    },
    WindowCommand {
        name: "Reset",
        about: "back to rest",
        keys: &[Shortcut::of(Key::R)],
        refused: needs_scene,
        run: |_, cx| cx.commands.push(Command::Reset),
    },
    UNDO,
    REDO,
];

/// Undoes a change.
pub const UNDO: WindowCommand = WindowCommand {
    name: "Undo",
    about: "undoes the last change of a parameter or of the material",
    keys: &[Shortcut::command(Key::Z)],
    refused: |cx| (!available(cx).0).then_some("there is no change to undo"),
    run: |_, cx| {
        let setup = cx.snapshot.setup.as_deref();
        cx.commands.extend(cx.state.edits.undo(setup));
    },
};

/// Redoes a change.
pub const REDO: WindowCommand = WindowCommand {
    name: "Redo",
    about: "redoes the change",
    keys: &[Shortcut::command_shift(Key::Z), Shortcut::command(Key::Y)],
    refused: |cx| (!available(cx).1).then_some("there is no change to redo"),
    run: |_, cx| {
        let setup = cx.snapshot.setup.as_deref();
        cx.commands.extend(cx.state.edits.redo(setup));
    },
};

/// Whether there is a change to undo, and one to redo.
fn available(cx: &Context<'_>) -> (bool, bool) {
    cx.state.edits.available(cx.snapshot.setup.as_deref())
}
