//! Commands of what is saved: pictures, animations with the part of the timeline that they take, and curves.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, without_scene};
use crate::panels::context::Context;
use crate::state::{AnimationFormat, Curve, PictureRequest, Plotted, new_file};

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[
    WINDOW,
    PANES,
    NEXT_SECONDS,
    NEXT_SECONDS_AS_PNG,
    MARKED_PART,
    MARKED_PART_AS_PNG,
    MARK_BEGINNING,
    MARK_END,
    REMOVE_MARKS,
    SAVE_CURVES,
];

/// Takes a picture of the window.
pub const WINDOW: WindowCommand = WindowCommand::new("Window as PNG", "picture")
    .key(Shortcut::of(Key::P))
    .runs(|_, cx| cx.state.pictures.request = Some(PictureRequest::Window));

/// Takes a picture of the panes.
pub const PANES: WindowCommand = WindowCommand::new("Panes as PNG", "picture")
    .key(Shortcut::shift(Key::P))
    .runs(|_, cx| cx.state.pictures.request = Some(PictureRequest::Panes));

/// Records the next seconds, or stops recording.
pub const NEXT_SECONDS: WindowCommand = WindowCommand::new(
    "The next seconds as an animation",
    "GIF of the panes; again: stops recording, and keeps what there is",
)
.key(Shortcut::of(Key::V))
.runs(|_, cx| animate(cx, PictureRequest::Next(AnimationFormat::Gif)));

/// The same with a PNG for each shot.
pub const NEXT_SECONDS_AS_PNG: WindowCommand = WindowCommand::new(
    "The next seconds as a PNG sequence",
    "numbered pictures of the panes in a new folder; again: stops recording, and keeps what there is",
)
.runs(|_, cx| animate(cx, PictureRequest::Next(AnimationFormat::PngSequence)));

/// Records the marked part of the timeline, or stops recording.
pub const MARKED_PART: WindowCommand = WindowCommand::new(
    "The marked part as an animation",
    "GIF of the panes; again: stop recording",
)
.key(Shortcut::shift(Key::V))
.unless(without_part)
.runs(|_, cx| animate(cx, PictureRequest::Marked(AnimationFormat::Gif)));

/// The same with a PNG for each shot.
pub const MARKED_PART_AS_PNG: WindowCommand = WindowCommand::new(
    "The marked part as a PNG sequence",
    "numbered pictures of the panes in a new folder; again: stop recording",
)
.unless(without_part)
.runs(|_, cx| animate(cx, PictureRequest::Marked(AnimationFormat::PngSequence)));

/// Marks the frame that is shown as the beginning of a part.
pub const MARK_BEGINNING: WindowCommand = WindowCommand::new(
    "Mark the beginning of a part",
    "marks the frame that the timeline shows",
)
.key(Shortcut::of(Key::OpenBracket))
.unless(without_scene)
.runs(|_, cx| cx.state.pictures.mark(0, cx.snapshot.timeline.now));

/// Marks the frame that is shown as the end of a part.
pub const MARK_END: WindowCommand = WindowCommand::new(
    "Mark the end of a part",
    "marks the frame that the timeline shows",
)
.key(Shortcut::of(Key::CloseBracket))
.unless(without_scene)
.runs(|_, cx| cx.state.pictures.mark(1, cx.snapshot.timeline.now));

/// Removes both marks.
pub const REMOVE_MARKS: WindowCommand =
    WindowCommand::new("Remove the marks", "both marks of the timeline")
        .unless(|cx| {
            (cx.state.pictures.marks == [None; 2]).then_some("no part of the timeline is marked")
        })
        .runs(|_, cx| cx.state.pictures.marks = [None; 2]);

/// Saves all curves as comma-separated values into a new file.
pub const SAVE_CURVES: WindowCommand = WindowCommand::new(
    "Save the curves as CSV",
    "comma-separated values, in a new file in the current folder",
)
.unless(|cx| {
    let mut curves = cx.state.history.curves.iter();
    let is_empty = curves.all(|c| c.of(Plotted::Force).is_none_or(Curve::is_empty));
    is_empty.then_some("nothing has run yet")
})
.runs(|_, cx| {
    let scene = new_file::scene_name(cx.snapshot);
    let text = cx.state.history.csv(cx.snapshot);
    let saved = new_file::save(&new_file::folder(), scene, "curves", "csv", text.as_bytes());
    cx.state.saved = Some(saved);
});

/// Why the marked part cannot be recorded; `None` where it can.
fn without_part(cx: &Context<'_>) -> Option<&'static str> {
    let (timeline, pictures) = (&cx.snapshot.timeline, &cx.state.pictures);
    let part = pictures.part(timeline.first, timeline.last);
    (part.is_none() && pictures.recording.is_none())
        .then_some("mark a part of the timeline first: [ begins, ] ends it")
}

fn animate(cx: &mut Context<'_>, request: PictureRequest) {
    let stops = cx.state.pictures.recording.is_some();
    cx.state.pictures.request = Some(if stops { PictureRequest::Stop } else { request });
}
