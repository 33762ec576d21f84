//! Curves of the three methods over the last seconds.

use egui::{RichText, Ui};
use egui_plot::{AxisHints, GridMark, Line, Plot, PlotPoints};
use pliant_render::ticks::nice_step;

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
            format!("{} in N", source.caption().trim_start_matches("force "))
        };
        ui.label(RichText::new(what).small().color(style::faint(dark)));
        ui.add_space(10.0);
        for k in crate::layout::shown(cx.snapshot) {
            legend(ui, cx.snapshot.panes[k].method);
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
        .y_grid_spacer(|input| marks(input.bounds))
        .set_margin_fraction(egui::vec2(0.0, 0.08))
        .custom_y_axes(vec![
            AxisHints::new_y()
                .label("")
                .min_thickness(40.0)
                .label_spacing(2.0..=3.0)
                .tick_label_font(egui::FontId::proportional(11.0))
                .formatter(|mark, _| tick(mark.value, mark.step_size))
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

/// Three to six round values between the bounds.
fn marks((low, high): (f64, f64)) -> Vec<GridMark> {
    let step_size = nice_step((high - low).max(1e-12) / 3.0);
    let (first, last) = ((low / step_size).ceil(), (high / step_size).floor());
    let count = (last - first).clamp(0.0, 12.0) as usize;
    let mark = |k: usize| GridMark {
        value: (first + k as f64) * step_size,
        step_size,
    };
    (0..=count).map(mark).collect()
}

/// A mark with as many decimals as its distance to the next one needs.
fn tick(value: f64, step: f64) -> String {
    let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_have_the_decimals_that_they_need() {
        assert_eq!(tick(6.0, 2.0), "6");
        assert_eq!(tick(0.15, 0.05), "0.15");
        assert_eq!(tick(400.0, 200.0), "400");
    }

    #[test]
    fn marks_are_round_and_inside() {
        for high in [0.1, 0.37, 8.0, 950.0] {
            let values: Vec<f64> = marks((0.0, high)).iter().map(|m| m.value).collect();
            assert!(values.len() >= 3 && values.len() <= 8, "{high}: {values:?}");
            assert!(values[0] == 0.0 && values.iter().all(|v| *v <= high * 1.000_001));
        }
    }
}
