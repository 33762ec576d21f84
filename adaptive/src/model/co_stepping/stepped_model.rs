//! [`SteppedModel`]: the interface by which a group steps its bodies.
//!
//! Symplectic Euler is split where contact belongs: forces change velocities, impulses of contact change them once more, positions follow. Impulses count
//! as work, so that the energy account closes for each body. The group counts as dissipated what contact takes from all of them. Lips and pieces of a cut body touch each
//! other as they do in a body alone; pieces sleep only together.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SkinEmbedding, SkinPart, SurfaceFrame};
use pliant_core::model::degradation_levels::DegradationLevel;
use pliant_core::model::{
    BudgetClaim, DeformableModel, Degradation, EnergyAccount, FrameCost, PartedSurface, StepError,
    SteppedModel, TouchedPlaces, WorkBudget,
};

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::fallback_hold::FRAMES_BEFORE_RELEASE;

/// Edges along the skin within which a body does not touch itself.
const EXCLUDED_EDGES: f64 = 2.5;
/// Longest distance between contact points over the diagonal of the body: fewer points would no longer have its shape.
const MAX_SPACING_SHARE: f64 = 0.125;

impl SteppedModel for AdaptiveModel {
    fn embedding(&self) -> &SkinEmbedding {
        &self.moving_level().embedding
    }

    fn write_skin(&self, out: SkinPart<'_>) {
        if let Some(body) = &self.cut {
            let d = &body.dynamics;
            out.set(&self.asset.skin, |v| {
                d.blend.interpolate(&d.cut, v, &d.positions) + body.fade.offset(v)
            });
            return;
        }
        if self.draws_cut() {
            let mut frame = SurfaceFrame::default();
            self.write_cut(&mut frame);
            out.copy_from(&frame);
            return;
        }
        let embedding = &self.asset.levels[self.level].embedding;
        let fade = self.active_fade();
        out.set(&self.asset.skin, |v| {
            let position = embedding.interpolate(v, &self.dynamics.positions);
            fade.map_or(position, |fade| position + fade.offset(v))
        });
    }

    fn draws_cut(&self) -> bool {
        self.cut_mesh().is_some()
    }

    fn parted_surface_revision(&self) -> u64 {
        self.cutting.as_ref().map_or(0, |c| c.surface_revision)
    }

    fn parted_surface(&self) -> Option<PartedSurface> {
        let cut = self.cut_mesh()?;
        Some(cut.skin.parted_surface(&cut.pieces))
    }

    fn inverse_masses(&self) -> &[f64] {
        if let Some(body) = &self.cut {
            return &body.dynamics.inverse_masses;
        }
        &self.dynamics.inverse_masses
    }

    fn node_positions(&self) -> &[Vec3] {
        if let Some(body) = &self.cut {
            return &body.dynamics.positions;
        }
        &self.dynamics.positions
    }

    fn node_velocities(&self) -> &[Vec3] {
        if let Some(body) = &self.cut {
            return &body.dynamics.velocities;
        }
        &self.dynamics.velocities
    }

    fn nodes_mut(&mut self) -> (&[Vec3], &mut [Vec3]) {
        if let Some(body) = &mut self.cut {
            // viscous forces belong to mean velocities
            let dynamics = &mut body.dynamics;
            return (&dynamics.positions, &mut dynamics.velocities);
        }
        // viscous forces depend on velocities
        self.forces_are_current = false;
        (&self.dynamics.positions, &mut self.dynamics.velocities)
    }

    fn contact_spacing(&self) -> f64 {
        // a coarse level moves a skin whose shape is fine
        let diagonal = self.asset.skin.bounds().diagonal();
        self.finest_edge().min(MAX_SPACING_SHARE * diagonal)
    }

    fn exclusion_distance(&self) -> f64 {
        EXCLUDED_EDGES * self.finest_edge()
    }

    fn revision(&self) -> u64 {
        self.cut.as_ref().map_or(0, |body| body.dynamics.revision)
    }

    fn rows_of(&self, vertices: &[u32]) -> SkinEmbedding {
        if let Some(body) = &self.cut {
            let mut scratch = vec![0.0; body.dynamics.forest.node_count()];
            let row = |&v: &u32| (body.dynamics.active_row(v as usize, &mut scratch), 0.0);
            return SkinEmbedding::from_rows(vertices.iter().map(row));
        }
        self.embedding().of_vertices(vertices)
    }

