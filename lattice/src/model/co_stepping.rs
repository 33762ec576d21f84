//! Co-stepping: steps that alternate with those of other bodies. The step is that of [`crate::step::integrate`], without energy accounting and without the shape matching in double
//! precision that ends the frame of a single body.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SkinEmbedding, SkinPart, SurfaceFrame};
use pliant_core::model::{DeformableModel, PartedSurface, StepError, SteppedModel};

use crate::model::lattice_model::{CoStep, LatticeModel};

/// Cells along the skin, beyond the regions, within which a body does not touch itself.
const EXEMPT_CELLS: f64 = 1.0;

impl SteppedModel for LatticeModel {
    fn embedding(&self) -> &SkinEmbedding {
        &self.asset.embedding
    }

    fn write_skin(&self, out: SkinPart<'_>) {
        if self.cut_surface().is_none() {
            self.write_whole_skin(out);
            return;
        }
        let mut frame = SurfaceFrame::default();
        self.write_surface(&mut frame);
        out.copy_from(&frame);
    }

    fn draws_cut(&self) -> bool {
        self.cut_surface().is_some()
    }

    fn inverse_masses(&self) -> &[f64] {
        &self.inverse_mass
    }

    fn node_positions(&self) -> &[Vec3] {
        &self.x
    }

    fn node_velocities(&self) -> &[Vec3] {
        &self.v
    }

    fn nodes_mut(&mut self) -> (&[Vec3], &mut [Vec3]) {
        (&self.x, &mut self.v)
    }

    fn spread_within_step(&self, _stride: u32) -> f64 {
        // its forces act in every step of the group, so that the stride is 1; the pull spreads an impulse to the regions around; held or broken bodies do not move as a whole
        if self.inverse_mass.contains(&0.0) || self.fracture.is_some() {
            return 0.0;
        }
        let sizes: f64 = self.asset.region_size.iter().map(|&n| f64::from(n)).sum();
        let (regions, particles) = (self.asset.region_count(), self.x.len());
        let reached = 2.0 * sizes / (regions * particles) as f64;
        self.calibration.alpha * reached.min(1.0)
    }

    fn contact_spacing(&self) -> f64 {
        self.asset.cell
    }

    fn exclusion_distance(&self) -> f64 {
        (2.0 * self.asset.half_width as f64 + EXEMPT_CELLS) * self.asset.cell
    }

    fn parted_surface_revision(&self) -> u64 {
        self.fracture.as_ref().map_or(0, |f| f.surface_revision)
    }

    fn parted_surface(&self) -> Option<PartedSurface> {
        self.build_parted_surface()
    }

    fn shift(&mut self, change: &dyn Fn(&Vec3) -> Vec3) {
        self.wake_all_pieces();
        for x in &mut self.x {
            *x += change(x);
        }
        self.center = self.mean_position();
        self.matched = false;
    }

    fn place(&mut self, pose: &Pose) {
        self.reset();
        for x in &mut self.x {
            *x = pose.to_world(x);
        }
        let orientation = pose.orientation.quaternion();
        self.rotate_regions([orientation.w, orientation.i, orientation.j, orientation.k]);
        self.restart();
    }

    fn stop(&mut self) {
        self.v.fill(Vec3::zeros());
    }

    fn undo(&mut self) {
        self.restore_last_good();
    }

    fn least_steps(&self, duration: f64) -> u32 {
        self.frame_plan(duration).steps
    }

    fn begin(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        steps: u32,
    ) -> Result<(), StepError> {
        // bodies of a group sleep as wholes
        self.wake_all_pieces();
        self.start_frame(duration, boundary)?;
        if let Some(fast) = &mut self.fast {
            // positions or velocities may have changed since the last frame
            fast.passes.prepared = false;
        }
        let plan = self.frame_plan_of(duration, steps);
        self.step_length = plan.step;
        self.stiffness = 0.5 * plan.alpha / (plan.step * plan.step);
        self.co_step = Some(CoStep {
            plan,
            duration,
            step: 0,
            time: 0.0,
            gravity: boundary.gravity,
        });
        Ok(())
    }

    fn kick(&mut self, step: u32) {
        let Some(co_step) = &mut self.co_step else {
            return;
        };
        co_step.step = step;
        let CoStep {
            plan,
            duration,
            time,
            gravity,
            ..
        } = *co_step;
        if step + 1 == plan.steps {
            self.find_overstrained_links();
        }
        // goals are those of the kernel of the following steps
        self.matched = false;
        let two_passes = self.uses_two_passes(&plan);
        self.change_velocities(&plan, (step, two_passes), &gravity, (time, duration));
    }

    fn drift(&mut self) {
        let Some(co_step) = &mut self.co_step else {
            return;
        };
        let (plan, step) = (co_step.plan, co_step.step);
        co_step.time += plan.step;
        let two_passes = self.uses_two_passes(&plan);
        self.move_by_velocities(&plan, (step, two_passes), [false; 3]);
    }

    fn end(&mut self) -> Result<(), StepError> {
        let Some(co_step) = self.co_step.take() else {
            return Ok(());
        };
        self.store_last_rotations();
        // the next frame begins with the rotations that a snapshot holds
        if let Some(fast) = self.fast.as_mut().filter(|_| self.energy_accounting) {
            fast.rotations_are_newer = false;
        }
        self.check_state()?;
        self.fracture();
        self.finish_frame(co_step.duration);
        Ok(())
    }
}
