//! Commands of what is saved: pictures, animations with the part of the timeline that they take, and curves.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, needs_scene};
use crate::panels::bars::pictures::is_possible;
use crate::panels::context::Context;
use crate::panels::curves::{has_curves, save_csv};
use crate::state::PictureRequest;

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[
    WindowCommand {
        name: "Window as PNG",
        about: "picture",
        keys: &[Shortcut::of(Key::P)],
        refused: |cx| cannot(cx, PictureRequest::Window),
        run: |_, cx| cx.state.pictures.request = Some(PictureRequest::Window),
    },
    WindowCommand {
        name: "Panes as PNG",
        about: "picture",
        keys: &[Shortcut::shift(Key::P)],
        refused: |cx| cannot(cx, PictureRequest::Panes),
        run: |_, cx| cx.state.pictures.request = Some(PictureRequest::Panes),
    },
    WindowCommand {
        name: "The next seconds as an animation",
        about: "GIF of the panes; again: stop recording",
        keys: &[Shortcut::of(Key::V)],
        refused: |cx| animation_refused(cx, PictureRequest::Next),
        run: |_, cx| animate(cx, PictureRequest::Next),
    },
    WindowCommand {
        name: "The marked part as an animation",
        about: "GIF of the panes; again: stop recording",
        keys: &[Shortcut::shift(Key::V)],
        refused: |cx| animation_refused(cx, PictureRequest::Marked),
        run: |_, cx| animate(cx, PictureRequest::Marked),
    },
    WindowCommand {
        name: "Mark the beginning of a part",
        about: "timeline",
        keys: &[Shortcut::of(Key::OpenBracket)],
        refused: needs_scene,
        run: |_, cx| cx.state.pictures.mark(0, cx.snapshot.timeline.now),
    },
    WindowCommand {
        name: "Mark the end of a part",
        about: "timeline",
        keys: &[Shortcut::of(Key::CloseBracket)],
        refused: needs_scene,
        run: |_, cx| cx.state.pictures.mark(1, cx.snapshot.timeline.now),
    },
    WindowCommand {
        name: "Remove the marks",
        about: "timeline",
        keys: &[],
        refused: |cx| {
            (cx.state.pictures.marks == [None; 2]).then_some("no part of the timeline is marked")
        },
        run: |_, cx| cx.state.pictures.marks = [None; 2],
    },
    WindowCommand {
        name: "Save the curves as CSV",
        about: "comma-separated values, in a new file",
        keys: &[],
        refused: |cx| (!has_curves(cx)).then_some("nothing has run yet"),
        run: |_, cx| save_csv(cx),
    },
];

fn cannot(cx: &Context<'_>, request: PictureRequest) -> Option<&'static str> {
    (!is_possible(cx, request)).then_some("there is nothing to take now")
}

fn animation_refused(cx: &Context<'_>, request: PictureRequest) -> Option<&'static str> {
    let stops = cx.state.pictures.recording.is_some();
    (!stops && !is_possible(cx, request))
        .then_some("mark a part of the timeline first: [ begins, ] ends it")
}

fn animate(cx: &mut Context<'_>, request: PictureRequest) {
    let stops = cx.state.pictures.recording.is_some();
    cx.state.pictures.request = Some(if stops { PictureRequest::Stop } else { request });
}
