//! Start, failure and end of a frame of co-stepping, and what is done to bodies between frames: they are placed and stopped.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::model::StepError;

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::co_stepping::state::CoSteppedFrame;
use crate::model::divergence;
use crate::step::multirate::CutDynamics;

impl AdaptiveModel {
    /// Invalidates forces, steps and energy account, because the state was changed.
    pub(crate) fn invalidate(&mut self) {
        self.forces_are_current = false;
        self.co_stepping.invalidate();
    }

    /// Dissipated energy, J, with that since the end of the last frame: bodies that hardly move are slowed and stopped.
    pub(crate) fn dissipation_until_now(&self) -> f64 {
        match self.co_stepping.last.kinetic_energy {
            Some(at_end) => self.dissipated + (at_end - self.kinetic_now()),
            None => self.dissipated,
        }
    }

    /// Kinetic energy of the present velocities, J.
    fn kinetic_now(&self) -> f64 {
        match &self.cut {
            Some(body) => body.dynamics.kinetic_energy(),
            None => self.dynamics.kinetic_energy(),
        }
    }

    /// Moves a body at rest by `pose` from where it was baked.
    pub(crate) fn move_from_rest(&mut self, pose: &Pose) {
        let placed = |x: &mut Vec3| *x = pose.to_world(x);
        self.dynamics.positions.iter_mut().for_each(placed);
        if let Some(body) = &mut self.cut {
            body.dynamics.positions.iter_mut().for_each(placed);
        }
        let moment = |axis: Vec3| match &self.cut {
            Some(body) => -body.dynamics.potential_energy(&axis),
            None => -self.dynamics.potential_energy(self.level_nodes(), &axis),
        };
        self.placed = Vec3::new(moment(Vec3::x()), moment(Vec3::y()), moment(Vec3::z()));
    }

    /// Stops all nodes. The kinetic energy that they had counts as dissipated.
    pub(crate) fn stop_all_nodes(&mut self) {
        self.dynamics.velocities.fill(Vec3::zeros());
        self.forces_are_current = false;
        if let Some(body) = &mut self.cut {
            body.dynamics.stop();
            // a sleeping body needs no steps
            body.co_stepping.level = 0;
        }
        let last = &mut self.co_stepping.last;
        last.kinetic_energy = last.account.map(|_| 0.0);
        if let Some(account) = &mut last.account {
            self.dissipated += account.kinetic;
            (account.kinetic, account.dissipated) = (0.0, self.dissipated);
        }
    }

    /// Energy of gravity at the present positions, relative to where the body was placed, J.
    pub(crate) fn potential_now(&self) -> f64 {
        match &self.cut {
            Some(body) => self.potential_of_cut(&body.dynamics, &self.gravity),
            None => self.potential_of_level(&self.gravity),
        }
    }

    /// The same of a level under `gravity`, m/s².
    pub(crate) fn potential_of_level(&self, gravity: &Vec3) -> f64 {
        self.dynamics.potential_energy(self.level_nodes(), gravity) + gravity.dot(&self.placed)
    }

    /// The same of a cut.
    pub(crate) fn potential_of_cut(&self, dynamics: &CutDynamics, gravity: &Vec3) -> f64 {
        dynamics.potential_energy(gravity) + gravity.dot(&self.placed)
    }

    /// Counts the work of contact, J.
    pub(crate) fn count_contact_work(&mut self, work: f64) {
        self.work += work;
        self.co_stepping.contact_work += work;
    }

    /// Saves totals and reactions before a frame, for [`Self::restore_frame_start`].
    pub(crate) fn save_frame_start(&mut self) {
        if self.cut.is_none() {
            self.save_last_good();
        }
        let co_stepping = &mut self.co_stepping;
        let start = &mut co_stepping.start;
        start.gravity = self.gravity;
        start.totals = [
            self.dissipated,
            self.work,
            self.lost_in_contact,
            self.time,
            self.last_step,
        ];
        start.rate = self.steps.memory();
        start.last = co_stepping.last;
        start.reactions.clone_from(&self.reactions);
        start.support_reactions.clone_from(&self.support_reactions);
    }

