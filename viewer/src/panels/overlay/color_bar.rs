//! The bar that explains the colours of a pane.

use egui::{Align2, Color32, CornerRadius, FontId, Pos2, Rect, Ui, Vec2};
use pliant_render::numbers::{engineering_unit, number};

use crate::panels::Context;
use crate::panels::bars::width::text_size;
use crate::style;

/// Height that the colour bar takes in a wide picture, points.
pub const HEIGHT: f32 = 52.0;

/// Space between its texts and the border of the picture, points.
const MARGIN: f32 = 14.0;

/// Draws the bar into the upper left of the picture of pane `k`. Returns the height that it takes, points.
pub fn show(ui: &Ui, rect: Rect, k: usize, cx: &Context<'_>) -> f32 {
    let dark = ui.visuals().dark_mode;
    let painter = ui.painter().with_clip_rect(rect);
    let (faint, strong) = (style::faint(dark), style::strong(dark));
    let write = |place: Pos2, align: Align2, text: &str, color: Color32| {
        painter.text(place, align, text, FontId::proportional(12.0), color)
    };
    // a plate behind all of it: a body of any colour may be there
    let behind = painter.add(egui::Shape::Noop);
    let on_plate = |covered: Rect| {
        let fill = style::plate(dark, [150, 170]);
        let plate = egui::Shape::rect_filled(covered.expand(4.0), CornerRadius::same(3), fill);
        painter.set(behind, plate);
    };
    let origin = rect.left_top() + Vec2::splat(MARGIN);
    let room = (rect.width() - 2.0 * MARGIN).max(0.0);
    let wrapped = |text: String, color: Color32| {
        let galley = painter.layout(text, FontId::proportional(12.0), color, room);
        let covered = Rect::from_min_size(origin, galley.size());
        painter.galley(origin, galley, color);
        covered
    };
    let layer = &cx.state.layer;
    let label = layer.label();
    if layer.value(cx.snapshot, k, 0).is_none() {
        let text = format!("{label}: {}", layer.absence(cx.snapshot, k));
        let covered = wrapped(text, faint);
        on_plate(covered);
        return MARGIN + covered.height();
    }
    let label = wrapped(label, strong);
    let below_label = label.left_bottom() + Vec2::new(0.0, 4.0);
    if let Some(words) = layer.categories() {
        let covered = categories(&painter, below_label, words, cx, dark);
        on_plate(covered.union(label));
        return covered.bottom() - rect.top();
    }
    let (low, high) = cx.state.range.ends();
    let (factor, unit) = engineering_unit(high.abs().max(low.abs()), layer.unit(cx.snapshot));
    // levels are small whole numbers
    let is_whole = |end: f64| end.fract() == 0.0 && end.abs() < 100.0;
    let are_whole = unit.is_empty() && is_whole(low) && is_whole(high);
    let [low, high] = [low, high].map(|end| match are_whole {
        true => format!("{end:.0}"),
        false => number(end * factor, 3),
    });
    let end = format!("{high} {unit}");
    let width = |text: &str| text_size(ui, text, FontId::proportional(12.0)).x;
    // the texts at the ends of the bar stand apart
    let least = width(&low) + width(end.trim()) + 10.0;
    let length = (rect.width() * 0.36).min(180.0).max(least).min(room);
    let bar = Rect::from_min_size(below_label, Vec2::new(length, 8.0));
    let mut mesh = egui::Mesh::default();
    let steps = 48;
    for step in 0..=steps {
        let t = step as f32 / steps as f32;
        let color = style::opaque(cx.state.range.map().color(f64::from(t)));
        let x = bar.left() + t * bar.width();
        mesh.colored_vertex(Pos2::new(x, bar.top()), color);
        mesh.colored_vertex(Pos2::new(x, bar.bottom()), color);
        if step > 0 {
            let v = 2 * step;
            mesh.add_triangle(v - 2, v - 1, v);
            mesh.add_triangle(v - 1, v, v + 1);
        }
    }
    painter.add(mesh);
    let below = |x: f32| Pos2::new(x, bar.bottom() + 3.0);
    let low = write(below(bar.left()), Align2::LEFT_TOP, &low, faint);
    let high = write(below(bar.right()), Align2::RIGHT_TOP, end.trim(), faint);
    on_plate(label.union(bar).union(low).union(high));
    bar.bottom() + 11.0 - rect.top()
}

/// A coloured square and a word for each value, in as many rows as they need. Returns what they cover, points.
fn categories(
    painter: &egui::Painter,
    origin: Pos2,
    words: &[&str],
    cx: &Context<'_>,
    dark: bool,
) -> Rect {
    let right = painter.clip_rect().right();
    let mut at = origin;
    let mut reach = origin.x;
    for (value, word) in words.iter().enumerate() {
        let color = style::opaque(cx.state.range.color(value as f32));
        let (font, faint) = (FontId::proportional(12.0), style::faint(dark));
        let galley = painter.layout_no_wrap((*word).to_string(), font, faint);
        let size = galley.size();
        if at.x > origin.x && at.x + 15.0 + size.x > right {
            at = Pos2::new(origin.x, at.y + size.y + 3.0);
        }
        let patch = Rect::from_min_size(at + Vec2::new(0.0, 2.0), Vec2::splat(10.0));
        painter.rect_filled(patch, 2.0, color);
        painter.galley(at + Vec2::new(15.0, 0.0), galley, faint);
        reach = reach.max(at.x + 15.0 + size.x);
        at.x += 15.0 + size.x + 12.0;
    }
    Rect::from_min_max(origin, Pos2::new(reach, at.y + 15.0))
}
