//! What a frame gives up that would cost more than its budget.
//!
//! All bodies have one level of degradation ([`DegradationLevels`](pliant_core::model::degradation_levels::DegradationLevels)), because they share time and steps. The fastest
//! element around a touched node of any body decides the number of steps. Free bodies get no inertia instead of steps; the other levels apply to them, too.

use pliant_core::model::degradation_levels::DegradationLevel;
use pliant_core::model::{Degradation, SteppedModel};

use crate::group::body_group::BodyGroup;
use crate::group::state::Governing;

impl<M: SteppedModel> BodyGroup<M> {
    /// Chooses the steps of a frame of `duration` seconds within the budget, on a higher level of degradation if need be. Returns the simulated part of the frame, s.
    pub(crate) fn govern(&mut self, duration: f64) -> f64 {
        let mut degradation = self.governing.degradation;
        let budget = self.governing.budget as f64;
        let (mut simulated, mut step_choices) =
            (self.choose_steps_on(&degradation.present(), duration), 0);
        if self.recover_inverted() {
            self.find_again(simulated);
            simulated = self.choose_steps_on(&degradation.present(), duration);
            step_choices += 1;
        }
        if degradation.lower(budget, |level| self.frame_cost(Some(level), duration).0) {
            simulated = self.choose_steps_on(&degradation.present(), duration);
            step_choices += 1;
        }
        let mut cost = self.frame_cost(None, simulated).0;
        let each = self.awake().map(|model| model.frame_cost(None, duration));
        let (is_coarsest, is_damped) = each.fold((true, false), |all, own| {
            (all.0 && own.is_coarsest, all.1 || own.is_damped)
        });
        while cost as f64 > budget
            && degradation.raise(cost, budget, is_coarsest, |level| {
                self.frame_cost(Some(level), duration).0
            })
        {
            simulated = self.choose_steps_on(&degradation.present(), duration);
            cost = self.frame_cost(None, simulated).0;
            step_choices += 1;
        }
        degradation.count(is_damped);
        let full = Some(&DegradationLevel::FULL).filter(|_| degradation.level() > 0);
        let (_, steps) = self.frame_cost(full, duration);
        self.governing = Governing {
            degradation,
            budget: self.governing.budget,
            steps,
            step_choices,
            is_damped,
        };
        self.with_touched(|model, _, _, _| model.prepare_frame(duration, duration / simulated));
        simulated
    }

    /// Lets all that are awake put back nodes of torn elements. Returns whether one did.
    fn recover_inverted(&mut self) -> bool {
        let awake = self.models.iter_mut().zip(&self.sleep);
        let awake = awake.filter(|b| !b.1.asleep);
        awake.fold(false, |any, (model, _)| model.recover_inverted() || any)
    }

    /// Finds contacts at the present positions.
    fn find_again(&mut self, duration: f64) {
        self.attach();
        self.refresh(false);
        self.find(duration);
        self.gather_touched();
    }

    /// Before a frame of `simulated` seconds is repeated with bodies that recovered: finds contacts and chooses steps anew, on the present level.
    pub(crate) fn prepare_again(&mut self, simulated: f64) {
        self.find_again(simulated);
        let level = self.governing.degradation.present();
        self.choose_steps(&level, simulated);
        self.with_touched(|model, _, _, _| model.prepare_frame(simulated / level.time_scale, 1.0));
        self.attach();
    }

    /// Chooses the steps of all that are awake on a level. Returns the simulated part of the frame, s.
    fn choose_steps_on(&mut self, level: &DegradationLevel, duration: f64) -> f64 {
        let simulated = duration * level.time_scale;
        self.choose_steps(level, simulated);
        simulated
    }

    /// The same for a part of `simulated` seconds.
    fn choose_steps(&mut self, level: &DegradationLevel, simulated: f64) {
        self.with_touched(|model, _, touched, _| model.choose_steps(simulated, touched, level));
        self.follow_faster_bodies(simulated);
    }

    /// Work and steps of the coming frame of `duration` seconds with the chosen steps, or approximately on another `level`.
    pub(super) fn frame_cost(&self, level: Option<&DegradationLevel>, duration: f64) -> (u64, u32) {
        let (mut work, mut each_step, mut steps) = (0, 0, 1);
        for (model, sleep) in self.models.iter().zip(&self.sleep) {
            if sleep.asleep {
                if !sleep.frozen {
                    steps = model.least_steps(duration).max(steps);
                }
                continue;
            }
            let own = model.frame_cost(level, duration);
            work += own.work;
            each_step += own.each_step;
            steps = own.steps.max(steps);
        }
        let steps = self.fitting_steps(steps);
        let contact = self.contact_units(self.contacts(), u64::from(steps));
        (work + each_step * u64::from(steps) + contact, steps)
    }

    /// The worst degradation of the present frame.
    pub(crate) fn given_up(&self) -> Option<Degradation> {
        let Governing {
            degradation,
            is_damped,
            ..
        } = self.governing;
        let present = degradation.present();
        if !self.on_hold.is_empty() {
            Some(Degradation::StoodStill)
        } else if self.models.iter().any(M::is_released) {
            Some(Degradation::ConstraintsReleased)
        } else if present.time_scale < 1.0 {
            Some(Degradation::SlowMotion)
        } else if is_damped && !present.is_damped {
            Some(Degradation::DampingSkipped)
        } else {
            (degradation.level() > 0).then_some(Degradation::FewerSubsteps)
        }
    }

    /// Replaces the counts of degradation of the first body by those of the group.
    pub(crate) fn count_degradation(&self, counters: &mut [(&'static str, f64)]) {
        let [degraded, undamped, slow, raises] = self.governing.degradation.frames();
        let level = u32::from(self.governing.degradation.level());
        for (name, value) in counters {
            *value = match *name {
                "ladder_rung" => f64::from(level),
                "ladder_frames" => f64::from(degraded),
                "undamped_frames" => f64::from(undamped),
                "slow_frames" => f64::from(slow),
                "ladder_climbs" => f64::from(raises),
                _ => *value,
            };
        }
    }

    /// One sentence, where something is given up.
    pub(crate) fn degradation_note(&self) -> Option<String> {
        self.governing.degradation.note(self.governing.is_damped)
    }
}
