//! The files of a comparison: page, pictures, curves.

use std::fmt::Write as _;

use pliant_core::inspect::PointState;
use pliant_core::material::MaterialLaw;
use pliant_core::mesh::SurfaceFrame;
use pliant_render::color::method_color;
use pliant_render::report::{CheckRow, MethodColumn, PairRow, PointRow};
use pliant_render::{Plot, Report, Series, html};
use pliant_simulation::compare::{Comparison, MethodResult, MethodRun, PointCurve};
use serde_json::{Value, json};

use crate::accuracy;
use crate::curves::curves_csv;
use crate::failure::Failure;
use crate::metrics::CheckResult;
use crate::out_folder::OutFolder;
use crate::pictures;

/// A grey that is read on light and on dark pages.
const REFERENCE_COLOR: [f32; 3] = [0.5, 0.5, 0.5];

/// Writes everything; the JSON object of paths relative to the folder.
pub fn write(
    comparison: &Comparison,
    checks: &[CheckResult],
    out: &OutFolder,
    command: &str,
    with_pictures: bool,
) -> Result<Value, Failure> {
    out.clear("frames");
    out.write("curves.csv", curves_csv(comparison).as_bytes())?;
    let mut frames = Vec::new();
    let mut columns = Vec::new();
    let setup = &comparison.setup;
    let kept: Vec<&[SurfaceFrame]> = comparison
        .methods
        .iter()
        .filter_map(|m| m.outcome.as_ref().ok())
        .map(|run| run.kept.as_slice())
        .collect();
    let shown = pictures::liveliest(setup, &kept);
    // one picture a second, and the moment that the page shows
    let is_drawn = |k: usize| {
        let second = comparison.kept_times.get(k).copied().unwrap_or(0.0);
        k == shown || (second - second.round()).abs() <= 1e-6
    };
    let drawn = kept.iter().flat_map(|frames| frames.iter().enumerate());
    let drawn: Vec<&SurfaceFrame> = drawn.filter(|(k, _)| is_drawn(*k)).map(|f| f.1).collect();
    let camera = pictures::camera(setup, &drawn);
    for result in &comparison.methods {
        let kind = result.method.name();
        let mut picture = Vec::new();
        if with_pictures && let Ok(run) = &result.outcome {
            for (k, frame) in run.kept.iter().enumerate() {
                if !is_drawn(k) {
                    continue;
                }
                let second = comparison.kept_times.get(k).copied().unwrap_or(0.0);
                let tools = comparison.kept_tools.get(k).map_or(&[][..], Vec::as_slice);
                let canvas = pictures::draw(setup, &camera, kind, frame, tools);
                let png = canvas
                    .png()
                    .map_err(|e| Failure::from_text("Picture", &e.to_string(), None))?;
                let name = format!("frames/{kind}-{:05.2}s.png", second);
                out.write(&name, &png)?;
                frames.push(name);
                if k == shown {
                    picture = png;
                }
            }
        }
        columns.push(column(result, comparison, picture));
    }
    let description = &setup.description;
    let about = match (description.title.as_str(), columns.len()) {
        ("", 1) => "one method",
        ("", 2) => "two methods on one scene",
        ("", _) => "three methods on one scene",
        (title, _) => title,
    };
    let page = Report {
        title: format!("{}: {about}", description.name),
        subtitle: subtitle(comparison, comparison.kept_times.get(shown).copied()),
        summary: summary_of(comparison),
        methods: columns,
        curves: curves(comparison),
        pairs: comparison
            .pairs
            .iter()
            .map(|p| PairRow {
                a: p.a.name().into(),
                b: p.b.name().into(),
                surface_rms: p.distance.rms,
                surface_max: p.distance.max,
                frame: p.frame as u64,
            })
            .collect(),
        points: points(comparison),
        checks: checks
            .iter()
            .filter_map(|c| {
                Some(CheckRow {
                    metric: c.description.metric.clone(),
                    of: c.description.of.name().into(),
                    against: c.description.against.clone(),
                    value: c.value,
                    max: c.description.max,
                    pass: c.pass?,
                })
            })
            .collect(),
        notes: {
            let explained = accuracy::explanations(comparison);
            explained.into_iter().chain(setup.notes.clone()).collect()
        },
        reproduce: command.to_string(),
        machine: crate::doctor::machine_line(),
        footer: format!("Pliant {}", env!("CARGO_PKG_VERSION")),
    };
    out.write("report.html", html(&page).as_bytes())?;
    Ok(
        json!({ "report": "report.html", "json": "report.json", "curves": "curves.csv", "frames": frames }),
    )
}

