//! Curves of the three methods over the last seconds.

use egui::{RichText, Ui};
use egui_plot::{AxisHints, GridMark, Line, LineStyle, Plot, PlotPoints};
use pliant_render::numbers::nice_step;
use pliant_simulation::snapshot::ReferenceStatus;

use super::accuracy;
use super::context::Context;
use crate::state::{ForceSource, Plotted, SPAN, shown};
use crate::style;

/// Shows the curves.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>, source: &ForceSource) {
    let probe = cx
        .snapshot
        .setup
        .as_ref()
        .and_then(|s| s.probes.first().map(|p| p.name.clone()));
    let dark = ui.visuals().dark_mode;
    let choices = choices(cx, source, probe.as_deref());
    let mut plotted = cx.state.plotted;
    if !choices.iter().any(|(choice, _)| *choice == plotted) {
        plotted = choices
            .first()
            .map_or(Plotted::Force, |(choice, _)| *choice);
    }
    let (unit, scale) = plotted.unit();
    ui.horizontal(|ui| {
        match choices.as_slice() {
            [(_, name)] => {
                ui.label(RichText::new(name).color(style::strong(dark)));
            }
            _ => {
                for (choice, name) in &choices {
                    if ui.selectable_label(*choice == plotted, name).clicked() {
                        cx.state.plotted = *choice;
                    }
                }
            }
        }
        let what = match plotted {
            Plotted::Force => source.caption().trim_start_matches("force ").to_string(),
            Plotted::Felt => "by a hand at the pointer, at 1 kHz,".to_string(),
            Plotted::Probe | Plotted::PointDisplacement(_) => "displacement".to_string(),
            Plotted::PointStress(_) => "von Mises stress".to_string(),
        };
        let what = format!("{what} in {unit}");
        ui.label(RichText::new(what).small().color(style::faint(dark)));
        ui.add_space(10.0);
        for k in shown(cx.snapshot) {
            // one pane alone is felt
            let curves = cx.state.history.curves.get(k);
            if plotted != Plotted::Felt || curves.is_some_and(|c| !c.felt.is_empty()) {
                legend(ui, cx.snapshot.panes[k].method);
            }
        }
        if matches!(cx.snapshot.reference, ReferenceStatus::Ready(_)) {
            mark(ui, "Reference", style::faint(dark), 1.4);
        }
        ui.add_space(10.0);
        accuracy::summary(ui, cx);
    });
    let now = cx.state.history.now().max(SPAN);
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
        .include_y(least_height(plotted))
        .include_x(now - SPAN)
        .include_x(now)
        .auto_bounds([true, true])
        .reset()
        .show(ui, |plot| {
            for (curves, pane) in cx.state.history.curves.iter().zip(&cx.snapshot.panes) {
                let points = plotted.of(curves);
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
            if let Some(points) = reference_curve(cx, source, plotted, now) {
                let points: PlotPoints<'_> =
                    points.into_iter().map(|p| [p[0], p[1] * scale]).collect();
                let line = Line::new("Reference", points)
                    .color(style::faint(dark))
                    .style(LineStyle::dashed_loose())
                    .width(1.4);
                plot.line(line);
            }
        });
}

/// The curve of the reference over the time that is shown: force on the tool (N), or displacement of the first probe (m).
fn reference_curve(
    cx: &Context<'_>,
    source: &ForceSource,
    plotted: Plotted,
    now: f64,
) -> Option<Vec<[f64; 2]>> {
    let ReferenceStatus::Ready(reference) = &cx.snapshot.reference else {
        return None;
    };
    let setup = cx.snapshot.setup.as_ref()?;
    let run = &reference.fine;
    let forces = |curve: usize| run.forces.get(curve).cloned();
    let values: Vec<f64> = match (plotted, source) {
        (Plotted::Force, ForceSource::Tool(k, _)) => forces(*k)?,
        (Plotted::Force, ForceSource::Grab) => forces(run.forces.len().checked_sub(1)?)?,
        (Plotted::Probe, _) => run.probes.first()?.iter().map(|v| v.norm()).collect(),
        _ => return None,
    };
    let repeats = setup.tools.iter().any(|t| t.path.period().is_some());
    let frame = setup.frame_duration();
    let first = ((now - SPAN).max(0.0) / frame).round() as usize;
    let last = (now / frame).round() as usize;
    let at = |k: usize| {
        let index = if repeats { k % values.len() } else { k };
        Some([(k + 1) as f64 * frame, *values.get(index)?])
    };
    (!values.is_empty()).then(|| (first..last).filter_map(at).collect())
}

/// What there is to show, with its name.
fn choices(cx: &Context<'_>, source: &ForceSource, probe: Option<&str>) -> Vec<(Plotted, String)> {
    let mut all = Vec::new();
    if *source != ForceSource::Nothing {
        all.push((Plotted::Force, "Force".to_string()));
    }
    if cx.snapshot.felt.is_some() {
        all.push((Plotted::Felt, "Felt".to_string()));
    }
    all.extend(probe.map(|name| (Plotted::Probe, format!("Probe {name}"))));
    let mut names: Vec<&str> = Vec::new();
    for pane in &cx.snapshot.panes {
        // panes with fewer points have the first ones
        for point in pane.points.iter().skip(names.len()) {
            names.push(&point.name);
        }
    }
    for (k, name) in names.into_iter().enumerate() {
        all.push((Plotted::PointDisplacement(k), format!("{name}: moved")));
        all.push((Plotted::PointStress(k), format!("{name}: stress")));
    }
    if all.is_empty() {
        all.push((Plotted::Force, "Force".to_string()));
    }
    all
}

/// Height that the axis has at least, in the unit shown.
fn least_height(plotted: Plotted) -> f64 {
    match plotted {
        Plotted::Force | Plotted::Felt => 0.1,
        Plotted::Probe | Plotted::PointDisplacement(_) => 1e-3,
        Plotted::PointStress(_) => 1.0,
    }
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
    mark(ui, style::title(method), style::accent(method, dark), 2.5);
}

/// A short stroke and a name.
fn mark(ui: &mut Ui, name: &str, color: egui::Color32, width: f32) {
    let dark = ui.visuals().dark_mode;
    let (rect, _) = ui.allocate_exact_size(egui::vec2(16.0, 12.0), egui::Sense::hover());
    let stroke = egui::Stroke::new(width, color);
    ui.painter().hline(rect.x_range(), rect.center().y, stroke);
    ui.label(RichText::new(name).small().color(style::faint(dark)));
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
