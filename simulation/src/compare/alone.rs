//! One method alone, compared with an existing reference.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::scene::Method;

use super::method_run::MethodRun;
use super::recorder::Recorder;
use super::run::applicable;
use crate::build::build_method;
use crate::cache::AssetCache;
use crate::error::{BuildError, Fault};
use crate::reference::Reference;
use crate::setup::Setup;

/// Runs `method` through `frames` frames, with the figures of [`compare`](super::compare) against the same reference. Skins are not kept. Also returns the memory of the model, bytes.
///
/// # Errors
/// [`BuildError::Cancelled`]; what the method cannot do stands in the result.
pub(super) fn run_alone(
    setup: &Arc<Setup>,
    method: Method,
    frames: usize,
    reference: &Reference,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Result<(MethodRun, usize), Fault>, BuildError> {
    let built = match applicable(build_method(setup, method, cache, progress))? {
        Ok(built) => built,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut recorder = Recorder::new(built, setup);
    progress.stage("simulating");
    for frame in 0..frames {
        progress.check()?;
        progress.set_fraction(frame as f64 / frames as f64);
        recorder.step(false);
        if recorder.has_stopped() {
            break;
        }
        if let Some(exact) = reference.fine.surface(frame) {
            recorder.compare_skin(exact, frame, &setup.areas);
        }
    }
    let bytes = recorder.world().model().stats().bytes;
    Ok(Ok((recorder.finish(setup, Some(reference)), bytes)))
}