/// Which method is nearest to the reference and cheapest, and what the reference is; empty where none was asked for.
fn summary_of(comparison: &Comparison) -> String {
    let found = accuracy::summary(comparison);
    let about = accuracy::about(comparison).map(|about| {
        let mut letters = about.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).chain(['.']).collect()
    });
    let sentences: Vec<String> = found.into_iter().chain(about).collect();
    sentences.join(" ")
}

fn subtitle(comparison: &Comparison, shown_at: Option<f64>) -> String {
    let setup = &comparison.setup;
    let d = &setup.description;
    let m = &d.body.material;
    let mut text = format!(
        "{} skin vertices, E = {:.3e} Pa, ν = {:.3}, ρ = {} kg/m³, {} frames a second",
        setup.skin().vertex_count(),
        m.elastic.young,
        m.elastic.poisson,
        m.density,
        d.frame_rate
    );
    if let Some(time) = shown_at {
        let _ = write!(text, "; pictures at {time:.2} s");
    }
    text
}

fn column(result: &MethodResult, comparison: &Comparison, picture: Vec<u8>) -> MethodColumn {
    let kind = result.method.name();
    let tagline = match kind {
        "adaptive" => match comparison.setup.geometry.material.law {
            MaterialLaw::Green => "explicit finite elements, Green strain",
            MaterialLaw::StableNeoHookean => "explicit finite elements, stable neo-Hookean",
            MaterialLaw::Corotated => "explicit finite elements, corotated strain",
            MaterialLaw::Cauchy | MaterialLaw::SimplifiedCauchy => {
                "explicit finite elements, linear strain"
            }
        },
        "quasistatic" => "precomputed Green's functions, exact contact",
        _ => "lattice shape matching",
    };
    let mut column = MethodColumn {
        kind: kind.into(),
        name: kind.into(),
        tagline: tagline.into(),
        picture_png: picture,
        ..MethodColumn::default()
    };
    match &result.outcome {
        Ok(run) => {
            column.applicable = true;
            column.rows = rows(run, comparison);
            // what concerns all methods stands once, below the columns
            let shared = &comparison.setup.notes;
            column.notes = run
                .notes
                .iter()
                .filter(|n| !shared.contains(n))
                .cloned()
                .collect();
        }
        Err(reason) => column.reason = reason.reason.replace("\n  ", "; "),
    }
    column
}

