//! What frames of bodies cost that blades cut: work of the nominal machine, and processor time of this one; and whether what is drawn, recorded and exported is closed and manifold after each frame.
//!
//! `cargo run --release -p pliant-simulation --example cutting -- [METHOD] [SCENE ...]`; without words both methods in the bundled scenes with blades. Prints Markdown, and fails where a surface is not closed.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use pliant_adaptive::NANOSECONDS_PER_TET;
use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::mesh::validate::topology;
use pliant_core::scene::Method;
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::error::BuildError;
use pliant_simulation::scenes::{ImportOptions, load};
use pliant_simulation::setup::prepare;
use pliant_simulation::world::{Interaction, World};

/// Bundled scenes with blades.
const SCENES: [&str; 3] = ["cut", "slice", "incision"];

/// Counters of what is cut.
const CUT: [&str; 2] = ["cut_edges", "broken_links"];

/// What one frame cost, ms.
#[derive(Debug, Clone, Copy)]
struct FrameCost {
    /// of the nominal machine
    nominal: f64,
    /// of this processor
    measured: f64,
    /// whether something was cut
    cuts: bool,
    /// edges of what is drawn that are open or not manifold, and vertices that are not
    faults: [usize; 2],
}

/// Edges with another number of triangles than two, or with two that go the same way, and vertices with several fans, of what is drawn of a cut body.
fn faults(frame: &SurfaceFrame) -> [usize; 2] {
    let Some(cut) = &frame.cut else {
        return [0; 2];
    };
    let found = topology(&cut.closed());
    let edges = [
        found.boundary_edges.len(),
        found.non_manifold_edges.len(),
        found.misoriented_edges.len(),
    ];
    [edges.iter().sum(), found.non_manifold_vertices.len()]
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let first = arguments.first().and_then(|word| Method::from_name(word));
    let methods = first.map_or(vec![Method::Adaptive, Method::Lattice], |m| vec![m]);
    let named = &arguments[usize::from(first.is_some())..];
    let scenes: Vec<&str> = match named {
        [] => SCENES.to_vec(),
        _ => named.iter().map(String::as_str).collect(),
    };
    println!(
        "| scene | method | frames, of which cut | nominal ms: median, p99, most | processor ms: median, p99, most | most in a frame that cuts | frames that are not closed and manifold; edges, vertices at most |"
    );
    println!("|---|---|---|---|---|---|---|");
    let cache = AssetCache::open(None);
    let mut failed = false;
    for name in scenes {
        for &method in &methods {
            match measured(name, method, &cache) {
                Ok(frames) => {
                    failed |= frames.iter().any(|frame| frame.faults != [0; 2]);
                    let nominal = method == Method::Adaptive;
                    println!(
                        "| `{name}` | {} | {} |",
                        method.name(),
                        cells(&frames, nominal)
                    );
                }
                Err(error) => {
                    failed = true;
                    let line = error.to_string().replace('\n', ";");
                    println!("| `{name}` | {} | {line} | | | | |", method.name());
                }
            }
        }
    }
    match failed {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}

/// Runs a scene on one thread.
fn measured(name: &str, method: Method, cache: &AssetCache) -> Result<Vec<FrameCost>, BuildError> {
    let progress = Progress::new();
    let scene = load(name, &ImportOptions::default())?;
    let setup = Arc::new(prepare(&scene, &progress)?);
    let built = build_method(&setup, method, cache, &progress)?;
    let mut world = World::new(method, built.model, Arc::clone(&setup));
    let count = setup.frames(setup.description.duration);
    let run = || {
        let mut frames = Vec::with_capacity(count);
        let mut before = 0.0;
        for _ in 0..count {
            let start = processor_time();
            let Ok(output) = world.step_frame(&Interaction::default()) else {
                break;
            };
            let measured = (processor_time() - start).as_secs_f64() * 1e3;
            let nominal = output.report.work_used as f64 * NANOSECONDS_PER_TET * 1e-6;
            let counters = world.model().stats().counters;
            let cut = counters.iter().find(|(name, _)| CUT.contains(name));
            let now = cut.map_or(0.0, |(_, count)| *count);
            frames.push(FrameCost {
                nominal,
                measured,
                cuts: now != before,
                faults: faults(world.frame()),
            });
            before = now;
        }
        frames
    };
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    Ok(alone.map_or_else(|_| Vec::new(), |pool| pool.install(run)))
}

fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// `has_nominal`: whether work units are those of the nominal machine.
fn cells(frames: &[FrameCost], has_nominal: bool) -> String {
    let quantiles = |value: fn(&FrameCost) -> f64| {
        let mut all: Vec<f64> = frames.iter().map(value).collect();
        all.sort_by(f64::total_cmp);
        let quantile = |q: f64| {
            all.get(((all.len() as f64 * q) as usize).min(all.len() - 1))
                .copied()
        };
        [0.5, 0.99, 1.0]
            .map(|q| format!("{:.1}", quantile(q).unwrap_or(0.0)))
            .join(", ")
    };
    let cutting = frames.iter().filter(|f| f.cuts);
    let most = cutting.clone().map(|f| f.measured).fold(0.0, f64::max);
    let open = frames.iter().filter(|f| f.faults != [0; 2]).count();
    let worst = |k: usize| frames.iter().map(|f| f.faults[k]).max().unwrap_or(0);
    let nominal = match has_nominal {
        true => quantiles(|f| f.nominal),
        false => "—".into(),
    };
    format!(
        "{}, {} | {nominal} | {} | {most:.1} | {open}; {}, {}",
        frames.len(),
        cutting.count(),
        quantiles(|f| f.measured),
        worst(0),
        worst(1)
    )
}