    /// Stops this body in step `step` of the present frame, so that its errors do not reach other bodies.
    pub(crate) fn abort_frame(&mut self, step: u32) {
        self.co_stepping.failed_step = Some(step);
        let Some(mut frame) = self.co_stepping.frame.take() else {
            return;
        };
        let (mut too_fast, duration) = (frame.too_fast.take(), frame.duration);
        let of_cut = self.with_cut(|model, body| {
            let energy = model.account_of(body, body.dynamics.kinetic_energy());
            let what = divergence::cut_symptom(model, body, &energy);
            let why = model.fail_cut(body, too_fast.take(), duration);
            body.dynamics.stop();
            (what, energy, why)
        });
        let (what, energy, why) = of_cut.unwrap_or_else(|| {
            let energy = self.energy();
            let what = divergence::level_symptom(self, &energy);
            let why = divergence::cause(self, too_fast.take(), duration);
            self.restore_last_good();
            self.dynamics.velocities.fill(Vec3::zeros());
            (what, energy, why)
        });
        let what = what.unwrap_or_else(|| divergence::reached(energy.kinetic));
        frame.cause = Some(format!("{what}; {why}"));
        self.co_stepping.frame = Some(frame);
    }

    /// Starts a frame of `duration` seconds.
    pub(crate) fn begin_co_stepped_frame(&mut self, duration: f64, boundary: &BoundaryConditions) {
        let energies = self.potential_now().abs() + self.kinetic_now();
        let [none, one] =
            [0.0, 1.0].map(|work| divergence::explosion_energy(self, energies + work));
        self.co_stepping.frame = Some(CoSteppedFrame {
            step: self.last_step,
            duration,
            time: 0.0,
            limit: [none, one - none],
            too_fast: divergence::too_fast(self, boundary, duration),
            cause: None,
        });
    }

    pub(crate) fn end_co_stepped_frame_of_cut(
        &mut self,
        frame: CoSteppedFrame,
    ) -> Result<(), StepError> {
        let duration = frame.duration;
        let ended = self.with_cut(|model, body| {
            let ended = model.end_cut(body, duration);
            ended.map_err(|what| {
                let why = model.fail_cut(body, frame.too_fast, duration);
                format!("{what}; {why}")
            })
        });
        match ended.transpose() {
            Ok(energy) => {
                self.co_stepping.last.kinetic_energy = Some(self.kinetic_now());
                self.co_stepping.last.account = energy;
                Ok(())
            }
            Err(cause) => {
                self.co_stepping.failed_step = Some(self.substeps);
                Err(self.diverged(cause))
            }
        }
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

    /// Whether the kinetic energy exceeds its limit, or is not finite.
    pub(crate) fn has_exploded(&self, limit: [f64; 2]) -> bool {
        let most = limit[0] + limit[1] * self.work.abs();
        let kinetic = self.kinetic_now();
        let is_finite =
            self.cut.is_some() || self.dynamics.last_evaluation.viscous_power.is_finite();
        // also true for NaN
        !(is_finite && kinetic <= most)
    }

    /// Restores totals and reactions from before the present frame.
    pub(crate) fn restore_frame_start(&mut self) {
        let co_stepping = &mut self.co_stepping;
        let start = &co_stepping.start;
        self.gravity = start.gravity;
        [
            self.dissipated,
            self.work,
            self.lost_in_contact,
            self.time,
            self.last_step,
        ] = start.totals;
        self.steps.set_memory(start.rate);
        self.reactions.clone_from(&start.reactions);
        self.support_reactions.clone_from(&start.support_reactions);
        (co_stepping.last, co_stepping.frame) = (start.last, None);
    }
}
