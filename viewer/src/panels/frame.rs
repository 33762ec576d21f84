//! What stands around the panes: the bar above, details at the right, the mesh report at the left, curves and timeline below.

use egui::{Frame, Margin, Panel, Ui};

use super::bars::{notices, timeline, top_bar};
use super::context::Context;
use super::{advice, curves, details, mesh_report, palette};
use crate::state::ForceSource;

/// Smallest and largest width of the details, points.
const DETAILS_WIDTH: [f32; 2] = [290.0, 520.0];
/// Largest share of the window for them.
const DETAILS_SHARE: f32 = 0.37;
/// Smallest and largest width of the mesh report, points.
const REPORT_WIDTH: [f32; 2] = [220.0, 460.0];
/// Largest share of the window for it.
const REPORT_SHARE: f32 = 0.3;
/// Width of the window below which the report and the details share a column, points.
const NARROW: f32 = 900.0;
/// Height of the window below which the curves are low, points.
const LOW: f32 = 500.0;
/// Smallest and largest height of the curves, points.
const CURVES_HEIGHT: [f32; 2] = [110.0, 480.0];

/// Shows everything around the panes.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>, source: &ForceSource) {
    mesh_report::fly(ui, cx);
    cx.commands.extend(cx.state.picked.explain(cx.snapshot));
    let fill = ui.visuals().panel_fill;
    let padded = |x: i8, y: i8| {
        Frame::new()
            .fill(fill)
            .inner_margin(Margin::symmetric(x, y))
    };
    Panel::top("bar")
        .frame(padded(12, 7))
        .show_separator_line(false)
        .show(ui, |ui| top_bar::show(ui, cx));
    if notices::is_shown(cx) {
        Panel::top("notices")
            .frame(padded(12, 6))
            .show(ui, |ui| notices::show(ui, cx));
    }
    // before the details: it needs the whole width
    Panel::bottom("timeline")
        .frame(padded(12, 6))
        .show_separator_line(false)
        .show(ui, |ui| timeline::show(ui, cx));
    let window = ui.ctx().content_rect().size();
    let share_column = cx.state.details && cx.state.mesh_report.open && window.x < NARROW;
    if cx.state.details {
        let max_width = (DETAILS_SHARE * window.x).clamp(DETAILS_WIDTH[0], DETAILS_WIDTH[1]);
        Panel::right("details")
            .frame(padded(12, 8))
            .default_size(330.0)
            .size_range(DETAILS_WIDTH[0]..=max_width)
            .show(ui, |ui| {
                if share_column {
                    Panel::top("mesh report above the details")
                        .frame(Frame::new())
                        .exact_size(0.5 * ui.available_height())
                        .show(ui, |ui| mesh_report::show(ui, cx));
                }
                details::show(ui, cx);
            });
    }
    // two panels, so that curves that were low once do not stay so in a larger window
    let (id, height, max_height) = match window.y < LOW {
        true => ("low curves", 120.0, 0.5 * window.y - 60.0),
        false => ("curves", 186.0, CURVES_HEIGHT[1]),
    };
    Panel::bottom(id)
        .frame(padded(12, 8))
        .default_size(height)
        .size_range(CURVES_HEIGHT[0]..=max_height.max(CURVES_HEIGHT[0]))
        .resizable(true)
        .show_separator_line(false)
        .show(ui, |ui| curves::show(ui, cx, source));
    // beside the panes alone
    if cx.state.mesh_report.open && !share_column {
        let max_width = (REPORT_SHARE * window.x).clamp(REPORT_WIDTH[0], REPORT_WIDTH[1]);
        // the panes keep half of what the details leave
        let room = 0.5 * ui.available_width();
        let (min_width, max_width) = (REPORT_WIDTH[0].min(room), max_width.min(room));
        Panel::left("mesh report")
            .frame(padded(12, 8))
            .default_size(290.0)
            .size_range(min_width..=max_width)
            .show(ui, |ui| mesh_report::show(ui, cx));
    }
    advice::show(ui, cx);
    palette::show(ui, cx);
}
