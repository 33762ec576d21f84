//! The bar that explains the colours of a pane.

use egui::{Align2, FontId, Pos2, Rect, Ui, Vec2};
use pliant_render::numbers::{engineering_unit, number};

use crate::panels::Context;
use crate::style;

/// Height that the colour bar takes, points.
pub const HEIGHT: f32 = 52.0;

/// Draws the bar into the upper left of the picture of pane `k`.
pub fn show(ui: &Ui, rect: Rect, k: usize, cx: &Context<'_>) {
    let dark = ui.visuals().dark_mode;
    let painter = ui.painter().with_clip_rect(rect);
    let origin = rect.left_top() + Vec2::new(14.0, 14.0);
    let font = FontId::proportional(12.0);
    let label = cx.state.layer.label();
    if cx.state.layer.values(cx.snapshot, k).is_none() {
        painter.text(
            origin,
            Align2::LEFT_TOP,
            format!("{label}: {}", cx.state.layer.absence(cx.snapshot, k)),
            font,
            style::faint(dark),
        );
        return;
    }
    if let Some(words) = cx.state.layer.categories() {
        painter.text(origin, Align2::LEFT_TOP, label, font, style::strong(dark));
        categories(&painter, origin + Vec2::new(0.0, 19.0), words, cx, dark);
        return;
    }
    let (low, high) = cx.state.range.ends();
    let (factor, unit) =
        engineering_unit(high.abs().max(low.abs()), cx.state.layer.unit(cx.snapshot));
    painter.text(
        origin,
        Align2::LEFT_TOP,
        label,
        font.clone(),
        style::strong(dark),
    );
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
    let below = bar.bottom() + 3.0;
    painter.text(
        Pos2::new(bar.left(), below),
        Align2::LEFT_TOP,
        number(low * factor, 3),
        font.clone(),
        style::faint(dark),
    );
    let end = format!("{} {unit}", number(high * factor, 3));
    painter.text(
        Pos2::new(bar.right(), below),
        Align2::RIGHT_TOP,
        end.trim(),
        font,
        style::faint(dark),
    );
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