    fn adapt(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        touched: &TouchedPlaces,
        budget: WorkBudget,
    ) {
        self.with_cut(|model, body| {
            model.adapt_co_stepping(body, duration, boundary, touched, budget);
        });
    }

    fn budget_claim(&self) -> Option<BudgetClaim> {
        let (finest, body) = self.asset.levels.last().zip(self.cut.as_ref())?;
        Some(BudgetClaim {
            own: self.params.budget_units,
            elements: finest.mesh.tets.len() as u64,
            contact_steps: body.contact_ticks.next_power_of_two(),
        })
    }

    fn work_used(&self, steps: u32) -> u64 {
        match &self.cut {
            Some(body) => body.co_stepping_units(steps),
            None => u64::from(steps) * self.dynamics.positions.len() as u64,
        }
    }

    fn degradation(&self) -> Option<Degradation> {
        if let Some(body) = &self.cut {
            return body.withheld.then_some(Degradation::RefinementWithheld);
        }
        let (_, is_limited) = self.work_between_pieces();
        is_limited.then_some(Degradation::CoarserConstraints)
    }

    fn choose_steps(
        &mut self,
        duration: f64,
        touched: &TouchedPlaces,
        degradation_level: &DegradationLevel,
    ) {
        if let Some(body) = &mut self.cut {
            body.update_co_stepping_steps(duration, touched, degradation_level);
        }
    }

    fn contact_steps(&self) -> Option<u32> {
        self.cut.as_ref().and_then(|body| body.contact_steps())
    }

    fn follow_contact(&mut self, steps: u32) {
        if let Some(body) = &mut self.cut {
            body.follow_contact(steps);
        }
    }

    fn frame_cost(&self, level: Option<&DegradationLevel>, duration: f64) -> FrameCost {
        match &self.cut {
            Some(body) => body.co_stepping_forecast(level, duration),
            None => FrameCost {
                each_step: self.work_used(1),
                steps: self.least_steps(duration),
                is_coarsest: true,
                ..FrameCost::default()
            },
        }
    }

    fn recover_inverted(&mut self) -> bool {
        let recovered = self.with_cut(|model, body| {
            let is_torn = body.dynamics.steps.is_torn;
            if is_torn {
                model.dissipated += model.recover_inverted_elements(body, false);
            }
            is_torn
        });
        recovered.unwrap_or(false)
    }

    fn recover(&mut self) -> bool {
        let tried = self.with_cut(|model, body| model.recover_cut(body));
        tried.unwrap_or(false)
    }

    fn hold_at_rest(&mut self, duration: f64, boundary: &BoundaryConditions, cause: &str) -> bool {
        let stands = self.with_cut(|model, body| {
            let may = model.may_hold(body, boundary, duration);
            if may {
                let energy = model.hold_still(body, cause.to_string(), duration);
                model.co_stepping.last.account = Some(energy);
                model.co_stepping.last.kinetic_energy = Some(0.0);
                (body.co_stepping.level, body.co_stepping.needs_shorter_steps) = (0, false);
            }
            may
        });
        stands.unwrap_or(false)
    }

    fn is_released(&self) -> bool {
        let successive = self.cut.as_ref().map(|body| body.fallback_hold.successive);
        successive.is_some_and(|successive| successive >= FRAMES_BEFORE_RELEASE)
    }

    fn prepare_frame(&mut self, duration: f64, velocity_factor: f64) {
        if let Some(body) = &mut self.cut {
            body.start_co_stepping(duration, velocity_factor);
        }
    }

    fn resume(&mut self, degradation_level: &DegradationLevel) {
        if let Some(body) = &mut self.cut {
            body.resume_co_stepping(degradation_level);
        }
    }

    fn fitting_steps(&self, steps: u32) -> u32 {
        match self.cut {
            Some(_) => steps.checked_next_power_of_two().unwrap_or(1 << 31),
            None => steps,
        }
    }

    fn ends_with_kick(&self) -> bool {
        self.cut.is_some()
    }

