//! Text in front of a picture.

use egui::{Align2, Color32, CornerRadius, FontId, Pos2, Rect, Ui, Vec2};

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

/// Size of a text as [`on_plate`] wraps it, points.
pub fn size_on_plate(painter: &egui::Painter, text: &str) -> Vec2 {
    let width = painter.clip_rect().shrink(MARGIN).width().max(0.0);
    let (font, color) = (FontId::proportional(12.0), Color32::PLACEHOLDER);
    painter.layout(text.to_string(), font, color, width).size()
}

/// Text on a plate beside a mark of `reach` points around `at`: at its right, or where that would cover the mark, at its left, below it or above it.
pub fn beside(ui: &Ui, painter: &egui::Painter, at: Pos2, reach: f32, text: &str) {
    let room = painter.clip_rect().shrink(MARGIN);
    let (place, align) = place_beside(room, at, reach, size_on_plate(painter, text));
    on_plate(ui, painter, place, align, text);
}

/// Where [`beside`] puts a text of this size: a point, and which part of the text lies there.
fn place_beside(room: Rect, at: Pos2, reach: f32, size: Vec2) -> (Pos2, Align2) {
    let distance = reach + 4.0;
    let places = [
        (Vec2::new(distance, 0.0), Align2::LEFT_CENTER),
        (Vec2::new(-distance, 0.0), Align2::RIGHT_CENTER),
        (Vec2::new(0.0, distance), Align2::CENTER_TOP),
        (Vec2::new(0.0, -distance), Align2::CENTER_BOTTOM),
    ]
    .map(|(offset, align)| (at + offset, align));
    let mark = Rect::from_center_size(at, Vec2::splat(2.0 * reach));
    let is_free = |(place, align): &(Pos2, Align2)| {
        let plate = inside(room, align.anchor_size(*place, size)).expand(3.0);
        !plate.intersects(mark)
    };
    places.into_iter().find(is_free).unwrap_or(places[0])
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

    #[test]
    fn a_text_does_not_cover_its_mark() {
        let room = Rect::from_min_max(Pos2::ZERO, Pos2::new(116.0, 100.0));
        let align = |x: f32, y: f32, width: f32| {
            let size = Vec2::new(width, 14.0);
            place_beside(room, Pos2::new(x, y), 6.0, size).1
        };
        assert_eq!(align(58.0, 50.0, 40.0), Align2::LEFT_CENTER);
        assert_eq!(align(90.0, 50.0, 40.0), Align2::RIGHT_CENTER);
        assert_eq!(align(58.0, 50.0, 90.0), Align2::CENTER_TOP);
        assert_eq!(align(58.0, 95.0, 90.0), Align2::CENTER_BOTTOM);
        // a text that is wider than the picture
        assert_eq!(align(58.0, 50.0, 400.0), Align2::CENTER_TOP);
    }
}
