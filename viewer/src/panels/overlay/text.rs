//! Text in front of a picture.

use egui::{Align2, Color32, CornerRadius, FontId, Pos2, Rect, Ui, Vec2};

use crate::panels::bars::width::text_size;
use crate::style;

/// A line in the upper left of a picture that can be read in front of a body too.
pub fn quiet_line(ui: &Ui, rect: Rect, at: Vec2, line: &str) {
    let painter = ui.painter().with_clip_rect(rect);
    on_plate(ui, &painter, rect.min + at, Align2::LEFT_TOP, line);
}

/// Text on a plate, so that it can be read in front of a body of any colour.
pub fn on_plate(ui: &Ui, painter: &egui::Painter, at: Pos2, align: Align2, text: &str) {
    let dark = ui.visuals().dark_mode;
    let font = FontId::proportional(12.0);
    let galley = painter.layout_no_wrap(text.to_string(), font, style::strong(dark));
    let place = align.anchor_size(at, galley.size());
    let fill = if dark {
        Color32::from_rgba_unmultiplied(22, 25, 30, 150)
    } else {
        Color32::from_rgba_unmultiplied(255, 255, 255, 170)
    };
    painter.rect_filled(place.expand(3.0), CornerRadius::same(3), fill);
    painter.galley(place.min, galley, style::strong(dark));
}

/// As many of `parts` as fit into `width` points, at least the first one.
pub fn fitting(ui: &Ui, parts: &[String], width: f32) -> String {
    let line = |count: usize| parts[..count].join("  ·  ");
    let fits = |line: &String| text_size(ui, line, FontId::proportional(12.0)).x <= width;
    let mut all = (2..=parts.len()).rev().map(line);
    all.find(fits).unwrap_or_else(|| line(1))
}
