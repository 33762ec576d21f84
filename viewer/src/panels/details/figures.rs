//! Figures of a method: sizes, what the last frame took, and what came out.

use egui::{RichText, Ui};
use pliant_core::scene::Method;
use pliant_render::numbers::{grouped, number, quantity};
use pliant_simulation::snapshot::{PaneSnapshot, WorldSnapshot};
use pliant_simulation::world::METRICS;

use super::values::{self, MISSING_VALUE, in_one_line, measured};
use super::wording::{self, Group};
use crate::panels::header::node_count;
use crate::state::ForceSource;
use crate::style;

/// A figure: what it is called, its value, and what it means.
pub struct Figure {
    label: String,
    value: String,
    hint: String,
}

impl Figure {
    fn new(label: impl Into<String>, value: String, hint: &str) -> Self {
        Self {
            label: label.into(),
            value,
            hint: hint.to_string(),
        }
    }
}

/// The figures of a pane that stand in a group.
pub fn of(pane: &PaneSnapshot, group: Group, snapshot: &WorldSnapshot) -> Vec<Figure> {
    let stats = &pane.stats;
    let mut all = Vec::new();
    if group == Group::Resolution && stats.total_nodes + stats.active_nodes > 0 {
        let hint = "those that are computed";
        all.push(Figure::new("Nodes", node_count(stats), hint));
        let elements = match pane.method {
            Method::Adaptive => Some(("Elements", "tetrahedra")),
            Method::Quasistatic => Some(("Stored columns", "of Green's functions")),
            Method::Lattice => None,
        };
        if let Some((label, hint)) = elements.filter(|_| stats.elements > 0) {
            all.push(Figure::new(label, grouped(stats.elements), hint));
        }
        let memory = format!("{:.1} MB", stats.bytes as f64 / 1e6);
        all.push(Figure::new("Memory", memory, "asset and state"));
    }
    if group == Group::Result {
        results(pane, snapshot, &mut all);
    }
    if group == Group::Metrics {
        metrics(pane, snapshot, &mut all);
    }
    for (name, value) in &stats.counters {
        match wording::of_figure(name) {
            Some(word) if word.group == group => {
                let value = match *name {
                    // as the parameter beside it
                    "young_reached" => format!("{} Pa", counter(value.round())),
                    "column_bytes" => format!("{} MB", number(1e-6 * value, 3)),
                    "column_error" => format!("{} %", number(1e2 * value, 3)),
                    "single_precision" => values::yes_or_no(*value != 0.0).to_string(),
                    _ => counter(*value),
                };
                let value = of_one_body(name, value, snapshot);
                all.push(Figure::new(word.label, value, word.source));
            }
            None if group == Group::Internals && !wording::is_repeated(name) => {
                all.push(Figure::new(wording::plain(name), counter(*value), ""));
            }
            _ => {}
        }
    }
    all
}

/// Force, cost and probes.
fn results(pane: &PaneSnapshot, snapshot: &WorldSnapshot, all: &mut Vec<Figure>) {
    let source = ForceSource::of(snapshot, false);
    if source != ForceSource::Nothing {
        let size = source.size(pane);
        let force = size.map_or(MISSING_VALUE.to_string(), |size| measured(size, "N"));
        all.push(Figure::new("Force", force, &source.caption()));
    }
    let probes = snapshot.setup.iter().flat_map(|s| &s.probes);
    for (probe, value) in probes.zip(&pane.probes) {
        let hint = "displacement from rest";
        let value = measured(value.norm(), "m");
        all.push(Figure::new(format!("Probe {}", probe.name), value, hint));
    }
    let cost = match pane.cost_ms > 0.0 {
        true => format!("{} ms", number(pane.cost_ms, 3)),
        false => MISSING_VALUE.to_string(),
    };
    let hint = "wall time of the last frame, with its contact";
    all.push(Figure::new("Cost of a frame", cost, hint));
}