    fn last_kick(&mut self) {
        if self.co_stepping.running_frame().is_none() {
            return;
        }
        let given = self.with_cut(|model, body| model.last_kick_of_cut(body));
        if given.is_none() {
            // a level gets its kick at the beginning of the next step, but contact acts now
            self.contact.save_before_kick(&self.dynamics.velocities);
            self.contact.save_after_kick(&self.dynamics.velocities);
            self.co_stepping.has_final_contact = true;
        }
    }

    fn spread_within_step(&self, stride: u32) -> f64 {
        // held bodies and those in parts do not move as a whole
        if !self.held.is_empty() || self.draws_cut() {
            return 0.0;
        }
        if let Some(body) = &self.cut {
            return body.impulse_spread(stride);
        }
        self.level_impulse_spread()
    }

    fn shift(&mut self, change: &dyn Fn(&Vec3) -> Vec3) {
        let before = self.potential_now();
        let positions = match &mut self.cut {
            Some(body) => {
                body.dynamics.forces_are_current = false;
                &mut body.dynamics.positions
            }
            None => &mut self.dynamics.positions,
        };
        positions.iter_mut().for_each(|x| *x += change(x));
        self.forces_are_current = false;
        // contact does work against gravity
        self.count_contact_work(self.potential_now() - before);
    }

    fn place(&mut self, pose: &Pose) {
        self.reset();
        self.move_from_rest(pose);
    }

    fn stop(&mut self) {
        self.stop_all_nodes();
    }

    fn undo(&mut self) {
        match &mut self.cut {
            Some(body) => {
                body.restore_good_state();
                self.contact.clear_kicks();
            }
            None => self.restore_last_good(),
        }
        self.restore_frame_start();
    }

    fn least_steps(&self, duration: f64) -> u32 {
        if let Some(body) = &self.cut {
            return 1 << body.co_stepping.level;
        }
        if self.co_stepping.last.is_rated {
            return self.steps.present_substeps(duration);
        }
        let scan = self.steps.scan(&self.dynamics.positions);
        self.steps.substeps_in(&scan, duration)
    }

    fn begin(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        steps: u32,
    ) -> Result<(), StepError> {
        self.check_constraints(boundary)?;
        self.save_frame_start();
        self.co_stepping.begin_frame();
        match self.with_cut(|model, body| model.begin_cut(body, duration, steps)) {
            Some(begun) => begun?,
            None => self.begin_level(duration, boundary, steps)?,
        }
        self.begin_co_stepped_frame(duration, boundary);
        Ok(())
    }

    fn kick(&mut self, step: u32) {
        let Some(frame) = self.co_stepping.running_frame() else {
            return;
        };
        let (h, time, duration, limit) = (frame.step, frame.time, frame.duration, frame.limit);
        if self.cut.is_some() {
            self.with_cut(|model, body| model.kick_cut(body, step));
            if self.has_exploded(limit) {
                self.abort_frame(step);
            }
            return;
        }
        self.kick_level(step, h, time, duration, limit);
    }

    fn drift(&mut self) {
        let Some(frame) = self.co_stepping.running_frame() else {
            return;
        };
        let h = frame.step;
        let step = (frame.time / h).round() as u32;
        frame.time += h;
        if self.cut.is_some() {
            self.with_cut(|model, body| model.drift_cut(body, step));
            return;
        }
        self.drift_level(h);
    }

    fn end(&mut self) -> Result<(), StepError> {
        let Some(frame) = self.co_stepping.frame.take() else {
            return Ok(());
        };
        if let Some(cause) = frame.cause {
            return Err(self.diverged(cause));
        }
        if self.cut.is_some() {
            return self.end_co_stepped_frame_of_cut(frame);
        }
        self.end_level(frame)
    }

    fn part(&mut self, boundary: &BoundaryConditions) {
        self.part_level(boundary);
    }

    fn failed_step(&self) -> Option<u32> {
        self.co_stepping.failed_step
    }

    fn energy(&self) -> Option<EnergyAccount> {
        // as it stands where it is not known: nothing has moved it since it was set
        let last = self.co_stepping.last.account;
        let account = last.unwrap_or_else(|| match &self.cut {
            Some(body) => self.account_of(body, body.dynamics.kinetic_energy()),
            None => self.account_of_level(self.dynamics.kinetic_energy()),
        });
        Some(account.with_dissipated_work(self.lost_in_contact))
    }

    fn contact_work(&self) -> f64 {
        self.co_stepping.contact_work
    }
}
