//! Records a run in a file, runs it again from the file, and compares the hash of every surface.
//!
//! `cargo run --release -p pliant --example recording`

use std::path::PathBuf;
use std::sync::Arc;

use pliant::recording::Recording;
use pliant::simulation::compare::CompareOptions;
use pliant::simulation::recording::{RecordOptions, compare_recorded, recorded_scene, replay};
use pliant::simulation::scenes::ImportOptions;
use pliant::{Progress, Scene};

/// The recording stores this text. It has to describe every motion.
const SCENE: &str = r#"
duration = 0.6
gravity = [0.0, 0.0, 0.0]
methods = ["adaptive", "lattice"]
[[body]]
name = "pad"
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.03 }
material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.3 }
support = [ { name = "base", select = { lowest = 0.01 } } ]
adaptive = { target_edges = [0.05] }
lattice = { cell = 0.02 }
[[tool]]
name = "ball"
shape = { sphere = { radius = 0.055 } }
motion = { path = "press" }
[[path]]
name = "press"
interpolation = "smooth"
keys = [ { t = 0.0, at = [0.0, 0.11, 0.0] }, { t = 0.3, at = [0.0, 0.093, 0.0] }, { t = 0.6, at = [0.0, 0.11, 0.0] } ]
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // slower, but the hashes are the same on every machine
    pliant::use_portable_kernels();
    let file = PathBuf::from("pliant-out/press.plrec");
    let (scene, progress) = (Scene::parse(SCENE)?, Progress::new());
    let prepared = scene.prepare()?;
    let options = CompareOptions::new(prepared.cache());
    let record = RecordOptions {
        path: file.clone(),
        every: 2,
        scene: recorded_scene(&scene.loaded()?, &ImportOptions::default(), None, None)?,
    };
    compare_recorded(Arc::clone(prepared.setup()), &options, &progress, record)?;

    let bytes = std::fs::read(&file)?;
    let mut recording = Recording::read(&bytes)?;
    println!("   time   ball at   adaptive: force, surface      lattice: force, surface");
    for frame in recording.frames.iter().skip(5).step_by(6) {
        let height = 1e3 * frame.tools[0].position.y;
        let columns = frame.methods.iter().map(|state| {
            let force = state.wrenches[0].force.norm();
            format!("{force:7.3} N  {:016x}", state.surface_hash)
        });
        let columns = columns.collect::<Vec<_>>().join("   ");
        println!("{:5.2} s  {height:5.1} mm   {columns}", frame.time);
    }
    // an error where a surface differs
    let again = replay(&recording, prepared.cache(), &progress)?;
    for ((method, run), recorded) in again.runs().zip(&recording.summary.surface_hash) {
        let (name, replayed) = (method.name(), run.surface_hash);
        println!("{name:8}  recorded {recorded:016x}  replayed {replayed:016x}");
    }
    recording.frames[29].methods[1].surface_hash ^= 1;
    if let Err(error) = replay(&recording, prepared.cache(), &progress) {
        println!("\nwith one bit of the recording changed:\n{error}");
    }
    println!("\n{}: {} kB", file.display(), bytes.len() / 1000);
    Ok(())
}
