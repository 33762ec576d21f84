//! What to do in a window without a scene.

use egui::{Align2, FontId, Rect, Ui};

use crate::panels::Context;
use crate::style;

/// Says it in the middle of `rect`, while no scene is there and none is being opened.
pub fn show(ui: &Ui, rect: Rect, cx: &Context<'_>) {
    if cx.snapshot.setup.is_some() || cx.snapshot.opening.is_some() {
        return;
    }
    let text = "No scene is open.\nDrop a mesh or a scene here, or choose one with Open.";
    ui.painter().with_clip_rect(rect).text(
        rect.center(),
        Align2::CENTER_CENTER,
        text,
        FontId::proportional(16.0),
        style::faint(ui.visuals().dark_mode),
    );
}
