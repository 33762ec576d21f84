//! One frame of a level: the loop over steps, the account of energy, and the reactions.

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{Degradation, EnergyAccount, FrameReport, StepError, WorkBudget};

use crate::force::FINITE_CHECK_INTERVAL;
use crate::model::adaptive_model::{AdaptiveModel, KIND};
use crate::model::divergence;

/// Number of times that a failed frame is repeated, and the factor on the number of steps each time.
const RETRIES: u32 = 2;
const RETRY_FACTOR: u32 = 4;

impl AdaptiveModel {
    /// See [`pliant_core::model::DeformableModel::advance`]; `duration` is positive.
    pub(crate) fn run_frame(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        budget: WorkBudget,
    ) -> Result<FrameReport, StepError> {
        self.co_stepping.invalidate();
        self.apply_gravity_and_loads(boundary);
        self.wake_pieces(boundary, duration);
        if self.is_asleep() {
            return Ok(self.sleeping_frame(duration, boundary));
        }
        self.choose_substeps(boundary, duration, budget);
        self.save_last_good();
        let start = (self.time, self.dissipated, self.work, self.last_step);
        let mut retries = RETRIES;
        let mut energy = loop {
            if let Some(cause) = divergence::refusal(self) {
                return Err(self.diverged(cause));
            }
            self.try_frame(duration, boundary, budget);
            let energy = self.energy();
            let Some(what) = divergence::level_symptom(self, &energy) else {
                break energy;
            };
            let too_fast = divergence::too_fast(self, boundary, duration);
            let why = divergence::cause(self, too_fast, duration);
            let error = self.diverged(format!("{what}; {why}"));
            self.restore_last_good();
            (self.time, self.dissipated, self.work, self.last_step) = start;
            if retries == 0 {
                return Err(error);
            }
            // the step was chosen from the shape at the beginning of the frame; elements that are crushed during the frame need shorter ones
            retries -= 1;
            self.substeps = self.substeps.saturating_mul(RETRY_FACTOR);
        };
        let (contact, is_short) = self.work_between_pieces();
        let touched = self.touched_node_count(boundary) as u64 * u64::from(self.substeps);
        let work_used = self.evaluations_of_frame() + contact + touched;
        self.let_pieces_sleep(boundary, duration, &mut energy);
        self.account_constraints();
        let is_withheld = self.withheld || work_used > budget.0;
        let withheld = is_withheld.then_some(Degradation::RefinementWithheld);
        Ok(FrameReport {
            substeps: self.substeps,
            work_used,
            degraded: if is_short {
                Some(Degradation::CoarserConstraints)
            } else if self.has_added_inertia() {
                Some(Degradation::FewerSubsteps)
            } else {
                withheld
            },
            max_violation: self.projection.violation(&self.dynamics.positions),
            energy: Some(energy.with_dissipated_work(self.lost_in_contact)),
        })
    }

    /// The loop over the steps of a frame from the present state.
    fn try_frame(&mut self, duration: f64, boundary: &BoundaryConditions, budget: WorkBudget) {
        let step = duration / f64::from(self.substeps);
        self.last_step = step;
        self.begin_steps(duration, boundary, budget, false);
        for k in 0..self.substeps {
            self.substep(f64::from(k) * step, step, duration);
            if k % FINITE_CHECK_INTERVAL == 0
                && !self.dynamics.last_evaluation.viscous_power.is_finite()
            {
                break;
            }
        }
        self.dynamics.evaluate_stiff();
        self.reactions.clear();
        self.reactions
            .extend_from_slice(self.projection.end_frame());
        if let Some(cutting) = &self.cutting {
            cutting.merge_forces(&mut self.reactions);
        }
        self.add_contact_to_supports();
    }

