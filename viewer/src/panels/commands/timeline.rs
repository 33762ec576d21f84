//! Commands of time: playing, stepping, going back; and changes that are taken back.

use egui::Key;
use pliant_simulation::command::Command;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, without_scene};
use crate::panels::context::Context;

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[PLAY, STEP, BACK, START, LOOP, RESET, UNDO, REDO];

/// Plays or pauses.
pub const PLAY: WindowCommand = WindowCommand::new(
    "Play or pause",
    "after going back it repeats the recorded input, until you touch the body again",
)
.key(Shortcut::of(Key::Space))
.unless(without_scene)
.runs(|_, cx| {
    cx.commands.push(if cx.snapshot.playing {
        Command::Pause
    } else {
        Command::Play
    });
});

/// Goes one frame forward.
pub const STEP: WindowCommand = WindowCommand::new("One frame forward", "a step of time")
    .key(Shortcut::of(Key::ArrowRight))
    .key(Shortcut::of(Key::Period))
    .unless(without_scene)
    .runs(|_, cx| cx.commands.push(Command::Step));

/// Goes one frame back.
pub const BACK: WindowCommand = WindowCommand::new("One frame back", "a step of time back")
    .key(Shortcut::of(Key::ArrowLeft))
    .key(Shortcut::of(Key::Comma))
    .unless(without_past)
    .runs(|_, cx| cx.commands.push(Command::StepBack));

/// Goes to the oldest frame.
pub const START: WindowCommand =
    WindowCommand::new("To the oldest frame that is kept", "start of the timeline")
        .key(Shortcut::of(Key::Home))
        .unless(without_past)
        .runs(|_, cx| {
            cx.commands.push(Command::Seek(cx.snapshot.timeline.first));
        });

/// Begins or ends the loop.
pub const LOOP: WindowCommand = WindowCommand::new(
    "Loop",
    "repeats the kept frames with the recorded input, until you touch the body again",
)
.key(Shortcut::of(Key::L))
.unless(without_scene)
.runs(|_, cx| {
    cx.commands.push(Command::Loop(!cx.snapshot.timeline.loops));
});

/// Goes back to rest.
pub const RESET: WindowCommand = WindowCommand::new("Reset", "back to rest; clears the timeline")
    .key(Shortcut::of(Key::R))
    .unless(without_scene)
    .runs(|_, cx| cx.commands.push(Command::Reset));

/// Why time cannot go back; `None` where it can.
fn without_past(cx: &Context<'_>) -> Option<&'static str> {
    let timeline = &cx.snapshot.timeline;
    let is_oldest = timeline.now <= timeline.first;
    without_scene(cx).or(is_oldest.then_some("no older frame is kept"))
}

/// Undoes a change.
pub const UNDO: WindowCommand = WindowCommand::new(
    "Undo",
    "undoes the last change of a parameter or of the material",
)
.key(Shortcut::command(Key::Z))
.unless(|cx| (!available(cx).0).then_some("there is no change to undo"))
.runs(|_, cx| {
    let setup = cx.snapshot.setup.as_deref();
    cx.commands.extend(cx.state.edits.undo(setup));
});

/// Redoes a change.
pub const REDO: WindowCommand =
    WindowCommand::new("Redo", "redoes the change that was undone last")
        .key(Shortcut::command_shift(Key::Z))
        .key(Shortcut::command(Key::Y))
        .unless(|cx| (!available(cx).1).then_some("there is no change to redo"))
        .runs(|_, cx| {
            let setup = cx.snapshot.setup.as_deref();
            cx.commands.extend(cx.state.edits.redo(setup));
        });

/// Whether there is a change to undo, and one to redo.
fn available(cx: &Context<'_>) -> (bool, bool) {
    cx.state.edits.available(cx.snapshot.setup.as_deref())
}
