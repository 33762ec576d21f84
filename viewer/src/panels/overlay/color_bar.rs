//! The bar that explains the colours of a pane.

use egui::{Align2, Color32, FontId, Pos2, Rect, Ui, Vec2};
use pliant_render::numbers::{engineering_unit, number};

use crate::panels::Context;
use crate::style;

/// Height that the colour bar takes, points.
pub const HEIGHT: f32 = 52.0;

/// Draws the bar into the upper left of the picture of pane `k`.
pub fn show(ui: &Ui, rect: Rect, k: usize, cx: &Context<'_>) {
    let dark = ui.visuals().dark_mode;
    let painter = ui.painter().with_clip_rect(rect);
    let (faint, strong) = (style::faint(dark), style::strong(dark));
    let write = |place: Pos2, align: Align2, text: &str, color: Color32| {
        painter.text(place, align, text, FontId::proportional(12.0), color);
    };
    let origin = rect.left_top() + Vec2::new(14.0, 14.0);
    let layer = &cx.state.layer;
    let label = layer.label();
    if layer.value(cx.snapshot, k, 0).is_none() {
        let text = format!("{label}: {}", layer.absence(cx.snapshot, k));
        write(origin, Align2::LEFT_TOP, &text, faint);
        return;
    }
    write(origin, Align2::LEFT_TOP, &label, strong);
    if let Some(words) = layer.categories() {
        categories(&painter, origin + Vec2::new(0.0, 19.0), words, cx, dark);
        return;
    }
    let (low, high) = cx.state.range.ends();
    let (factor, unit) = engineering_unit(high.abs().max(low.abs()), layer.unit(cx.snapshot));
    let bar = Rect::from_min_size(
        origin + Vec2::new(0.0, 19.0),
        Vec2::new((rect.width() * 0.36).min(180.0), 8.0),
    );
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
    let (low, high) = (number(low * factor, 3), number(high * factor, 3));
    write(below(bar.left()), Align2::LEFT_TOP, &low, faint);
    let end = format!("{high} {unit}");
    write(below(bar.right()), Align2::RIGHT_TOP, end.trim(), faint);
}

/// A coloured square and a word for each value.
fn categories(painter: &egui::Painter, origin: Pos2, words: &[&str], cx: &Context<'_>, dark: bool) {
    let mut left = origin.x;
    for (value, word) in words.iter().enumerate() {
        let color = style::opaque(cx.state.range.color(value as f32));
        let patch = Rect::from_min_size(Pos2::new(left, origin.y + 2.0), Vec2::splat(10.0));
        painter.rect_filled(patch, 2.0, color);
        let place = Pos2::new(patch.right() + 5.0, origin.y);
        let font = FontId::proportional(12.0);
        let text = painter.text(place, Align2::LEFT_TOP, word, font, style::faint(dark));
        left = text.right() + 12.0;
    }
}
