//! Commands of pictures and animations, and of the part of the timeline that they take.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, always_allowed};
use crate::panels::bars::pictures::is_possible;
use crate::panels::context::Context;
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
        refused: always_allowed,
        run: |_, cx| cx.state.pictures.mark(0, cx.snapshot.timeline.now),
    },
    WindowCommand {
        name: "Mark the end of a part",
        about: "timeline",
        keys: &[Shortcut::of(Key::CloseBracket)],
        refused: always_allowed,
        run: |_, cx| cx.state.pictures.mark(1, cx.snapshot.timeline.now),
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
