//! The columns of the report's page: one for each method, and the rows of points inside.

use pliant_core::math::numbers::{decimal, places};
use pliant_render::note::sentences;
use pliant_render::report::{MethodColumn, Picture, PointRow};
use pliant_simulation::compare::{Comparison, FIGURES, MethodResult, MethodRun, PointCurve};

use super::metrics::{cache_suffix, hysteresis_text, oscillation_text};
use super::{findings, reference};

/// The column of one method.
pub(super) fn column(
    result: &MethodResult,
    comparison: &Comparison,
    pictures: Vec<Picture>,
) -> MethodColumn {
    let kind = result.method.name();
    let tagline = match kind {
        "adaptive" => {
            let law = comparison.setup.geometry.material.law;
            format!("explicit finite elements, {}", law.description())
        }
        "quasistatic" => "precomputed Green's functions, exact contact".to_string(),
        _ => "lattice shape matching".to_string(),
    };
    let mut column = MethodColumn {
        kind: kind.into(),
        name: kind.into(),
        tagline,
        pictures,
        ..MethodColumn::default()
    };
    match &result.outcome {
        Ok(run) => {
            column.applicable = true;
            column.rows = rows(run, comparison);
            column.findings = findings::of_method(result.method, run, comparison);
            column.notes = findings::internals(run);
        }
        Err(reason) => column.reason = sentences(&reason.reason),
    }
    column
}

fn rows(run: &MethodRun, comparison: &Comparison) -> Vec<(String, String)> {
    let wall: f64 = run.cost_ms.iter().sum::<f64>() * 1e-3;
    let simulated = run.frames as f64 * comparison.frame_duration;
    let mut rows = Vec::new();
    if let (Some(exact), Some(found)) = (comparison.reference(), &run.accuracy) {
        let words = reference::accuracy_text(found, exact, comparison.setup.diagonal);
        rows.push(("against the reference".to_string(), words));
    }
    rows.extend([
        (
            "median time a frame".to_string(),
            format!("{:.2} ms", run.cost_quantile(0.5)),
        ),
        (
            "99 % of frames below".to_string(),
            format!("{:.2} ms", run.cost_quantile(0.99)),
        ),
        (
            "simulated time over wall time".to_string(),
            decimal(simulated / wall.max(1e-9)),
        ),
        (
            "bake".to_string(),
            format!("{:.2} s{}", run.bake_s, cache_suffix(run.from_cache)),
        ),
        (
            "computed nodes".to_string(),
            run.active_nodes_max.to_string(),
        ),
    ]);
    for figure in &FIGURES {
        if let Some(value) = (figure.value)(run) {
            rows.push((figure.label.to_string(), (figure.show)(value)));
        }
    }
    for k in 0..run.probe_curves.len() {
        let (last, largest) = run.probe_summary(k);
        let digits = places(largest * 1e3, 3);
        let mut text = format!(
            "{:.digits$} mm at the end, {:.digits$} mm at most",
            last.norm() * 1e3,
            largest * 1e3
        );
        if let Some(oscillation) = oscillation_text(run, k) {
            text += &format!("; {oscillation}");
        }
        rows.push((format!("probe {}", run.probe_curves[k].0), text));
    }
    for (name, press) in &run.presses {
        rows.push((format!("hysteresis of {name}"), hysteresis_text(press)));
    }
    rows
}

/// Displacement and stress of the points inside, for the table.
pub(super) fn points(comparison: &Comparison) -> Vec<PointRow> {
    let row = |kind: &str, point: &PointCurve| {
        let last = point.last();
        PointRow {
            name: point.name.clone(),
            method: kind.to_string(),
            displacement: [last.displacement.norm(), point.displacement_max()],
            von_mises: [last.von_mises(), point.von_mises_max()],
        }
    };
    comparison
        .runs()
        .flat_map(|(method, run)| run.point_curves.iter().map(move |p| row(method.name(), p)))
        .collect()
}
