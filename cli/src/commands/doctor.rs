//! `pliant doctor`: what this machine offers.

use pliant_meshing::tetgen::TetGenProcess;
use serde_json::json;

use crate::failure::Failure;
use crate::machine::{cores, display_state, kernels, simd};
use crate::output::Done;
use crate::session::Session;

/// Runs the command.
pub fn doctor(session: &Session) -> Result<Done, Failure> {
    let out = &session.output;
    let cores = cores();
    let simd = simd();
    let display = display_state();
    let tetgen = TetGenProcess::find().map(|t| t.program.display().to_string());
    let (assets, bytes) = session.cache.usage();
    let folder = session.cache.folder().map(|f| f.display().to_string());
    out.line(format!("pliant      {}", env!("CARGO_PKG_VERSION")));
    out.line(format!("cores       {cores}"));
    out.line(format!(
        "simd        {}; kernels use {}",
        simd.join(", "),
        kernels()
    ));
    out.line(format!("graphics    {display}"));
    out.line(format!(
        "tetgen      {}",
        tetgen
            .as_deref()
            .unwrap_or("not found (optional; `apt install tetgen` or similar)")
    ));
    out.line("haptics     no drivers; `pliant servo` takes scripts, recordings and tip positions from the network");
    match &folder {
        Some(folder) => out.line(format!(
            "cache       {folder}: {assets} assets, {:.1} MB",
            bytes as f64 / 1e6
        )),
        None => out.line("cache       none"),
    }
    Ok(Done::new(json!({
        "cores": cores, "simd": simd, "kernels": kernels(), "display": display, "viewer": cfg!(feature = "viewer"),
        "tetgen": tetgen.ok(), "haptic_devices": [],
        "cache": { "folder": folder, "assets": assets, "bytes": bytes },
    })))
}
