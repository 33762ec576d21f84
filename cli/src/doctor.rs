//! `pliant doctor`: what this machine offers.

use pliant_core::simd::arch;
use pliant_meshing::tetgen::TetGenProcess;
use pulp::Arch;
use serde_json::json;

use crate::display::display_state;
use crate::failure::Failure;
use crate::session::Session;

/// Runs the command.
pub fn doctor(session: &Session) -> Result<u8, Failure> {
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
        "simd        {}; kernels take {}",
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
    out.line("haptics     no drivers; `pliant servo` takes scripts, recordings and tips from the network");
    match &folder {
        Some(folder) => out.line(format!(
            "cache       {folder}: {assets} assets, {:.1} MB",
            bytes as f64 / 1e6
        )),
        None => out.line("cache       none"),
    }
    out.json(
        "doctor",
        true,
        json!({
            "cores": cores, "simd": simd, "kernels": kernels(), "display": display, "viewer": cfg!(feature = "viewer"),
            "tetgen": tetgen.ok(), "haptic_devices": [],
            "cache": { "folder": folder, "assets": assets, "bytes": bytes },
        }),
    )?;
    Ok(0)
}

/// One line about the machine for reports.
pub fn machine_line() -> String {
    format!(
        "{} {}, {} cores, {} kernels",
        std::env::consts::OS,
        std::env::consts::ARCH,
        cores(),
        kernels()
    )
}

/// The instructions that kernels take.
fn kernels() -> &'static str {
    match arch() {
        #[cfg(target_arch = "x86_64")]
        Arch::V4(_) => "AVX-512",
        #[cfg(target_arch = "x86_64")]
        Arch::V3(_) => "AVX2",
        _ => "portable",
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(target_arch = "x86_64")]
fn simd() -> Vec<&'static str> {
    let mut found = vec!["sse2"];
    if std::arch::is_x86_feature_detected!("avx2") {
        found.push("avx2");
    }
    if std::arch::is_x86_feature_detected!("fma") {
        found.push("fma");
    }
    if std::arch::is_x86_feature_detected!("avx512f") {
        found.push("avx512");
    }
    found
}

#[cfg(not(target_arch = "x86_64"))]
fn simd() -> Vec<&'static str> {
    vec!["portable"]
}
