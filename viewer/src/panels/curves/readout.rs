//! The values of all methods at the time under the pointer.

use egui::{Color32, CornerRadius, Pos2, Rect, RichText, Stroke, Ui, UiBuilder, Vec2};
use egui_plot::{PlotPoint, PlotTransform};
use pliant_render::numbers::number;

use super::shown_curve::ShownCurve;
use crate::style;

/// Width of the card, points.
const WIDTH: f32 = 176.0;
/// Height of one of its lines, points.
const LINE: f32 = 13.5;

/// Draws a line at `time` (s) and a card beside it, within the plot. A value is shown in `unit`, after it was multiplied with `scale`.
pub fn show(
    ui: &mut Ui,
    curves: &[ShownCurve<'_>],
    (unit, scale): (&str, f64),
    transform: &PlotTransform,
    time: f64,
) {
    let dark = ui.visuals().dark_mode;
    let frame = *transform.frame();
    let x = transform.position_from_point(&PlotPoint::new(time, 0.0)).x;
    ui.painter()
        .vline(x, frame.y_range(), Stroke::new(1.0, style::faint(dark)));
    let lines = curves.iter().filter_map(|shown| {
        let value = number(shown.curve.at(time)? * scale, 4);
        Some((format!("{}  {value} {unit}", shown.name), shown.color))
    });
    let lines: Vec<(String, Color32)> = lines.collect();
    if lines.is_empty() {
        return;
    }
    let height = LINE * (lines.len() + 1) as f32 + 10.0;
    let left = if x + 10.0 + WIDTH <= frame.right() {
        x + 10.0
    } else {
        x - 10.0 - WIDTH
    };
    let place = Rect::from_min_size(Pos2::new(left, frame.top() + 4.0), Vec2::new(WIDTH, height));
    let fill = style::plate(dark, [235, 240]);
    let border = ui.visuals().window_stroke;
    let (corners, inside) = (CornerRadius::same(4), egui::StrokeKind::Inside);
    ui.painter().rect(place, corners, fill, border, inside);
    let inner = place.shrink2(Vec2::new(8.0, 5.0));
    let mut ui = ui.new_child(UiBuilder::new().max_rect(inner));
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = LINE;
    let head = RichText::new(format!("{time:.2} s")).small();
    ui.label(head.color(style::strong(dark)));
    for (text, color) in lines {
        ui.label(RichText::new(text).small().color(color));
    }
}
