//! Text in front of a picture.

use egui::{Align2, CornerRadius, FontId, Pos2, Rect, Ui, Vec2};

use crate::panels::bars::width::text_size;
use crate::style;

/// A line on a plate, `at` points from the upper left of a picture.
pub fn line_on_plate(ui: &Ui, rect: Rect, at: Vec2, line: &str) {
    let painter = ui.painter().with_clip_rect(rect);
    on_plate(ui, &painter, rect.min + at, Align2::LEFT_TOP, line);
}

/// Distance between a plate and the border of its picture, points.
const MARGIN: f32 = 6.0;

/// Text on a plate, so that it is readable in front of a body of any colour. It is moved and wrapped so that it stays inside the clip rectangle of `painter`.
pub fn on_plate(ui: &Ui, painter: &egui::Painter, at: Pos2, align: Align2, text: &str) {
    let dark = ui.visuals().dark_mode;
    let (font, color) = (FontId::proportional(12.0), style::strong(dark));
    let room = painter.clip_rect().shrink(MARGIN);
    let width = room.width().max(0.0);
    let galley = painter.layout(text.to_string(), font, color, width);
    let place = inside(room, align.anchor_size(at, galley.size()));
    let fill = style::plate(dark, [150, 170]);
    painter.rect_filled(place.expand(3.0), CornerRadius::same(3), fill);
    painter.galley(place.min, galley, color);
}

/// `plate` moved into `room`. If it is too large, its upper left part is visible.
fn inside(room: Rect, plate: Rect) -> Rect {
    let most = (room.max - plate.size()).max(room.min);
    Rect::from_min_size(plate.min.clamp(room.min, most), plate.size())
}

/// As many of `parts` as fit into `width` points, at least the first one.
pub fn fitting(ui: &Ui, parts: &[String], width: f32) -> String {
    let line = |count: usize| parts[..count].join("  ·  ");
    let fits = |line: &String| text_size(ui, line, FontId::proportional(12.0)).x <= width;
    let mut all = (2..=parts.len()).rev().map(line);
    all.find(fits).unwrap_or_else(|| line(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plate_stays_in_its_picture() {
        let room = Rect::from_min_max(Pos2::new(100.0, 50.0), Pos2::new(300.0, 250.0));
        let plate = |x: f32, y: f32, width: f32| {
            inside(
                room,
                Rect::from_min_size(Pos2::new(x, y), Vec2::new(width, 30.0)),
            )
        };
        assert_eq!(plate(150.0, 60.0, 80.0).min, Pos2::new(150.0, 60.0));
        assert_eq!(plate(280.0, 240.0, 80.0).max, room.max);
        assert_eq!(plate(20.0, 10.0, 80.0).min, room.min);
        assert_eq!(plate(20.0, 60.0, 500.0).min.x, room.min.x);
    }
}
