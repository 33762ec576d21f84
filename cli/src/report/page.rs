//! The files of a comparison: page, pictures, curves.

use pliant_core::diagnostics::capitalised;
use pliant_core::math::numbers::decimal;
use pliant_core::mesh::SurfaceFrame;
use pliant_render::report::{Picture, TextTable};
use pliant_render::{Report, html};
use pliant_simulation::compare::Comparison;
use pliant_simulation::setup::Setup;
use serde_json::{Value, json};

use super::checks::{self, CheckResult};
use super::columns::{column, points, with_unit};
use super::curves::curves_csv;
use super::moments::shown_moments;
use super::plots::curves;
use super::{findings, pictures, reference};
use crate::failure::Failure;
use crate::machine::machine_line;
use crate::output::OutFolder;

/// Writes all files. Every kept skin is drawn if `draws_all`; otherwise one per simulated second, and the one in which the bodies move most. The page shows the telling moments. Returns the JSON object of their paths relative to the folder.
pub fn write(
    comparison: &Comparison,
    checks: &[CheckResult],
    out: &OutFolder,
    command: &str,
    draws_all: bool,
) -> Result<Value, Failure> {
    out.clear("frames");
    out.write("curves.csv", curves_csv(comparison).as_bytes())?;
    let mut frames = Vec::new();
    let mut columns = Vec::new();
    let setup = &comparison.setup;
    let kept: Vec<&[SurfaceFrame]> = comparison
        .runs()
        .map(|(_, run)| run.kept.as_slice())
        .collect();
    let shown = pictures::most_active_frame(setup, &kept);
    let is_drawn = |k: usize| {
        let second = comparison.kept_times.get(k).copied().unwrap_or(0.0);
        draws_all || k == shown || (second - second.round()).abs() <= 1e-6
    };
    let drawn = kept.iter().flat_map(|frames| frames.iter().enumerate());
    let drawn = drawn.filter(|(k, _)| is_drawn(*k)).map(|f| f.1);
    let moments = shown_moments(comparison);
    let told = moments.iter().flat_map(|moment| &moment.skins);
    let drawn: Vec<&SurfaceFrame> = drawn.chain(told.map(|(_, skin)| *skin)).collect();
    let camera = pictures::camera(setup, &drawn);
    for result in &comparison.methods {
        let kind = result.method.name();
        let skins = result.outcome.iter().flat_map(|run| run.kept.iter());
        for (k, frame) in skins.enumerate().filter(|(k, _)| is_drawn(*k)) {
            let second = comparison.kept_times.get(k).copied().unwrap_or(0.0);
            let tools = comparison.kept_tools.get(k).map_or(&[][..], Vec::as_slice);
            let png = pictures::draw(setup, &camera, kind, frame, tools)?;
            let name = format!("frames/{kind}-{second:05.2}s.png");
            out.write(&name, &png)?;
            frames.push(name);
        }
        let mut told = Vec::new();
        for moment in &moments {
            let skin = moment.skins.iter().find(|(of, _)| *of == result.method);
            if let Some((_, skin)) = skin {
                told.push(Picture {
                    caption: moment.caption(),
                    png: pictures::draw(setup, &camera, kind, skin, moment.tools)?,
                });
            }
        }
        columns.push(column(result, comparison, told));
    }
    let page = Report {
        title: title(setup, columns.len()),
        subtitle: subtitle(setup),
        summary: summary_of(comparison),
        methods: columns,
        curves: curves(comparison),
        texts: vec![pairs(comparison), points(comparison), checks::table(checks)],
        findings: findings::of_run(comparison, checks),
        notes: findings::scene_findings(comparison).1,
        reproduce: command.to_string(),
        machine: machine_line(),
        footer: format!("Pliant {}", env!("CARGO_PKG_VERSION")),
        ..Report::default()
    };
    out.write("report.html", html(&page).as_bytes())?;
    Ok(
        json!({ "report": "report.html", "json": "report.json", "curves": "curves.csv", "frames": frames }),
    )
}

fn title(setup: &Setup, methods: usize) -> String {
    let description = &setup.description;
    let about = match (description.title.as_str(), methods) {
        ("", 1) => "one method",
        ("", 2) => "two methods on one scene",
        ("", _) => "three methods on one scene",
        (given, _) => given,
    };
    format!("{}: {about}", description.name)
}

fn pairs(comparison: &Comparison) -> TextTable {
    let rows = comparison.pairs.iter().map(|p| {
        let [rms, max] = [p.distance.rms, p.distance.max].map(|length| with_unit(length, "m"));
        let names = format!("{} – {}", p.a.name(), p.b.name());
        vec![names, rms, max, p.frame.to_string()]
    });
    TextTable {
        title: "Distance between surfaces",
        columns: vec!["pair", "root mean square", "largest", "frame"],
        names: 1,
        rows: rows.collect(),
        passed: Vec::new(),
    }
}

/// Which method is nearest to the reference and cheapest, and what the reference is; empty without a reference.
fn summary_of(comparison: &Comparison) -> String {
    let found = reference::summary(comparison);
    let about = reference::describe(comparison).map(|about| capitalised(&about) + ".");
    let sentences: Vec<String> = found.into_iter().chain(about).collect();
    sentences.join(" ")
}

fn subtitle(setup: &Setup) -> String {
    let d = &setup.description;
    let m = &d.body.material;
    format!(
        "{} skin vertices, E = {} Pa, ν = {}, ρ = {} kg/m³, {} frames a second",
        setup.skin().vertex_count(),
        decimal(m.elastic.young),
        m.elastic.poisson,
        m.density,
        d.frame_rate
    )
}
