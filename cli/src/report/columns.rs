//! The columns of the report's page: one for each method; and the table of points inside.

use pliant_core::math::numbers::{decimal, places};
use pliant_render::note::sentences;
use pliant_render::numbers::{engineering_unit, number};
use pliant_render::report::{MethodColumn, Picture, TextTable};
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
        tagline,
        pictures,
        ..MethodColumn::default()
    };
    match &result.outcome {
        Ok(run) => {
            column.rows = rows(run, comparison);
            column.findings = findings::of_method(result.method, run, comparison);
            column.notes = findings::internals(run);
        }
        Err(reason) => column.absent = Some(sentences(&reason.reason)),
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

/// Displacement and stress of the points inside.
pub(super) fn points(comparison: &Comparison) -> TextTable {
    let row = |kind: &str, point: &PointCurve| -> Vec<String> {
        let last = point.last();
        let names = [point.name.clone(), kind.to_string()];
        let lengths = [last.displacement.norm(), point.displacement_max()];
        let stresses = [last.von_mises(), point.von_mises_max()];
        let values = lengths.map(|x| with_unit(x, "m")).into_iter();
        let values = values.chain(stresses.map(|x| with_unit(x, "Pa")));
        names.into_iter().chain(values).collect()
    };
    TextTable {
        title: "Points inside",
        columns: vec![
            "point",
            "of",
            "displacement at the end",
            "at most",
            "von Mises at the end",
            "at most",
        ],
        names: 2,
        rows: comparison
            .runs()
            .flat_map(|(method, run)| run.point_curves.iter().map(move |p| row(method.name(), p)))
            .collect(),
        passed: Vec::new(),
    }
}

/// A value with a unit that suits its size; a dash where it is not finite.
pub(super) fn with_unit(value: f64, unit: &str) -> String {
    let (scale, unit) = engineering_unit(value, unit);
    if value.is_finite() {
        format!("{} {unit}", number(value * scale, 3))
    } else {
        "—".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::with_unit;

    #[test]
    fn values_have_units_of_their_size_where_they_are_finite() {
        assert_eq!(with_unit(0.0042, "m"), "4.20 mm");
        assert_eq!(with_unit(33.0, "Pa"), "33.0 Pa");
        for value in [f64::NAN, f64::INFINITY] {
            assert_eq!(with_unit(value, "m"), "—");
        }
    }
}
