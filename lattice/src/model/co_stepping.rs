//! Steps taken in turn with other bodies: the same step as [`crate::step::integrate`], without the books of energy and without the match in double
//! precision that ends a lone body's frame.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::{Pose, SteppedModel};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SkinEmbedding, SkinPart, SurfaceFrame};
use pliant_core::model::{DeformableModel, StepError};

use crate::model::lattice_model::LatticeModel;

/// Cells along the skin, beyond the regions, within which a body does not touch itself.
const EXEMPT_CELLS: f64 = 1.0;

/// The frame that is under way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    pub plan: crate::model::frame::FramePlan,
    /// s
    pub duration: f64,
    /// the one that was kicked last
    pub step: u32,
    /// s since the frame began
    pub time: f64,
    pub gravity: Vec3,
}

impl LatticeModel {
    /// Loads as accelerations of particles.
    fn take_loads(&mut self, boundary: &BoundaryConditions) {
        self.loaded.clear();
        for load in boundary.loads() {
            if (load.vertex as usize) < self.asset.embedding.len() {
                let (nodes, weights) = self.asset.embedding.row(load.vertex as usize);
                for (&p, w) in nodes.iter().zip(weights) {
                    self.loaded
                        .push((p, load.force * (*w / self.asset.mass[p as usize])));
                }
            }
        }
    }

    /// Checks what a frame asks for, saves the state, and takes over constraints and loads.
    pub(crate) fn accept(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
    ) -> Result<(), StepError> {
        if !(duration > 0.0 && duration <= 1e4 * self.params.frame_duration) {
            return Err(self.refuse(format!("a frame of {duration} s was asked for")));
        }
        let constraints = boundary.displacements();
        let vertices = self.asset.embedding.len();
        if let Some(c) = constraints.iter().find(|c| c.vertex as usize >= vertices) {
            return Err(self.refuse(format!(
                "skin vertex {} of {vertices} was constrained",
                c.vertex
            )));
        }
        self.save();
        self.projection.begin_frame(
            constraints,
            &self.asset.embedding,
            &self.inverse_mass,
            &self.x,
            duration,
        );
        self.find_debris(duration);
        self.take_loads(boundary);
        self.support_impulses.fill(Vec3::zeros());
        Ok(())
    }

    /// Time and reactions at the end of a good frame.
    pub(crate) fn finish_frame(&mut self, duration: f64) {
        self.time += duration;
        self.projection.end_frame();
        for support in 0..self.support_impulses.len() {
            let contact = self
                .projection
                .force_on(|p| self.holder[p as usize] == support as u32);
            self.support_reactions[support] = self.support_impulses[support] / duration - contact;
        }
    }

    /// No time has passed and nothing has happened: positions and rotations were set.
    pub(crate) fn forget(&mut self) {
        self.offsets.fill(Vec3::zeros());
        self.support_reactions.fill(Vec3::zeros());
        (self.time, self.account.dissipated, self.account.work) = (0.0, 0.0, 0.0);
        self.turn = None;
        self.made = 0.0;
        self.bones.settle(&mut self.x);
        self.center = self.middle();
        self.match_shapes(false);
    }
}

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

    fn spread_within_step(&self) -> f64 {
        // a pull hands an impulse on to the regions around; what is held or in pieces does not move as a whole
        if self.inverse_mass.contains(&0.0) || self.fracturing.is_some() {
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

    fn shift(&mut self, change: &dyn Fn(&Vec3) -> Vec3) {
        for x in &mut self.x {
            *x += change(x);
        }
        self.center = self.middle();
        self.matched = false;
    }

    fn place(&mut self, pose: &Pose) {
        self.reset();
        for x in &mut self.x {
            *x = pose.to_world(x);
        }
        let turned = pose.orientation.quaternion();
        self.turn_regions([turned.w, turned.i, turned.j, turned.k]);
        self.forget();
    }

    fn stop(&mut self) {
        self.v.fill(Vec3::zeros());
    }

    fn undo(&mut self) {
        self.go_back();
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
        self.accept(duration, boundary)?;
        if let Some(fast) = &mut self.fast {
            fast.steps.begin();
        }
        let plan = self.frame_plan_of(duration, steps);
        self.step_length = plan.step;
        self.stiffness = 0.5 * plan.alpha / (plan.step * plan.step);
        self.turn = Some(Turn {
            plan,
            duration,
            step: 0,
            time: 0.0,
            gravity: boundary.gravity,
        });
        Ok(())
    }

    fn kick(&mut self, step: u32) {
        let Some(turn) = &mut self.turn else {
            return;
        };
        turn.step = step;
        let turn = *turn;
        let (plan, h) = (turn.plan, turn.plan.step);
        if step + 1 == plan.steps {
            self.note_stretched();
        }
        let fast = self.fast.is_some();
        if fast {
            self.find_fast_goals();
        } else {
            self.match_shapes(true);
        }
        if self.steps_fast(&plan) {
            self.kick_fast(&plan, &turn.gravity, step + 1 == plan.steps);
            self.load_spots(h);
        } else {
            self.damp_and_pull(&plan, (step, fast), &turn.gravity);
        }
        self.part_debris(h);
        if !self.projection.is_empty() {
            let (x, w) = (&self.x, &self.inverse_mass);
            self.projection
                .project(&mut self.v, x, w, turn.time, h, turn.duration);
        }
    }

    fn drift(&mut self) {
        let Some(turn) = &mut self.turn else {
            return;
        };
        let (plan, h) = (turn.plan, turn.plan.step);
        turn.time += h;
        let follow = turn.step + 1 < plan.steps;
        if self.steps_fast(&plan) {
            self.move_fast(h, follow, plan.damping.stages > 0);
            return;
        }
        self.bones.stiffen(&self.x, &mut self.v);
        self.move_particles(h);
    }

    fn end(&mut self) -> Result<(), StepError> {
        let Some(turn) = self.turn.take() else {
            return Ok(());
        };
        self.finish_fast();
        // the next frame begins with the rotations that a snapshot holds
        if let Some(fast) = self.fast.as_mut().filter(|_| self.books) {
            fast.outdate();
        }
        self.check()?;
        self.fracture();
        self.finish_frame(turn.duration);
        Ok(())
    }
}
