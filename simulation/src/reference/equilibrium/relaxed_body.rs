//! A body that comes to rest in each frame: statics with the law of the material, by dynamic relaxation.

use std::sync::Arc;

use pliant_adaptive::AdaptiveModel;
use pliant_core::asset::Progress;
use pliant_core::inspect::{Capabilities, Inspect, ModelStats, ParameterError, ParameterValue};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot, StepError,
};

/// Damping ratio of the lowest mode: the one with which it comes to rest soonest.
const CRITICAL_DAMPING: f64 = 1.0;
/// The body is at rest where its kinetic energy is below this share of the largest strain energy so far. Displacements go with the root of energies: what is left of the motion is
/// less than a thousandth of them.
const REST_SHARE: f64 = 1e-7;
/// So many times in a row, because the kinetic energy of an oscillation vanishes twice a period.
const QUIET_TIMES: u32 = 2;
/// Most frames in which the body may come to rest: four seconds at 60 frames a second.
const MAX_FRAMES: usize = 240;

/// A body with inertia that is stepped, with its tools at rest at the end of a frame, until it is at rest itself (dynamic relaxation: Day 1965; Underwood, "Dynamic relaxation", in
/// Computational Methods for Transient Analysis, 1983). Its damping is critical. Inertia and damping do not change the equilibrium.
pub(in crate::reference) struct RelaxedBody {
    body: AdaptiveModel,
    /// says when to stop
    progress: Progress,
    /// largest strain energy since reset, J
    largest_energy: f64,
    /// s since reset
    time: f64,
}

impl RelaxedBody {
    /// The body without inertia.
    ///
    /// # Errors
    /// [`ParameterError`] where it cannot be damped.
    pub(in crate::reference) fn new(
        mut body: AdaptiveModel,
        progress: Progress,
    ) -> Result<Self, ParameterError> {
        let damping = ParameterValue::Number(CRITICAL_DAMPING);
        body.set_parameter("damping_ratio", damping)?;
        Ok(Self {
            body,
            progress,
            largest_energy: 0.0,
            time: 0.0,
        })
    }

    fn failed(&self, cause: String) -> StepError {
        StepError::Diverged {
            method: "the static reference",
            time: self.time,
            cause,
        }
    }

    /// Whether the body is at rest, as far as energies say.
    fn is_quiet(&mut self, report: &FrameReport) -> bool {
        let Some(energy) = &report.energy else {
            return true;
        };
        self.largest_energy = self.largest_energy.max(energy.elastic);
        energy.kinetic <= REST_SHARE * self.largest_energy
    }
}

impl DeformableModel for RelaxedBody {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        self.body.surface()
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        let FrameRequest {
            duration,
            boundary,
            budget,
        } = request;
        let moving = FrameRequest::new(duration, boundary).within(budget);
        let first = self.body.advance(moving)?;
        self.is_quiet(&first);
        let mut still = boundary.clone();
        still.scale_velocities(0.0);
        let mut quiet = 0;
        for _ in 0..MAX_FRAMES {
            if self.progress.is_cancelled() {
                return Err(self.failed("it was cancelled".into()));
            }
            // otherwise each of these frames would slip a little under friction
            still.expect_forces(self.body.reactions());
            let request = FrameRequest::new(duration, &still).within(budget);
            let report = self.body.advance(request)?;
            quiet = if self.is_quiet(&report) { quiet + 1 } else { 0 };
            if quiet == QUIET_TIMES {
                self.time += duration;
                return Ok(report);
            }
        }
        Err(self.failed(format!(
            "the body did not come to rest in {MAX_FRAMES} frames with its tools at rest"
        )))
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        self.body.write_surface(out);
    }

    fn reactions(&self) -> &[Vec3] {
        self.body.reactions()
    }

    fn support_reactions(&self) -> &[Vec3] {
        self.body.support_reactions()
    }

    fn reset(&mut self) {
        self.body.reset();
        (self.largest_energy, self.time) = (0.0, 0.0);
    }

    fn snapshot(&self) -> StateSnapshot {
        let mut state = self.body.snapshot();
        state.values.extend([self.largest_energy, self.time]);
        state
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        let mut of_body = snapshot.clone();
        let (time, energy) = (of_body.values.pop(), of_body.values.pop());
        let (Some(time), Some(energy)) = (time, energy) else {
            return Err(SnapshotMismatch);
        };
        self.body.restore(&of_body)?;
        (self.largest_energy, self.time) = (energy, time);
        Ok(())
    }
}

impl Inspect for RelaxedBody {
    fn kind(&self) -> &'static str {
        self.body.kind()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            free_bodies: false,
            inertia: false,
            ..self.body.capabilities()
        }
    }

    fn stats(&self) -> ModelStats {
        self.body.stats()
    }
}
