//! `pliant replay`: runs what a recording says again, and compares each surface.

use pliant_simulation::recording::{self, ReplayError};
use serde_json::{Map, Value, json};

use crate::args::Replay;
use crate::failure::{CHECK_FAILED, Failure};
use crate::machine::kernels;
use crate::output::Done;
use crate::recording_file::{bytes_of, recording_in};
use crate::session::Session;

/// Runs the command.
pub fn replay(session: &Session, args: &Replay) -> Result<Done, Failure> {
    if session.seed.is_some() {
        return Err(Failure::bad_input(
            "Usage",
            "`--seed` has no effect on a recording, which is run again with its own seed",
            "leave it out, or record a run with another seed",
        ));
    }
    let bytes = bytes_of(&args.recording)?;
    let recording = recording_in(&args.recording, &bytes)?;
    let header = &recording.header;
    if header.portable {
        pliant_core::simd::use_portable();
    }
    let present = (env!("CARGO_PKG_VERSION"), kernels());
    if present != (&header.program, &header.kernels) {
        session.output.remark(format!(
            "recorded by pliant {} with {} kernels; this is {} with {} kernels, which may differ in the last bits",
            header.program, header.kernels, present.0, present.1
        ));
    }
    let watch = session.output.watch(&session.progress);
    let rerun = recording::replay(&recording, &session.cache, &session.progress);
    drop(watch);
    let rerun = rerun.map_err(failure)?;
    let out = &session.output;
    let frames = recording.frames.len();
    let mut methods = Map::new();
    for (method, run) in rerun.runs() {
        out.line(format!(
            "{:<12} {frames} frames, every surface as recorded; surface hash {:016x}, median {:.3} ms",
            method.name(),
            run.surface_hash,
            run.cost_quantile(0.5)
        ));
        methods.insert(
            method.name().to_string(),
            json!({
                "frames": run.frames, "surface_hash": format!("{:016x}", run.surface_hash),
                "median_ms": run.cost_quantile(0.5), "diverged": run.diverged.is_some(),
            }),
        );
    }
    Ok(Done::new(json!({
        "recording": args.recording.display().to_string(), "scene": header.scene.name, "frames": frames,
        "program": header.program, "kernels": header.kernels, "methods": Value::Object(methods),
    })))
}

/// A surface that differs is a comparison that failed; a scene that cannot be run again is bad input.
fn failure(error: ReplayError) -> Failure {
    let place = error.place();
    match error {
        ReplayError::Build(error) => error.into(),
        ReplayError::ReplayDiverged { .. }
        | ReplayError::OtherSkin { .. }
        | ReplayError::MethodMissing { .. } => Failure {
            exit: CHECK_FAILED,
            ..Failure::of(&error, place)
        },
        other => Failure::of(&other, place),
    }
}
