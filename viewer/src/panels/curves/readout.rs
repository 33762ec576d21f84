//! The values of all methods at the time under the pointer.

use egui::{Color32, CornerRadius, Pos2, Rect, RichText, Stroke, Ui, UiBuilder, Vec2};
use egui_plot::{PlotPoint, PlotTransform};
use pliant_render::numbers::number;

use super::choices::reference_name;
use crate::panels::Context;
use crate::state::{Curve, Plotted, shown};
use crate::style;

/// Width of the card, points.
const WIDTH: f32 = 176.0;
/// Height of one of its lines, points.
const LINE: f32 = 13.5;

/// Draws a line at `time` (s) and a card beside it, within the plot.
pub fn show(
    ui: &mut Ui,
    cx: &Context<'_>,
    (plotted, reference): (Plotted, Option<&Curve>),
    transform: &PlotTransform,
    time: f64,
) {
    let dark = ui.visuals().dark_mode;
    let frame = *transform.frame();
    let x = transform.position_from_point(&PlotPoint::new(time, 0.0)).x;
    ui.painter()
        .vline(x, frame.y_range(), Stroke::new(1.0, style::faint(dark)));
    let lines = lines(cx, plotted, reference, time, dark);
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
    ui.painter().rect(
        place,
        CornerRadius::same(4),
        fill,
        border,
        egui::StrokeKind::Inside,
    );
    let inner = place.shrink2(Vec2::new(8.0, 5.0));
    let mut ui = ui.new_child(UiBuilder::new().max_rect(inner));
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = LINE;
    ui.label(
        RichText::new(format!("{time:.2} s"))
            .small()
            .color(style::strong(dark)),
    );
    for (text, color) in lines {
        ui.label(RichText::new(text).small().color(color));
    }
}

/// A line for each method that has a value at that time.
fn lines(
    cx: &Context<'_>,
    plotted: Plotted,
    reference: Option<&Curve>,
    time: f64,
    dark: bool,
) -> Vec<(String, Color32)> {
    let (unit, scale) = plotted.unit();
    let text = |name: &str, value: f64| format!("{name}  {} {unit}", number(value * scale, 4));
    let mut all = Vec::new();
    for k in shown(cx.snapshot) {
        let method = cx.snapshot.panes[k].method;
        let curves = cx.state.history.curves.get(k);
        if let Some(value) = curves.and_then(|c| plotted.curve_of(c)?.at(time)) {
            let color = style::accent(method, dark);
            all.push((text(style::title(method), value), color));
        }
    }
    if let Some(value) = reference.and_then(|curve| curve.at(time)) {
        let name = cx
            .snapshot
            .reference
            .found()
            .map_or("", |r| reference_name(r));
        all.push((text(name, value), style::faint(dark)));
    }
    all
}
