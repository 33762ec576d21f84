//! A frame of the group, from the search for contacts to sleep.

use pliant_core::math::Vec3;
use pliant_core::model::{EnergyAccount, StepError, SteppedModel, WorkBudget};
use pliant_core::stage_timer::StageTimer;

use crate::group::body_group::BodyGroup;

/// Wall time of the stage that ends, ms.
fn milliseconds(clock: &mut StageTimer) -> f64 {
    clock.stage().as_secs_f64() * 1e3
}

impl<M: SteppedModel> BodyGroup<M> {
    /// A frame from finding contacts to sleep. Returns its number of steps.
    pub(crate) fn run_frame(
        &mut self,
        duration: f64,
        budget: WorkBudget,
    ) -> Result<u32, StepError> {
        let clock = &mut StageTimer::start();
        self.on_hold.clear();
        self.find(duration);
        if self.wake_touched(duration) {
            // bodies that woke touch others
            self.find(duration);
        }
        let duration = self.adapt(duration, budget);
        self.counts.find_ms = milliseconds(clock);
        let moved = self.advance_bodies(duration, clock);
        let steps = moved.inspect_err(|_| self.update_parted_bodies())?;
        self.counts.points_ms = milliseconds(clock);
        self.collect();
        self.part_bodies();
        self.let_sleep(duration);
        self.release_holds();
        self.update_parted_bodies();
        self.update_sleeping_skins();
        Ok(steps)
    }

    /// Advances all that are awake to the end of the frame, with `factor` times the steps that they need. Returns the number of steps.
    pub(crate) fn try_frame(
        &mut self,
        duration: f64,
        factor: u32,
        clock: &mut StageTimer,
    ) -> Result<u32, StepError> {
        let steps = self.begin_all(duration, factor)?;
        self.counts.step_ms = milliseconds(clock);
        self.assemble(duration / f64::from(steps.max(1)), duration);
        self.counts.rows_ms = milliseconds(clock);
        self.counts.solve_ms = self.run_steps(steps, duration);
        self.counts.step_ms += milliseconds(clock) - self.counts.solve_ms;
        self.violation = self.deepest_penetration();
        let has_last_frame = self.solver.has_last_frame;
        let sleep = &self.sleep;
        self.solver
            .end_frame(duration, |body| sleep[body as usize].asleep);
        let outcome = self.end_all(duration);
        match outcome {
            Ok(()) => self.account_contact(),
            Err(_) => self.solver.restore_cache(has_last_frame),
        }
        outcome.map(|()| steps)
    }

    /// Reactions of the frame, on tools, constraints and supports.
    fn collect(&mut self) {
        self.collect_wrenches();
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        let bodies = self.models.iter().zip(&self.boundaries).zip(&self.sleep);
        for (((model, boundary), sleep), &start) in bodies.zip(&self.support_starts) {
            let held = boundary.displacements().len();
            let end = self.reactions.len() + held;
            if held > 0 && !sleep.frozen {
                self.reactions.extend_from_slice(model.reactions());
            }
            // a frozen body exerts no reaction, and neither do constraints that a body has released
            self.reactions.resize(end, Vec3::zeros());
            let supports = model.support_reactions();
            for (sum, force) in self.support_reactions[start..].iter_mut().zip(supports) {
                *sum += force;
            }
        }
    }

    /// Counts the energy that contact took in the frame that ends: the work of tools, without what the bodies gained from contact.
    ///
    /// The work of a tool is its impulse times the velocity of its surface, where it touches.
    fn account_contact(&mut self) {
        let rows = self.solver.all_rows();
        // the velocity is zero where the partner is a body
        let work_of_tools: f64 = rows
            .map(|row| row.impulse_sum.dot(&row.surface_velocity))
            .sum();
        let gained: f64 = self.awake().map(M::contact_work).sum();
        self.lost_in_contact += work_of_tools - gained;
    }

    /// Energies of all bodies, where each keeps an account. Each body counts the impulses of contact as work: what it lost in them becomes dissipation here.
    pub(crate) fn energy(&self) -> Option<EnergyAccount> {
        let mut sum = EnergyAccount::default();
        for model in &self.models {
            let own = model.energy()?;
            sum.kinetic += own.kinetic;
            sum.elastic += own.elastic;
            sum.potential += own.potential;
            sum.dissipated += own.dissipated;
            sum.work += own.work;
        }
        (!self.models.is_empty()).then_some(sum.with_dissipated_work(self.lost_in_contact))
    }
}
