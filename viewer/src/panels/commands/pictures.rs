//! Commands of what is saved: pictures, animations with the part of the timeline that they take, and curves.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, always_allowed, needs_scene};
use crate::panels::context::Context;
use crate::state::{PictureRequest, new_file};

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[
    WINDOW,
    PANES,
    NEXT_SECONDS,
    MARKED_PART,
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
    SAVE_CURVES,
];

/// Takes a picture of the window.
pub const WINDOW: WindowCommand = WindowCommand {
    name: "Window as PNG",
    about: "picture",
    keys: &[Shortcut::of(Key::P)],
    refused: always_allowed,
    run: |_, cx| cx.state.pictures.request = Some(PictureRequest::Window),
};

/// Takes a picture of the panes.
pub const PANES: WindowCommand = WindowCommand {
    name: "Panes as PNG",
    about: "picture",
    keys: &[Shortcut::shift(Key::P)],
    refused: always_allowed,
    run: |_, cx| cx.state.pictures.request = Some(PictureRequest::Panes),
};

/// Records the next seconds, or stops recording.
pub const NEXT_SECONDS: WindowCommand = WindowCommand {
    name: "The next seconds as an animation",
    about: "GIF of the panes; again: stop recording",
    keys: &[Shortcut::of(Key::V)],
    refused: always_allowed,
    run: |_, cx| animate(cx, PictureRequest::Next),
};

/// Records the marked part of the timeline, or stops recording.
pub const MARKED_PART: WindowCommand = WindowCommand {
    name: "The marked part as an animation",
    about: "GIF of the panes; again: stop recording",
    keys: &[Shortcut::shift(Key::V)],
    refused: |cx| {
        let (timeline, pictures) = (&cx.snapshot.timeline, &cx.state.pictures);
        let part = pictures.part(timeline.first, timeline.last);
        (part.is_none() && pictures.recording.is_none())
            .then_some("mark a part of the timeline first: [ begins, ] ends it")
    },
    run: |_, cx| animate(cx, PictureRequest::Marked),
};

/// Saves all curves as comma-separated values into a new file.
pub const SAVE_CURVES: WindowCommand = WindowCommand {
    name: "Save the curves as CSV",
    about: "comma-separated values, in a new file",
    keys: &[],
    refused: |cx| {
        let mut curves = cx.state.history.curves.iter();
        let is_empty = curves.all(|c| c.force.is_empty());
        is_empty.then_some("nothing has run yet")
    },
    run: |_, cx| {
        let setup = cx.snapshot.setup.as_ref();
        let scene = setup.map_or("pliant", |s| s.description.name.as_str());
        let text = cx.state.history.csv(cx.snapshot);
        let saved = new_file::save(&new_file::folder(), scene, "curves", "csv", text.as_bytes());
        cx.state.saved = Some(saved);
    },
};

fn animate(cx: &mut Context<'_>, request: PictureRequest) {
    let stops = cx.state.pictures.recording.is_some();
    cx.state.pictures.request = Some(if stops { PictureRequest::Stop } else { request });
}