fn rows(run: &MethodRun, comparison: &Comparison) -> Vec<(String, String)> {
    let wall: f64 = run.cost_ms.iter().sum::<f64>() * 1e-3;
    let simulated = run.frames as f64 * comparison.frame_duration;
    let mut rows = Vec::new();
    if let (Some(reference), Some(found)) = (comparison.reference(), &run.accuracy) {
        let words = accuracy::in_words(found, reference, comparison.setup.diagonal);
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
            "faster than real time".to_string(),
            format!("{:.1} times", simulated / wall.max(1e-9)),
        ),
        (
            "bake".to_string(),
            format!(
                "{:.2} s{}",
                run.bake_s,
                if run.from_cache {
                    " (from the cache)"
                } else {
                    ""
                }
            ),
        ),
        (
            "largest force".to_string(),
            format!("{:.4} N", run.force_max),
        ),
        (
            "deepest violation".to_string(),
            format!("{:.3} mm", run.violation_max * 1e3),
        ),
        (
            "computed nodes".to_string(),
            run.active_nodes_max.to_string(),
        ),
    ]);
    if let Some(balance) = run.energy_balance {
        rows.push((
            "energy balance".to_string(),
            format!("{:.2} %", balance * 100.0),
        ));
    }
    for k in 0..run.probe_curves.len() {
        let (last, largest) = run.probe_summary(k);
        rows.push((
            format!("probe {}", run.probe_curves[k].0),
            format!(
                "{:.3} mm at the end, {:.3} mm at most",
                last.norm() * 1e3,
                largest * 1e3
            ),
        ));
    }
    rows.push((
        "surface hash".to_string(),
        format!("{:016x}", run.surface_hash),
    ));
    rows
}

/// Methods that ran, by name.
pub fn runs(comparison: &Comparison) -> impl Iterator<Item = (&'static str, &MethodRun)> {
    comparison
        .methods
        .iter()
        .filter_map(|m| Some((m.method.name(), m.outcome.as_ref().ok()?)))
}

fn curves(comparison: &Comparison) -> Vec<Plot> {
    let mut plots = Vec::new();
    let setup = &comparison.setup;
    for k in 0..setup.tools.len() + setup.grabs.len() {
        let touched =
            runs(comparison).any(|(_, run)| run.force_curves[k].1.iter().any(|f| *f > 0.0));
        if !touched {
            continue;
        }
        let name = setup
            .tools
            .get(k)
            .map_or_else(|| &setup.grabs[k - setup.tools.len()].name, |t| &t.name);
        let mut plot = Plot::new(&format!("Force of {name}"), ("time", "s"), ("force", "N"));
        for (kind, run) in runs(comparison) {
            plot.series.push(series(
                kind,
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
        for (kind, run) in runs(comparison) {
            let points = run
                .times
                .iter()
                .zip(&run.probe_curves[k].1)
                .map(|(t, v)| [*t, v.norm() * 1e3]);
            plot.series.push(series(kind, points));
        }
        if let Some(reference) = comparison.reference() {
            let values = reference.fine.probes[k].iter().map(|v| v.norm() * 1e3);
            plot.series.push(dashed(comparison, values));
        }
        plots.push(plot);
    }
    plots.extend(point_plots(comparison));
    let mut cost = Plot::new("Cost of a frame (wall time)", ("time", "s"), ("cost", "ms"));
    for (kind, run) in runs(comparison) {
        cost.series.push(series(
            kind,
            run.times.iter().zip(&run.cost_ms).map(|(t, c)| [*t, *c]),
        ));
    }
    plots.push(cost);
    plots
}

/// What the points inside felt, for the table.
fn points(comparison: &Comparison) -> Vec<PointRow> {
    let row = |kind: &str, point: &PointCurve| {
        let last = point.last();
        PointRow {
            name: point.name.clone(),
            method: kind.to_string(),
            displacement: [last.displacement.norm(), point.displacement_max()],
            von_mises: [last.von_mises(), point.von_mises_max()],
        }
    };
    runs(comparison)
        .flat_map(|(kind, run)| run.point_curves.iter().map(move |p| row(kind, p)))
        .collect()
}

/// Two plots for each point inside: its displacement and its stress.
fn point_plots(comparison: &Comparison) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (kind, run) in runs(comparison) {
        for curve in &run.point_curves {
            let with_value =
                |title: String, unit: (&str, &str), value: &dyn Fn(&PointState) -> f64| {
                    let mut plot = Plot::new(&title, ("time", "s"), unit);
                    let points = run.times.iter().zip(&curve.states);
                    plot.series
                        .push(series(kind, points.map(|(t, s)| [*t, value(s)])));
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
