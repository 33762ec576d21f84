//! Curves of the three methods over the last seconds, with the moment that is shown and the values under the pointer.

pub(super) mod axes;
mod choices;
mod header;
mod metrics;
mod peaks;
mod readout;
mod shown_curve;

use egui::{Frame, Margin, Rect, RichText, Stroke, TextStyle, Ui, UiBuilder};
use egui_plot::{AxisHints, Line, LineStyle, PlotPoints, PlotUi, VLine};
use pliant_simulation::command::Command;

pub(super) use self::choices::choices;
use self::shown_curve::{ShownCurve, shown_curves};
use super::bars::width::text_size;
use super::context::Context;
use crate::state::{ForceSource, Plotted, SPANS};
use crate::style;

/// Height of the numbers below the time axis and of its name, points. Without it the plot takes too little in its first frame, and the name stands on the numbers.
const TIME_AXIS: f32 = 33.0;
/// Height of the numbers alone, points.
const LOW_TIME_AXIS: f32 = 18.0;
/// Height from which a plot has names at its axes, points.
const LOW: f32 = 80.0;
/// Width that one part of the time axis should have at least, points.
const TIME_PART: f32 = 90.0;

/// Shows the curves.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>, source: &ForceSource) {
    metrics::request_skins(cx);
    let choices = choices(cx, source);
    let mut plotted = cx.state.plotted;
    if !choices.iter().any(|(choice, _)| *choice == plotted) {
        let first = choices.first();
        plotted = first.map_or(Plotted::Force, |(choice, _)| *choice);
    }
    let has_legends = header::show(ui, cx, source, plotted, &choices);
    if choices.is_empty() {
        // the panel keeps its height
        let (_, room) = ui.allocate_space(ui.available_size());
        saved(ui, cx, &room);
        return;
    }
    if !has_legends {
        header::second_line(ui, cx, plotted);
    }
    // twice as many marks as asked for may come
    let parts = f64::from((0.5 * ui.available_width() / TIME_PART).clamp(1.0, 6.0));
    let height = ui.available_height();
    // a low plot has the numbers alone
    let (values, time_axis, time_name) = match height < LOW {
        true => (2.0, LOW_TIME_AXIS, ""),
        false => (3.0, TIME_AXIS, "Time (s)"),
    };
    let (begin, end) = shown_times(cx);
    let reference = choices::reference_curve(cx, source, plotted, (begin, end));
    let dark = ui.visuals().dark_mode;
    let curves = shown_curves(ui, cx, plotted, reference.as_ref());
    let (unit, _) = plotted.unit();
    let name = format!("{} ({unit})", plotted.quantity());
    let font = TextStyle::Small.resolve(ui.style());
    let fits = height >= LOW && text_size(ui, &name, font).x <= height - time_axis;
    let axis = if fits { name.as_str() } else { "" };
    let response = axes::still_plot("curves")
        .allow_axis_zoom_drag(false)
        .show_axes([true, true])
        .x_grid_spacer(move |input| axes::marks(input.bounds, parts))
        .y_grid_spacer(move |input| axes::marks(input.bounds, values))
        .set_margin_fraction(egui::vec2(0.0, 0.08))
        .custom_y_axes(vec![
            axes::styled(ui, AxisHints::new_y(), axis)
                .min_thickness(40.0)
                .label_spacing(2.0..=3.0)
                .formatter(|mark, _| axes::tick(mark.value, mark.step_size)),
        ])
        .custom_x_axes(vec![
            axes::styled(ui, AxisHints::new_x(), time_name)
                .min_thickness(time_axis)
                .label_spacing(30.0..=40.0)
                .formatter(|mark, _| axes::tick(mark.value, mark.step_size)),
        ])
        .include_y(0.0)
        .include_y(choices::least_height(plotted))
        .include_x(begin)
        .include_x(end)
        .auto_bounds([true, true])
        .reset()
        .show(ui, |plot| draw(plot, cx, plotted, &curves, (begin, dark)));
    saved(ui, cx, response.transform.frame());
    let pointer = response.response.hover_pos();
    let transform = response.transform;
    let time = pointer.map(|at| transform.value_from_position(at).x);
    let Some(time) = time.filter(|t| (begin..=end).contains(t)) else {
        return;
    };
    let curves = shown_curves(ui, cx, plotted, reference.as_ref());
    readout::show(ui, &curves, plotted.unit(), &transform, time);
    if response.response.clicked() || response.response.dragged() {
        go_to(cx, time);
    }
}

