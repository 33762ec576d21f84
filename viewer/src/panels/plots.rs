//! Curves of the three methods over the last seconds.

use egui::{RichText, Ui};
use egui_plot::{AxisHints, Line, Plot, PlotPoints};

use crate::history::{ForceSource, SPAN};
use crate::panels::Context;
use crate::style;

/// Shows the curves.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>, source: &ForceSource) {
    let probe = cx
        .snapshot
        .setup
        .as_ref()
        .and_then(|s| s.probes.first().map(|p| p.name.clone()));
    let dark = ui.visuals().dark_mode;
    let show_probe = match (&probe, source) {
        (None, _) => false,
        (Some(_), ForceSource::Nothing) => true,
        (Some(_), _) => cx.state.plot_probe,
    };
    ui.horizontal(|ui| {
        match (&probe, source) {
            (Some(name), ForceSource::Tool(..) | ForceSource::Grab) => {
                ui.selectable_value(&mut cx.state.plot_probe, false, "Force");
                ui.selectable_value(&mut cx.state.plot_probe, true, format!("Probe {name}"));
            }
            (Some(name), ForceSource::Nothing) => {
                ui.label(RichText::new(format!("Probe {name}")).color(style::strong(dark)));
            }
            (None, _) => {
                ui.label(RichText::new("Force").color(style::strong(dark)));
            }
        }
        let what = if show_probe {
            "displacement in mm".to_string()
        } else {
            format!("{} in N", source.caption())
        };
        ui.label(RichText::new(what).small().color(style::faint(dark)));
        ui.add_space(10.0);
        for pane in &cx.snapshot.panes {
            legend(ui, pane.method);
        }
    });
    let now = cx.state.history.now().max(SPAN);
    let scale = if show_probe { 1e3 } else { 1.0 };
    Plot::new("curves")
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_background(false)
        .show_axes([true, true])
        .show_grid([false, true])
        .set_margin_fraction(egui::vec2(0.0, 0.08))
        .custom_y_axes(vec![
            AxisHints::new_y()
                .label("")
                .min_thickness(40.0)
                .label_spacing(12.0..=22.0)
                .tick_label_color(style::faint(dark)),
        ])
        .custom_x_axes(vec![
            AxisHints::new_x()
                .formatter(|mark, _| format!("{:.0} s", mark.value))
                .tick_label_color(style::faint(dark)),
        ])
        .include_y(0.0)
        .include_y(if show_probe { 1e-3 } else { 0.1 })
        .include_x(now - SPAN)
        .include_x(now)
        .auto_bounds([true, true])
        .reset()
        .show(ui, |plot| {
            for (curves, pane) in cx.state.history.curves.iter().zip(&cx.snapshot.panes) {
                let points = if show_probe {
                    &curves.probe
                } else {
                    &curves.force
                };
                let begin = points.partition_point(|p| p[0] < now - SPAN);
                let shown: PlotPoints<'_> = points[begin..]
                    .iter()
                    .map(|p| [p[0], p[1] * scale])
                    .collect();
                let line = Line::new(style::title(pane.method), shown)
                    .color(style::accent(pane.method, dark))
                    .width(1.8);
                plot.line(line);
            }
        });
}

/// A short stroke in the method's colour and its name.
fn legend(ui: &mut Ui, method: pliant_core::scene::Method) {
    let dark = ui.visuals().dark_mode;
    let (rect, _) = ui.allocate_exact_size(egui::vec2(16.0, 12.0), egui::Sense::hover());
    let stroke = egui::Stroke::new(2.5, style::accent(method, dark));
    ui.painter().hline(rect.x_range(), rect.center().y, stroke);
    ui.label(
        RichText::new(style::title(method))
            .small()
            .color(style::faint(dark)),
    );
}
