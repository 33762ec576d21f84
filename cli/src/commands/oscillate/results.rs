//! Lines, JSON and plot of the runs.

use pliant_adaptive::study::reference::BlockReference;
use pliant_render::{Plot, Series};
use serde_json::{Value, json};

use super::study::StudyRun;

/// The modes from which the factors of calibrated runs are computed.
pub(super) fn reference_line(reference: &BlockReference) -> String {
    let modes: Vec<String> = reference
        .frequencies()
        .iter()
        .map(|f| format!("{f:.4}"))
        .collect();
    format!(
        "lowest modes, extrapolated over two finer meshes: {} Hz",
        modes.join(", ")
    )
}

/// One run as a line.
pub(super) fn line(StudyRun { run, factors, .. }: &StudyRun) -> String {
    let or_none =
        |v: Option<f64>, digits: usize| v.map_or("-".to_string(), |v| format!("{v:.digits$}"));
    let factors: Vec<String> = factors.iter().map(|f| format!("{f:.3}")).collect();
    format!(
        "{:<11} {:>5} nodes{}: period {:>8} s, trough {:>9} m, amplitude {:>8} m, energy drift {}{}",
        run.model.name(),
        run.nodes,
        if run.mixed { " mixed" } else { "" },
        or_none(run.period_s, 5),
        or_none(run.trough_m, 5),
        or_none(run.amplitude_m, 5),
        run.energy_drift
            .map_or("-".to_string(), |d| format!("{:.3} %", d * 100.0)),
        match factors.is_empty() {
            true => String::new(),
            false => format!(", stiffness x {}", factors.join(" and ")),
        }
    )
}

/// One run as JSON.
pub(super) fn run_json(StudyRun { run, factors, .. }: &StudyRun) -> Value {
    let at_wall = factors.first().copied().unwrap_or(1.0);
    let at_free_end = factors.last().copied().unwrap_or(1.0);
    json!({
        "model": run.model.name(), "nodes": run.nodes, "mixed": run.mixed, "calibrated": !factors.is_empty(),
        "stiffness_factor": at_wall, "stiffness_factor_free_end": at_free_end,
        "period_s": run.period_s, "trough_m": run.trough_m, "amplitude_m": run.amplitude_m,
        "mean_m": run.mean_m, "energy_drift": run.energy_drift, "diverged": run.diverged,
        "t": run.t,
        "y": run.y,
    })
}

/// All runs over time.
pub(super) fn plot(runs: &[StudyRun]) -> Plot {
    let mut plot = Plot::new(
        "Height of the free lower corner",
        ("time", "s"),
        ("height", "m"),
    );
    let palette = [
        [0.12, 0.47, 0.71],
        [0.84, 0.37, 0.0],
        [0.0, 0.62, 0.45],
        [0.8, 0.47, 0.65],
    ];
    let mut names: Vec<&str> = runs.iter().map(|s| s.run.model.name()).collect();
    names.dedup();
    for one in runs {
        let run = &one.run;
        let k = names
            .iter()
            .position(|n| *n == run.model.name())
            .unwrap_or(0);
        plot.series.push(Series {
            name: format!("{} {}{}", run.model.name(), run.nodes, one.kind()),
            color: palette[k % palette.len()],
            dashed: run.nodes < 40,
            points: run.t.iter().zip(&run.y).map(|(t, y)| [*t, *y]).collect(),
        });
    }
    plot
}
