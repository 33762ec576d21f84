//! How a frame of co-stepping begins, fails and ends.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::StepError;

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::co_stepping::state::Turn;
use crate::model::divergence;

impl AdaptiveModel {
    /// Forces, steps and books do not belong to the present state.
    pub(crate) fn outdate(&mut self) {
        self.fresh = false;
        self.together.outdate();
    }

    /// Energy lost so far, with what was taken since the last frame ended (bodies that hardly move are slowed and stopped), J.
    pub(crate) fn booked_dissipation(&self) -> f64 {
        match self.together.left {
            Some(left) => self.dissipated + (left - self.kinetic_now()),
            None => self.dissipated,
        }
    }

    /// Kinetic energy of the present velocities, J.
    pub(crate) fn kinetic_now(&self) -> f64 {
        match &self.cut {
            Some(body) => body.dynamics.kinetic_energy(),
            None => self.dynamics.kinetic_energy(),
        }
    }

    pub(crate) fn remember(&mut self) {
        if self.cut.is_none() {
            self.save_good();
        }
        let (dissipated, work) = (self.dissipated, self.work);
        let start = &mut self.together.start;
        start.gravity = self.gravity;
        start.books = [dissipated, work, self.time, self.last_step];
        start.rate = self.steps.memory();
        start.is_rated = self.together.is_rated;
        start.left = self.together.left;
        start.account = self.together.account;
        start.reactions.clone_from(&self.reactions);
        start.support_reactions.clone_from(&self.support_reactions);
    }

    /// Ends the motion of this frame, so that nothing of it reaches other bodies.
    pub(crate) fn give_up(&mut self, step: u32) {
        self.together.failed = Some(step);
        if let Some(turn) = self.together.turn.take() {
            let turn = match self.cut.is_some() {
                true => self.give_up_cut(turn),
                false => self.give_up_level(turn),
            };
            self.together.turn = Some(turn);
        }
    }

    pub(crate) fn give_up_cut(&mut self, mut turn: Turn) -> Turn {
        let cause = self.with_cut(|model, body| {
            let energy = model.account_of(body, body.dynamics.kinetic_energy());
            let what = divergence::cut_symptom(model, body, &energy)
                .unwrap_or_else(|| format!("the kinetic energy reached {:.2e} J", energy.kinetic));
            let why = model.fail_cut(body, turn.too_fast.take(), turn.duration);
            body.dynamics.stop();
            format!("{what}; {why}")
        });
        turn.cause = cause;
        turn
    }

    pub(crate) fn give_up_level(&mut self, mut turn: Turn) -> Turn {
        let energy = self.energy();
        let what = divergence::level_symptom(self, &energy)
            .unwrap_or_else(|| format!("the kinetic energy reached {:.2e} J", energy.kinetic));
        let why = divergence::cause(self, turn.too_fast.take(), turn.duration);
        turn.cause = Some(format!("{what}; {why}"));
        self.freeze();
        self.dynamics.velocities.fill(Vec3::zeros());
        turn
    }

    /// The frame is under way, for a body whose height is worth `potential` joules.
    pub(crate) fn begin_turn(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
        potential: f64,
    ) {
        let known = potential + self.kinetic_now();
        let [none, one] = [0.0, 1.0].map(|work| divergence::explosion(self, known + work));
        self.together.turn = Some(Turn {
            step: self.last_step,
            duration,
            time: 0.0,
            limit: [none, one - none],
            too_fast: divergence::too_fast(self, boundary, duration),
            cause: None,
        });
    }

    pub(crate) fn end_turn_of_cut(&mut self, mut turn: Turn) -> Result<(), StepError> {
        let duration = turn.duration;
        let outcome = self.with_cut(|model, body| {
            let outcome = model.end_cut(body, duration);
            outcome.map_err(|what| {
                let why = model.fail_cut(body, turn.too_fast.take(), duration);
                format!("{what}; {why}")
            })
        });
        let energy = match outcome {
            Some(Ok(energy)) => energy,
            Some(Err(cause)) => {
                self.together.failed = Some(self.substeps);
                return Err(self.diverged(cause));
            }
            None => return Ok(()),
        };
        self.together.left = Some(self.kinetic_now());
        self.together.account = Some(energy);
        Ok(())
    }

    /// Mean edge of the finest level that may move, m.
    pub(crate) fn finest_edge(&self) -> f64 {
        let levels = &self.asset.levels;
        let level = match self.cut {
            Some(_) => levels.len() - 1,
            None => self.level,
        };
        levels[level].spacing
    }

    /// Whether forces have torn the body apart.
    pub(crate) fn has_exploded(&self, limit: [f64; 2]) -> bool {
        let most = limit[0] + limit[1] * self.work.abs();
        let kinetic = self.kinetic_now();
        let is_finite = self.cut.is_some() || self.dynamics.found.viscous_power.is_finite();
        // not a number is no less either
        !(is_finite && kinetic <= most)
    }

    /// Totals and reactions as they were before the present frame.
    pub(crate) fn forget_frame(&mut self) {
        let start = &self.together.start;
        self.gravity = start.gravity;
        [self.dissipated, self.work, self.time, self.last_step] = start.books;
        self.steps.set_memory(start.rate);
        self.reactions.clone_from(&start.reactions);
        self.support_reactions.clone_from(&start.support_reactions);
        let (is_rated, left, account) = (start.is_rated, start.left, start.account);
        let together = &mut self.together;
        (together.is_rated, together.left, together.account) = (is_rated, left, account);
        self.together.turn = None;
    }
}