/// Begin and end of what is shown, s: the newest moments, or those around the past that is looked at.
fn shown_times(cx: &Context<'_>) -> (f64, f64) {
    let (history, span) = (&cx.state.history, SPANS[cx.state.span]);
    let newest = (history.end() - span).max(0.0);
    let begin = newest.min((history.now() - 0.1 * span).max(0.0));
    (begin, begin + span)
}

fn draw(
    plot: &mut PlotUi<'_>,
    cx: &Context<'_>,
    plotted: Plotted,
    curves: &[ShownCurve<'_>],
    (begin, dark): (f64, bool),
) {
    let (unit, scale) = plotted.unit();
    for shown in curves {
        for piece in shown.curve.pieces(begin) {
            let points: PlotPoints<'_> = piece.iter().map(|p| [p[0], p[1] * scale]).collect();
            let line = Line::new(shown.name, points).color(shown.color);
            plot.line(match shown.is_reference {
                true => line.style(LineStyle::dashed_loose()).width(1.4),
                false => line.width(1.8),
            });
        }
    }
    let pieces = || curves.iter().flat_map(move |c| c.curve.pieces(begin));
    let points = || pieces().flatten().copied();
    // the axis of forces ends below a short peak
    let is_force = matches!(plotted, Plotted::Force | Plotted::ForceFeedback);
    let ceiling = is_force.then(|| peaks::ceiling(points().map(|p| p[1])));
    if let Some(ceiling) = ceiling.flatten().map(|c| c * scale) {
        plot.set_plot_bounds_y(0.0..=ceiling);
        if let Some([time, value]) = peaks::highest(points()) {
            let end = (begin + 0.5 * SPANS[cx.state.span], ceiling);
            peaks::label_peak(plot, [time, value * scale], end, unit, style::strong(dark));
        }
    }
    if cx.snapshot.timeline.is_in_the_past() {
        let now = VLine::new("now", cx.state.history.now());
        plot.vline(now.stroke(Stroke::new(1.5, style::strong(dark))));
    }
}

/// Shows the moment of `time`, s.
fn go_to(cx: &mut Context<'_>, time: f64) {
    let Some(setup) = &cx.snapshot.setup else {
        return;
    };
    let timeline = &cx.snapshot.timeline;
    let frame = (time / setup.frame_duration()).round().max(0.0) as u64;
    let frame = frame.clamp(timeline.first, timeline.last.max(timeline.first));
    if timeline.is_empty() || frame == timeline.seek_target.unwrap_or(timeline.now) {
        return;
    }
    if cx.snapshot.playing {
        cx.commands.push(Command::Pause);
    }
    cx.commands.push(Command::Seek(frame));
}

/// What is being recorded, or where curves and pictures were saved, or why they were not, until it is dismissed. It lies over the plot in `frame`, so that no curve moves.
fn saved(ui: &mut Ui, cx: &mut Context<'_>, frame: &Rect) {
    let dark = ui.visuals().dark_mode;
    let pictures = &cx.state.pictures;
    let recorded = pictures.recording.as_ref().or(pictures.writing.as_ref());
    let (text, color, is_done) = match (recorded, &cx.state.saved) {
        (Some(text), _) => (text.clone(), style::strong(dark), false),
        (None, Some(Ok(path))) => {
            let text = format!("saved as {}", path.display());
            (text, style::good(dark), true)
        }
        (None, Some(Err(reason))) => (format!("not saved: {reason}"), style::alarm(dark), true),
        (None, None) => return,
    };
    let place = frame.shrink2(egui::vec2(8.0, 2.0));
    let mut line = ui.new_child(UiBuilder::new().max_rect(place));
    let ground = Frame::new()
        .fill(line.visuals().panel_fill)
        .inner_margin(Margin::symmetric(4, 2));
    ground.show(&mut line, |ui| {
        ui.horizontal(|ui| {
            if is_done && ui.small_button("Dismiss").clicked() {
                cx.state.saved = None;
            }
            ui.add(egui::Label::new(RichText::new(text).small().color(color)).truncate());
        });
    });
}
