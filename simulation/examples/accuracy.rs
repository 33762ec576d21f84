//! The table of `docs/accuracy.md`: every method at its defaults against the reference, on bodies of ours or on mesh files.
//!
//! `cargo run --release -p pliant-simulation --example accuracy -- [SECONDS] [MESH ...]`; without meshes the bodies and scenes that the document shows. Prints Markdown.

use std::process::ExitCode;
use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::scene::{MeshSource, Method, ReferenceChoice};
use pliant_render::numbers::number;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::compare::{CompareOptions, Comparison, MethodResult, compare};
use pliant_simulation::error::BuildError;
use pliant_simulation::scenes::{ImportOptions, LoadedScene, load};
use pliant_simulation::setup::prepare;

/// Bodies that are put into the drop-in scene.
const BODIES: [&str; 5] = ["penguin", "rabbit", "dragon", "kidney", "nodule"];
/// Bundled scenes as they are.
const SCENES: [&str; 3] = ["poke", "welcome", "cantilever"];
/// Simulated seconds where nothing is said: the press and half of the hold.
const SECONDS: f64 = 2.0;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (seconds, files) = match arguments.first().and_then(|word| word.parse::<f64>().ok()) {
        Some(seconds) => (seconds, &arguments[1..]),
        None => (SECONDS, &arguments[..]),
    };
    let cache = AssetCache::open(None);
    println!(
        "| body | reference | adaptive | quasistatic | lattice | quasistatic, linear reference |"
    );
    println!("|---|---|---|---|---|---|");
    let mut failed = false;
    let scenes: Vec<(String, Result<LoadedScene, BuildError>)> = if files.is_empty() {
        let bodies = BODIES
            .iter()
            .map(|name| (format!("`drop-in` with `{name}`"), drop_in_scene(name)));
        let bundled = SCENES
            .iter()
            .map(|name| (format!("`{name}`"), load(name, &ImportOptions::default())));
        bodies.chain(bundled).collect()
    } else {
        let named = files.iter().map(|file| {
            let name = std::path::Path::new(file).file_stem();
            let name = name.map_or(file.clone(), |n| n.to_string_lossy().into_owned());
            (name, load(file, &ImportOptions::default()))
        });
        named.collect()
    };
    for (name, scene) in scenes {
        match scene.and_then(|scene| row(&scene, seconds, &cache)) {
            Ok(cells) => println!("| {name} | {} |", cells.join(" | ")),
            Err(error) => {
                failed = true;
                println!(
                    "| {name} | {} | | | | |",
                    error.to_string().replace('\n', ";")
                );
            }
        }
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// The drop-in scene with a body of ours.
fn drop_in_scene(name: &str) -> Result<LoadedScene, BuildError> {
    let mut scene = load("drop-in", &ImportOptions::default())?;
    scene.description.body.mesh = MeshSource::Procedural {
        name: name.into(),
        size: None,
        edge: None,
        longest: Some(0.3),
        rest_on_floor: false,
    };
    Ok(scene)
}

/// The cells of a body: all methods against the dynamic reference, then the quasistatic method against the linear one.
fn row(scene: &LoadedScene, seconds: f64, cache: &AssetCache) -> Result<Vec<String>, BuildError> {
    let progress = Progress::new();
    let setup = Arc::new(prepare(scene, &progress)?);
    let compared = |methods: Option<Vec<Method>>, reference: ReferenceChoice| {
        let options = CompareOptions {
            methods,
            duration: Some(seconds),
            reference: Some(reference),
            ..CompareOptions::new(cache)
        };
        compare(setup.clone(), &options, &progress)
    };
    let mut cells = cells(&compared(None, ReferenceChoice::Dynamic)?);
    let linear = compared(Some(vec![Method::Quasistatic]), ReferenceChoice::Linear)?;
    cells.push(match (&linear.reference, linear.methods.first()) {
        (Some(Ok(reference)), Some(result)) if reference.force.is_some() => {
            format!("{} of {}", force_cell(result), reference_cell(&linear))
        }
        _ => "—".into(),
    });
    Ok(cells)
}

/// Force and uncertainty of the reference.
fn reference_cell(comparison: &Comparison) -> String {
    match &comparison.reference {
        Some(Ok(reference)) => match &reference.force {
            Some(reference_force) => format!(
                "{} N ± {:.0} %",
                number(reference_force.force, 3),
                100.0 * reference_force.uncertainty / reference_force.force
            ),
            None => "no force".into(),
        },
        Some(Err(reason)) => reason.reason.replace('\n', ";"),
        None => String::new(),
    }
}

/// Deviation of the force.
fn force_cell(result: &MethodResult) -> String {
    match &result.outcome {
        Ok(run) => {
            let error = run.accuracy.as_ref().and_then(|found| found.force_error);
            // a sum with zero has no minus before a zero
            error.map_or("no force".into(), |e| {
                format!("{:+.0} %", (100.0 * e).round() + 0.0)
            })
        }
        Err(reason) => format!("— ({})", reason.code),
    }
}

/// The reference, then each method: deviation of the force, of the skin, and time a frame.
fn cells(comparison: &Comparison) -> Vec<String> {
    let diagonal = comparison.setup.diagonal;
    let mut cells = vec![reference_cell(comparison)];
    for method in Method::ALL {
        let result = comparison.methods.iter().find(|m| m.method == method);
        cells.push(result.map_or("—".into(), |result| {
            let force = force_cell(result);
            let Ok(run) = &result.outcome else {
                return force;
            };
            let found = run.accuracy.clone().unwrap_or_default();
            let cost = run.cost_quantile(0.5);
            let digits = if cost < 0.1 { 2 } else { 1 };
            format!(
                "{force}, skin {:.2} %, {cost:.digits$} ms",
                100.0 * found.surface_rms / diagonal
            )
        }));
    }
    cells
}