    /// Begins the steps of a frame of `duration` seconds, whose number and length are set: contact between pieces within `budget`, constraints, and the account of their work. With
    /// `is_in_group`, contact with others may act on every node.
    pub(crate) fn begin_steps(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        budget: WorkBudget,
        is_in_group: bool,
    ) {
        self.blended = 0;
        self.support_reactions.fill(Vec3::zeros());
        let asset = self.asset.clone();
        let rows = self.cutting.as_ref().and_then(|c| c.touchable_rows());
        let whole = &asset.levels[self.level].embedding;
        let embedding = rows.as_deref().unwrap_or(whole);
        let frame = self.contact_frame(duration, budget);
        let (x, v) = (&self.dynamics.positions, &self.dynamics.velocities);
        let body = self.cutting.as_mut().and_then(|c| c.cut.as_mut());
        let (touching, constraints) = match body {
            Some(cut) => cut.begin_frame((x, v), frame, boundary.displacements()),
            None => (&[][..], boundary.displacements()),
        };
        let inverse_masses = &self.dynamics.inverse_masses;
        self.projection
            .begin_frame(constraints, embedding, inverse_masses, x, duration);
        let nodes = x.len();
        match is_in_group {
            true => self.contact.begin_frame_on_nodes(0..nodes as u32, nodes),
            false => self
                .contact
                .begin_frame(constraints, embedding, touching, nodes),
        }
    }

    /// Refuses a constraint on a vertex that does not exist. Vertices are those of the skin, then those of lips and caps.
    pub(crate) fn check_constraints(&self, boundary: &BoundaryConditions) -> Result<(), StepError> {
        let whole = self.asset.skin.vertex_count();
        let vertices = self
            .cut_mesh()
            .map_or(whole, |cut| cut.skin.undeformed.inside.end);
        let missing = |v: &u32| *v as usize >= vertices;
        let mut named = boundary.displacements().iter().map(|c| c.vertex);
        match named.find(missing) {
            Some(v) => Err(self.diverged(format!("skin vertex {v} of {vertices} was constrained"))),
            None => Ok(()),
        }
    }

    pub(crate) fn diverged(&self, cause: String) -> StepError {
        StepError::Diverged {
            method: KIND,
            time: self.time,
            cause,
        }
    }

    /// Computes the forces at the present state, if they are outdated.
    pub(crate) fn refresh(&mut self) {
        if !self.forces_are_current {
            self.dynamics.evaluate();
            self.dynamics.evaluate_stiff();
            self.forces_are_current = true;
        }
    }

    /// Sets gravity and loads of a frame. A change of gravity counts as work.
    pub(crate) fn apply_gravity_and_loads(&mut self, boundary: &BoundaryConditions) {
        if boundary.gravity != self.gravity {
            let potential = |g| self.potential_of_level(g);
            self.work += potential(&boundary.gravity) - potential(&self.gravity);
            self.gravity = boundary.gravity;
            self.wake_all_pieces();
        }
        self.dynamics.loads.fill(Vec3::zeros());
        let cut = self.cutting.as_ref().and_then(|c| c.level());
        let level = cut.map_or(&self.asset.levels[self.level], Arc::as_ref);
        let embedding = &level.embedding;
        for load in boundary.loads() {
            if (load.vertex as usize) < embedding.len() {
                for (n, w) in embedding.entries(load.vertex as usize) {
                    self.dynamics.loads[n as usize] += load.force * w;
                }
            }
        }
    }

    /// One step: kick, constraints, drift, and the forces at the new positions.
    fn substep(&mut self, time: f64, step: f64, duration: f64) {
        self.account_forces(step, step / duration);
        let touches_itself = self.touches_itself();
        let is_constrained = !self.projection.is_empty() || touches_itself;
        if is_constrained {
            self.contact.save_before_kick(&self.dynamics.velocities);
        }
        self.dynamics.kick(step, &self.gravity);
        if is_constrained {
            self.contact.save_after_kick(&self.dynamics.velocities);
            self.constrain_step(time, step, duration);
            let (v, masses) = (&self.dynamics.velocities, &self.dynamics.masses);
            self.work += self.contact.work_of_step(v, masses);
            if touches_itself {
                self.account_self_contact();
            }
        }
        self.drift_for(step);
        self.account_stiff_forces(step, step / duration);
        self.dynamics.evaluate();
    }

    /// Whether lips or pieces of a cut body may touch each other in the present frame.
    pub(crate) fn touches_itself(&self) -> bool {
        self.cut_mesh().is_some_and(|cut| !cut.contact.is_idle())
    }

