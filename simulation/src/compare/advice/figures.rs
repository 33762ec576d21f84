//! What was measured of a candidate.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::scene::Method;

use super::choice::CostAndError;
use crate::build::build_method;
use crate::cache::AssetCache;
use crate::compare::recorder::Recorder;
use crate::compare::run::applicable;
use crate::error::{BuildError, Fault};
use crate::reference::Reference;
use crate::setup::Setup;

/// The error by which candidates are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorMeasure {
    /// The force of the tool or grab that feels most.
    Force,
    /// The distance of the skins over the diagonal, because no tool or grab that moves is felt.
    Skin,
}

pliant_core::named!(ErrorMeasure {
    Force => "force",
    Skin => "skin",
});

/// What was measured of a candidate. All but times has the same bits for any number of threads.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CandidateFigures {
    /// Median wall time of a frame, ms.
    pub median_ms: f64,
    /// That of the slowest frame in a hundred, ms.
    pub p99_ms: f64,
    /// Mean force in the frames in which the reference presses firmly, N; `None` where none is felt.
    pub force: Option<f64>,
    /// That over the force of the reference, minus 1.
    pub force_error: Option<f64>,
    /// Root mean square distance from the skin of the reference where it is largest, over the diagonal of the body.
    pub skin: f64,
    /// Wall time of building or loading the asset, s.
    pub bake_s: f64,
    /// Whether the asset came from the cache.
    pub from_cache: bool,
    /// Memory of the model, bytes.
    pub bytes: usize,
    /// Most nodes, particles or columns that were computed.
    pub active_nodes: usize,
    /// Hash of the skin of every frame: equal ones moved alike.
    pub surface_hash: u64,
}

impl CandidateFigures {
    /// Runs `method` alone through `frames` frames, with the figures of [`compare`](crate::compare::compare) against the same reference; or why it did not get to its end.
    pub(super) fn measure(
        setup: &Arc<Setup>,
        method: Method,
        frames: usize,
        reference: &Reference,
        cache: &AssetCache,
        progress: &Progress,
    ) -> Result<Result<Self, Fault>, BuildError> {
        let built = match applicable(build_method(setup, method, cache, progress))? {
            Ok(built) => built,
            Err(fault) => return Ok(Err(fault)),
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
        let run = recorder.finish(setup, Some(reference));
        if let Some(error) = &run.diverged {
            return Ok(Err(Fault::new(error.code(), error.to_string())));
        }
        let accuracy = run.accuracy.clone().unwrap_or_default();
        Ok(Ok(Self {
            median_ms: run.cost_quantile(0.5),
            p99_ms: run.cost_quantile(0.99),
            force: accuracy.force,
            force_error: accuracy.force_error,
            skin: accuracy.surface_rms / setup.diagonal,
            bake_s: run.bake_s,
            from_cache: run.from_cache,
            bytes,
            active_nodes: run.active_nodes_max,
            surface_hash: run.surface_hash,
        }))
    }

    /// The error by which candidates are compared, with its sign; NaN where the force is unknown.
    pub fn error(&self, error_measure: ErrorMeasure) -> f64 {
        match error_measure {
            ErrorMeasure::Force => self.force_error.unwrap_or(f64::NAN),
            ErrorMeasure::Skin => self.skin,
        }
    }

    /// Cost, size of the error, and distance of the skin.
    pub fn point(&self, error_measure: ErrorMeasure) -> CostAndError {
        CostAndError {
            cost_ms: self.median_ms,
            error: self.error(error_measure).abs(),
            skin: self.skin,
        }
    }
}
