//! The plots of a comparison: forces, probes, points inside, cost.

use pliant_core::inspect::PointState;
use pliant_render::color::method_color;
use pliant_render::{Plot, Series};
use pliant_simulation::compare::Comparison;

/// A grey that is readable on light and on dark pages.
const REFERENCE_COLOR: [f32; 3] = [0.5, 0.5, 0.5];

/// All plots, in the order of the page.
pub(super) fn curves(comparison: &Comparison) -> Vec<Plot> {
    let mut plots = Vec::new();
    let setup = &comparison.setup;
    for (k, name) in setup.force_names().enumerate() {
        let touched = comparison
            .runs()
            .any(|(_, run)| run.force_curves[k].1.iter().any(|f| *f > 0.0));
        if !touched {
            continue;
        }
        let mut plot = Plot::new(&format!("Force of {name}"), ("time", "s"), ("force", "N"));
        for (method, run) in comparison.runs() {
            plot.series.push(series(
                method.name(),
                run.times
                    .iter()
                    .zip(&run.force_curves[k].1)
                    .map(|(t, f)| [*t, *f]),
            ));
        }
        if let Some(reference) = comparison.reference() {
            let forces = reference.fine.forces[k].iter();
            plot.series.push(dashed(comparison, forces.copied()));
        }
        plots.push(plot);
    }
    for (k, probe) in setup.probes.iter().enumerate() {
        let mut plot = Plot::new(
            &format!("Displacement of {}", probe.name),
            ("time", "s"),
            ("displacement", "mm"),
        );
        for (method, run) in comparison.runs() {
            let points = run
                .times
                .iter()
                .zip(&run.probe_curves[k].1)
                .map(|(t, v)| [*t, v.norm() * 1e3]);
            plot.series.push(series(method.name(), points));
        }
        if let Some(reference) = comparison.reference() {
            let values = reference.fine.probes[k].iter().map(|v| v.norm() * 1e3);
            plot.series.push(dashed(comparison, values));
        }
        plots.push(plot);
    }
    plots.extend(point_plots(comparison));
    let mut cost = Plot::new("Cost of a frame (wall time)", ("time", "s"), ("cost", "ms"));
    for (method, run) in comparison.runs() {
        cost.series.push(series(
            method.name(),
            run.times.iter().zip(&run.cost_ms).map(|(t, c)| [*t, *c]),
        ));
    }
    plots.push(cost);
    plots
}

/// Two plots for each point inside: its displacement and its stress.
fn point_plots(comparison: &Comparison) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (method, run) in comparison.runs() {
        for curve in &run.point_curves {
            let with_value =
                |title: String, unit: (&str, &str), value: &dyn Fn(&PointState) -> f64| {
                    let mut plot = Plot::new(&title, ("time", "s"), unit);
                    let points = run.times.iter().zip(&curve.states);
                    plot.series
                        .push(series(method.name(), points.map(|(t, s)| [*t, value(s)])));
                    plot
                };
            let name = &curve.name;
            plots.push(with_value(
                format!("Displacement of {name}, inside"),
                ("displacement", "mm"),
                &|s| s.displacement.norm() * 1e3,
            ));
            plots.push(with_value(
                format!("Von Mises stress of {name}, inside"),
                ("von Mises stress", "Pa"),
                &PointState::von_mises,
            ));
        }
    }
    plots
}

/// The curve of the reference.
fn dashed(comparison: &Comparison, values: impl Iterator<Item = f64>) -> Series {
    let time = |frame: usize| (frame + 1) as f64 * comparison.frame_duration;
    Series {
        name: "reference".into(),
        color: REFERENCE_COLOR,
        dashed: true,
        points: values.enumerate().map(|(k, y)| [time(k), y]).collect(),
    }
}

fn series(kind: &str, points: impl Iterator<Item = [f64; 2]>) -> Series {
    Series {
        name: kind.into(),
        color: method_color(kind),
        dashed: false,
        points: points.collect(),
    }
}
