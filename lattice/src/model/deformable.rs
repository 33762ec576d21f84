//! Frames of a lattice: begin, step, end, report.

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::cutting::{BladeSweep, CannotCut};
use pliant_core::math::Vec3;
use pliant_core::mesh::{ControlPoints, SkinBinding, SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot, StepError,
};

use crate::model::lattice_model::LatticeModel;
use crate::step::frame_plan::FramePlan;

impl LatticeModel {
    fn run_steps(&mut self, request: &FrameRequest<'_>, plan: &FramePlan) {
        for k in 0..plan.steps {
            if k + 1 == plan.steps {
                self.find_overstrained_links();
            }
            self.step(plan, k, &request.boundary.gravity, request.duration);
        }
        self.store_last_rotations();
    }

    /// Deepest violation of a constraint of the frame, m.
    fn violation(&self, boundary: &BoundaryConditions) -> f64 {
        if !self.is_asleep() {
            return self.projection.violation(&self.x);
        }
        let all = boundary.displacements().iter();
        let depths = all.filter_map(|c| Some(c.violation(&self.piece_and_position(c.vertex)?.1)));
        depths.fold(0.0, f64::max)
    }
}

impl DeformableModel for LatticeModel {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        &self.asset.skin
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        let duration = request.duration;
        self.start_frame(duration, request.boundary)?;
        let mut plan = self.frame_plan(duration);
        self.step_length = plan.step;
        self.stiffness = 0.5 * plan.alpha / (plan.step * plan.step);
        self.set_gravity(&request.boundary.gravity);
        let (dissipated, work) = (self.account.dissipated, self.account.work);
        let loads_dot_positions = self.loads_dot_positions();
        let energy_before = self.start_energy_guard(&plan, &request.boundary.gravity);
        let asleep = self.is_asleep();
        if asleep {
            plan.steps = 0;
        }
        self.run_steps(&request, &plan);
        if let Err(error) = self.check_state() {
            self.restore_last_good();
            (self.account.dissipated, self.account.work) = (dissipated, work);
            return Err(error);
        }
        let broke = self.fracture();
        // the energy and the next frame's first step use the sums and rotations of the final positions
        if broke || !asleep {
            self.match_shapes(true);
        }
        self.account.work += self.loads_dot_positions() - loads_dot_positions;
        if self.energy_accounting {
            self.account.add_constraint_work(self.projection.work());
        }
        if !broke && !asleep {
            self.guard(energy_before, &request.boundary.gravity);
        }
        self.finish_frame(duration);
        let max_violation = self.violation(request.boundary);
        self.let_pieces_sleep(request.boundary, duration);
        Ok(FrameReport {
            substeps: plan.steps,
            // the energy of a sleeping body visits each particle once
            work_used: u64::from(plan.steps.max(1)) * self.x.len() as u64,
            degraded: None,
            max_violation,
            // the goals of whole-body maps derive from no energy
            energy: self
                .has_energy()
                .then(|| self.energy(&request.boundary.gravity)),
        })
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        self.write_whole_skin(out.room_for(self.asset.embedding.len()));
        self.write_cut_surface(out);
    }

    fn skin_binding(&self) -> Option<SkinBinding> {
        crate::skin::prepare::binding(&self.asset)
    }

    fn write_control_points(&self, out: &mut ControlPoints) -> bool {
        out.extend(&self.x);
        self.skin.is_some() && self.cut_surface().is_none()
    }

    fn reactions(&self) -> &[Vec3] {
        let with_sleeping = self.fracture.as_ref().map(|f| &f.sleep.reactions);
        match with_sleeping.filter(|reactions| !reactions.is_empty()) {
            Some(reactions) => reactions,
            None => self.projection.reactions(),
        }
    }

    fn support_reactions(&self) -> &[Vec3] {
        &self.support_reactions
    }

    fn set_blades(&mut self, sweeps: &[BladeSweep]) -> Result<(), CannotCut> {
        let fracture = self.fracture.as_mut().ok_or(CannotCut)?;
        fracture.blades.set(sweeps);
        Ok(())
    }

    fn reset(&mut self) {
        self.restore_whole();
        self.x.clear();
        self.x.extend(self.asset.rest_positions());
        self.v.clear();
        self.v.resize(self.x.len(), Vec3::zeros());
        self.rotate_regions([1.0, 0.0, 0.0, 0.0]);
        self.restart();
    }

    fn snapshot(&self) -> StateSnapshot {
        self.take_snapshot()
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        self.restore_snapshot(snapshot)
    }
}