    /// Changes the velocities after the kick of a step of `step` seconds, which begins at `time` (s) of a frame of `duration` seconds: contact between pieces acts, then constraints.
    pub(crate) fn constrain_step(&mut self, time: f64, step: f64, duration: f64) {
        let dynamics = &mut self.dynamics;
        let (x, w) = (&dynamics.positions, &dynamics.inverse_masses);
        let cut = self.cutting.as_mut().and_then(|c| c.cut.as_mut());
        let between_pieces = cut.map(|cut| &mut cut.contact);
        if let Some(contact) = between_pieces.filter(|contact| !contact.is_idle()) {
            contact.project(&mut dynamics.velocities, x, w, step);
            self.contact.save_after_self_contact(&dynamics.velocities);
        }
        if !self.projection.is_empty() {
            self.projection
                .project(&mut dynamics.velocities, x, w, time, step, duration);
        }
    }

    /// Counts the work of the contact between pieces in this step as dissipated. It is part of the work of all contact, which is counted before.
    pub(crate) fn account_self_contact(&mut self) {
        let (v, masses) = (&self.dynamics.velocities, &self.dynamics.masses);
        let work = self.contact.work_of_self_contact(v, masses);
        self.work -= work;
        self.dissipated -= work;
    }

    /// Accounts for the present forces in a step of `step` seconds, which is this `share` of the frame: dissipation, and reactions of supports.
    pub(crate) fn account_forces(&mut self, step: f64, share: f64) {
        self.refresh();
        let dynamics = &self.dynamics;
        self.dissipated += step * dynamics.last_evaluation.viscous_power;
        self.blended = self.blended.max(dynamics.last_evaluation.blended);
        for &(node, support) in &self.held {
            let n = node as usize;
            let carried = dynamics.forces[n]
                + dynamics.loads[n]
                + self.gravity * (dynamics.masses[n] * dynamics.weights[n]);
            self.support_reactions[support as usize] -= carried * share;
        }
    }

    /// Moves all nodes for `step` seconds, and adds the work of the loads. Forces are outdated afterwards.
    pub(crate) fn drift_for(&mut self, step: f64) {
        let dynamics = &mut self.dynamics;
        for (load, (v, w)) in dynamics
            .loads
            .iter()
            .zip(dynamics.velocities.iter().zip(&dynamics.inverse_masses))
        {
            if *w > 0.0 {
                self.work += step * load.dot(v);
            }
        }
        dynamics.drift(step);
        self.time += step;
    }

    /// Counts what constraints took in a successful frame: the work of tools and grabs, without what the nodes gained.
    pub(crate) fn account_constraints(&mut self) {
        self.lost_in_contact += self.projection.work() - self.contact.by_constraints();
    }

    /// Energies at the present state, without [`AdaptiveModel::lost_in_contact`].
    pub(crate) fn energy(&self) -> EnergyAccount {
        self.account_of_level(self.kinetic_energy_mid_step())
    }

    /// The energy account of a level with this kinetic energy, J.
    pub(crate) fn account_of_level(&self, kinetic: f64) -> EnergyAccount {
        EnergyAccount {
            kinetic,
            elastic: self.elastic_energy(),
            potential: self.potential_of_level(&self.gravity),
            dissipated: self.dissipated,
            work: self.work,
        }
    }

    /// Saves the present state as the last good one.
    pub(crate) fn save_last_good(&mut self) {
        self.last_good.0.copy_from_slice(&self.dynamics.positions);
        self.last_good.1.copy_from_slice(&self.dynamics.velocities);
    }

    /// Restores the last good state, without the velocity changes by constraints of the frame that failed.
    pub(crate) fn restore_last_good(&mut self) {
        self.dynamics.positions.copy_from_slice(&self.last_good.0);
        self.dynamics.velocities.copy_from_slice(&self.last_good.1);
        self.contact.clear_kicks();
        self.forces_are_current = false;
    }

    /// Adds the forces of constraints on held nodes to the reactions of their supports.
    pub(crate) fn add_contact_to_supports(&mut self) {
        if self.projection.is_empty() {
            return;
        }
        for support in 0..self.support_reactions.len() {
            let held = &self.held;
            let force = self.projection.force_on(|node| {
                held.binary_search_by_key(&node, |h| h.0)
                    .is_ok_and(|k| held[k].1 as usize == support)
            });
            self.support_reactions[support] -= force;
        }
    }
}
