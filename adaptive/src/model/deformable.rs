//! [`DeformableModel`]: the interface that all methods share.

use std::sync::Arc;

use pliant_core::contact::cutting::{BladeSweep, CannotCut};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot, StepError,
    SteppedModel,
};

use crate::contact::ContactWork;
use crate::model::adaptive_model::AdaptiveModel;
use crate::step::time_step::StateScan;

impl DeformableModel for AdaptiveModel {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        &self.asset.skin
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        let report = self.advance_cut_or_level(request);
        // blades of a frame that was refused or has failed do not cut later
        if let Some(cutting) = self.separable() {
            cutting.sweeps.clear();
        }
        report
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        if self.write_cut(out) {
            return;
        }
        out.cut = None;
        self.write_skin(out.room_for(self.asset.skin.vertex_count()));
    }

    fn set_blades(&mut self, sweeps: &[BladeSweep]) -> Result<(), CannotCut> {
        let cutting = self.separable().ok_or(CannotCut)?;
        cutting.sweeps.clear();
        cutting.sweeps.extend_from_slice(sweeps);
        Ok(())
    }

    fn reactions(&self) -> &[Vec3] {
        &self.reactions
    }

    fn support_reactions(&self) -> &[Vec3] {
        &self.support_reactions
    }

    fn reset(&mut self) {
        self.reset_counterpart();
        self.remove_cuts();
        let rest = self.asset.levels[self.level].mesh.clone();
        self.dynamics.positions.copy_from_slice(&rest.nodes);
        self.dynamics.velocities.fill(Vec3::zeros());
        self.steps.reset();
        if let Some(handover) = &mut self.handover {
            handover.reset();
        }
        self.clear_stiff_elements();
        self.clear_added_inertia();
        self.contact = ContactWork::default();
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        self.invalidate();
        (self.gravity, self.placed) = (Vec3::zeros(), Vec3::zeros());
        (self.dissipated, self.work, self.time, self.last_step) = (0.0, 0.0, 0.0, 0.0);
        self.lost_in_contact = 0.0;
        (self.substeps, self.blended) = (0, 0);
        self.scan = StateScan::default();
        if let Some(body) = &mut self.cut {
            body.reset();
        }
    }

    fn snapshot(&self) -> StateSnapshot {
        self.state()
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        self.restore_state(snapshot)
    }
}

impl AdaptiveModel {
    /// See [`DeformableModel::advance`]; the caller discards the sweeps of blades.
    fn advance_cut_or_level(
        &mut self,
        request: FrameRequest<'_>,
    ) -> Result<FrameReport, StepError> {
        let FrameRequest {
            duration,
            boundary,
            budget,
        } = request;
        if !(duration > 0.0 && duration.is_finite()) {
            return Ok(FrameReport::default());
        }
        self.check_constraints(boundary)?;
        let handover_work = self.hand_over_if_due(duration, boundary);
        let of_cut =
            self.with_cut(|model, body| model.run_cut_frame(body, duration, boundary, budget));
        if let Some(report) = of_cut {
            let mut report = report?;
            report.work_used += handover_work;
            return Ok(report);
        }
        let mut report = self.run_frame(duration, boundary, budget)?;
        report.work_used += handover_work;
        self.fade_after_handover(duration, boundary);
        self.part_level(boundary);
        Ok(report)
    }
}