/// The metrics that the method has, and how far its skin is from those of the others.
fn metrics(pane: &PaneSnapshot, snapshot: &WorldSnapshot, all: &mut Vec<Figure>) {
    for metric in METRICS {
        if let Some(value) = (metric.value)(&pane.metrics) {
            let text = match metric.unit {
                "" => format!("{} %", number(1e2 * value, 3)),
                unit => measured(value, unit),
            };
            all.push(Figure::new(metric.label, text, metric.about));
        }
    }
    for (other, distance) in snapshot.panes.iter().zip(&pane.distances) {
        if let Some(distance) = distance {
            let label = format!("Distance to {}", style::title(other.method));
            // a unit does not stand in another line than its number
            let [rms, max] = [distance.rms, distance.max].map(|x| in_one_line(&measured(x, "m")));
            let hint = "between the skins: root mean square, weighted by area, and largest";
            all.push(Figure::new(label, format!("{rms}, at most {max}"), hint));
        }
    }
}

/// Shows figures as rows of a grid with three columns.
pub fn rows(ui: &mut Ui, figures: &[Figure]) {
    for figure in figures {
        let name = ui.label(style::secondary(ui, &figure.label));
        let value = ui.label(&figure.value);
        if !figure.hint.is_empty() {
            name.on_hover_text(&figure.hint);
            value.on_hover_text(&figure.hint);
        }
        ui.end_row();
    }
}

/// Points inside: how far each has moved and its stress, all components on hovering.
pub fn points(ui: &mut Ui, pane: &PaneSnapshot) {
    if pane.points.is_empty() {
        return;
    }
    ui.label(RichText::new("Points inside").small().strong());
    egui::Grid::new(("points", pane.method.name()))
        .num_columns(3)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            for point in &pane.points {
                let moved = &point.state.displacement;
                let [x, y, z] = [moved.x, moved.y, moved.z].map(|u| quantity(u, "m"));
                let [xx, yy, zz, yz, xz, xy] = point.state.stress.map(|s| quantity(s, "Pa"));
                let all = format!(
                    "moved by ({x}, {y}, {z})\nstress xx {xx}, yy {yy}, zz {zz}\nyz {yz}, xz {xz}, xy {xy}"
                );
                ui.label(&point.name).on_hover_text(&all);
                let stress = quantity(point.state.von_mises(), "Pa");
                for value in [measured(moved.norm(), "m"), stress] {
                    ui.label(style::secondary(ui, value)).on_hover_text(&all);
                }
                ui.end_row();
            }
        });
}

/// The servo loop of the pointer.
pub fn force_feedback(ui: &mut Ui, snapshot: &WorldSnapshot) {
    let servo = snapshot.force_feedback.as_ref();
    let Some(servo) = servo.filter(|servo| servo.ticks > 0) else {
        return;
    };
    ui.label(RichText::new("Force feedback").small().strong());
    let [ticks, late] = [servo.ticks, servo.late_ticks].map(|count| grouped(count as usize));
    let [usual, slow] = servo.work_us.map(|time| number(time, 3));
    let [near, far] = servo.latency_ms.map(|time| number(time, 3));
    for line in [
        format!("{ticks} ticks, {late} late"),
        format!("work of a tick: p50 {usual} µs, p99.9 {slow} µs"),
        format!("pointer to force: p50 {near} ms, p99 {far} ms"),
    ] {
        ui.label(style::small(ui, line));
    }
}

/// Whole numbers without decimals.
fn counter(value: f64) -> String {
    if value >= 0.0 && value.fract() == 0.0 && value < 1e15 {
        grouped(value as usize)
    } else {
        number(value, 3)
    }
}

/// Counts that models of groups have of their first body alone.
const OF_ONE_BODY: [&str; 2] = ["particles", "regions"];

/// A count that is that of one body of several, with the name of its kind.
fn of_one_body(name: &str, value: String, snapshot: &WorldSnapshot) -> String {
    let setup = snapshot.setup.as_ref().filter(|s| s.body_count() > 1);
    match setup.filter(|_| OF_ONE_BODY.contains(&name)) {
        Some(setup) => format!("{value} in one {}", setup.description.body.name),
        None => value,
    }
}
