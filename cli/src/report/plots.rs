//! The plots of a comparison: forces, probes, points inside, cost.

use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;
use pliant_render::color::method_color;
use pliant_render::{Plot, Series};
use pliant_simulation::compare::{Comparison, MethodRun};

/// A grey that is readable on light and on dark pages.
pub(super) const GREY: [f32; 3] = [0.5, 0.5, 0.5];

/// All plots, in the order of the page.
pub(super) fn curves(comparison: &Comparison) -> Vec<Plot> {
    let mut plots = Vec::new();
    let setup = &comparison.setup;
    let reference = comparison.reference().map(|reference| &reference.fine);
    for (k, name) in setup.force_names().enumerate() {
        let force = |run: &MethodRun| run.force_curves[k].1.clone();
        let mut runs = comparison.runs();
        if runs.any(|(_, run)| force(run).iter().any(|f| *f > 0.0)) {
            let title = format!("Force of {name}");
            let exact = reference.map(|fine| fine.forces[k].clone());
            plots.push(plot(comparison, &title, ("force", "N"), force, exact));
        }
    }
    let lengths = |curve: &[Vec3]| -> Vec<f64> { curve.iter().map(|v| v.norm() * 1e3).collect() };
    for (k, probe) in setup.probes.iter().enumerate() {
        let title = format!("Displacement of {}", probe.name);
        let displacement = |run: &MethodRun| lengths(&run.probe_curves[k].1);
        let exact = reference.map(|fine| lengths(&fine.probes[k]));
        let axis = ("displacement", "mm");
        plots.push(plot(comparison, &title, axis, displacement, exact));
    }
    plots.extend(point_plots(comparison));
    let title = "Cost of a frame (wall time)";
    let cost = |run: &MethodRun| run.cost_ms.clone();
    plots.push(plot(comparison, title, ("cost", "ms"), cost, None));
    plots
}

/// A plot over time with a curve of each method, and that of the reference.
fn plot(
    comparison: &Comparison,
    title: &str,
    axis: (&str, &str),
    values: impl Fn(&MethodRun) -> Vec<f64>,
    exact: Option<Vec<f64>>,
) -> Plot {
    let mut plot = Plot::new(title, ("time", "s"), axis);
    let curves = comparison.runs();
    let curves = curves.map(|(method, run)| series(method, run, values(run)));
    plot.series.extend(curves);
    let time = |frame: usize| (frame + 1) as f64 * comparison.frame_duration;
    plot.series.extend(exact.map(|values| {
        Series {
            name: "reference".into(),
            color: GREY,
            dashed: true,
            points: values
                .iter()
                .enumerate()
                .map(|(k, y)| [time(k), *y])
                .collect(),
        }
    }));
    plot
}

/// Two plots for each point inside: its displacement and its stress.
fn point_plots(comparison: &Comparison) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (method, run) in comparison.runs() {
        for curve in &run.point_curves {
            let mut add = |what: &str, axis, value: &dyn Fn(&PointState) -> f64| {
                let title = format!("{what} of {}, inside", curve.name);
                let mut plot = Plot::new(&title, ("time", "s"), axis);
                let values = curve.states.iter().map(value).collect();
                plot.series.push(series(method, run, values));
                plots.push(plot);
            };
            add("Displacement", ("displacement", "mm"), &|s| {
                s.displacement.norm() * 1e3
            });
            let stress = ("von Mises stress", "Pa");
            add("Von Mises stress", stress, &PointState::von_mises);
        }
    }
    plots
}

/// The curve of a method.
fn series(method: Method, run: &MethodRun, values: Vec<f64>) -> Series {
    let points = run.times.iter().zip(values).map(|(t, y)| [*t, y]);
    Series {
        name: method.name().into(),
        color: method_color(method.name()),
        dashed: false,
        points: points.collect(),
    }
}
