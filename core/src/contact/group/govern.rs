//! What a frame of several bodies may cost: what contact takes of the budget, the shares of the bodies, and what is given up where all that is not enough.
//!
//! Bodies share one budget: the one that comes with the frame, or else the sum of what each would have. Contact between them is paid first, as it
//! would be at the finest resolution or was in the last frame, whichever is more. Those that are awake get the rest in proportion to their elements
//! at their finest: shares change when a body falls asleep or wakes, and with contact in coarse portions, so that cuts do not change for the sake of
//! shares.
//!
//! All bodies have one level of degradation ([`DegradationLevels`]): they take the same steps, the fastest element around a touched node of any of them decides how many, and time
//! is common. Free bodies get no inertia instead of steps; they have the other levels with the rest.

use super::BodyGroup;
use crate::contact::stepped::SteppedModel;
use crate::degradation_levels::{DegradationLevel, DegradationLevels};
use crate::model::{Degradation, WorkBudget};

/// What finding a contact costs a frame, and its impulses in each step, in tetrahedron evaluations.
const FIND_UNITS: u64 = 60;
const STEP_UNITS: u64 = 20;
/// The same of each contact point, whether it touches something or not.
const POINT_UNITS: u64 = 12;
/// What it costs an element when steps are settled once more because something is given up.
const SETTLE_UNITS: u64 = 40;
/// Contacts count by so many, so that a few more do not change cuts.
const PORTION: u64 = 64;

/// What a group remembers of its budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Governing {
    pub degradation: DegradationLevels,
    /// work units of the present frame
    budget: u64,
    /// steps of the last frame if nothing had been given up
    steps: u32,
    /// times that steps were settled because something is given up
    settled: u64,
    /// whether bodies have viscous forces
    is_damped: bool,
}

impl Governing {
    /// Numbers of a snapshot.
    pub const SAVED: usize = DegradationLevels::SAVED + 1;

    pub fn save(&self, to: &mut Vec<f64>) {
        self.degradation.save(to);
        to.push(f64::from(self.steps));
    }

    /// Takes back what was saved; counts go on.
    pub fn restore(&mut self, from: &[f64; Self::SAVED]) {
        let [degradation @ .., steps] = *from;
        self.degradation.restore(degradation);
        self.steps = steps as u32;
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Contacts of this frame.
    fn contacts(&self) -> u64 {
        self.found.iter().map(|f| f.candidates.len() as u64).sum()
    }

    /// Work of `contacts` in a frame of so many steps.
    fn contact_units(&self, contacts: u64, steps: u64) -> u64 {
        let awake = self.shapes.iter().zip(&self.rest).filter(|b| !b.1.asleep);
        let points: usize = awake.map(|(shape, _)| shape.len()).sum();
        POINT_UNITS * points as u64 + contacts * (FIND_UNITS + STEP_UNITS * steps)
    }

    /// Shares of the bodies that are awake in what contact leaves of the budget of a frame.
    pub(super) fn share_budget(&mut self, asked: WorkBudget) {
        let (mut own, mut awake, mut steps) = (0_u64, 0_u64, u64::from(self.governing.steps));
        for (model, rest) in self.models.iter().zip(&self.rest) {
            if let Some(claim) = model.budget_claim() {
                own = own.saturating_add(claim.own);
                if !rest.asleep {
                    awake += claim.elements;
                    steps = steps.max(claim.contact_steps);
                }
            }
        }
        let all = match asked {
            WorkBudget::UNLIMITED => own,
            WorkBudget(units) => units,
        };
        self.governing.budget = all;
        let contacts = self.contacts().next_multiple_of(PORTION);
        // with nothing left bodies are as coarse as they can be, before anything else is given up
        let left = all.saturating_sub(self.contact_units(contacts, steps));
        self.budgets.clear();
        self.budgets.extend(self.models.iter().map(|model| {
            let elements = model.budget_claim().map_or(0, |claim| claim.elements);
            let share = u128::from(left) * u128::from(elements) / u128::from(awake.max(1));
            WorkBudget(share.min(u128::from(u64::MAX - 1)) as u64)
        }));
    }

    /// Settles steps for a frame of `duration` seconds and gives up what has to be of it. Returns the part of the frame that bodies live through, s.
    pub(super) fn govern(&mut self, duration: f64) -> f64 {
        let mut degradation = self.governing.degradation;
        let budget = self.governing.budget as f64;
        let (mut lived, mut settled) = (self.settle_on(&degradation.present(), duration), 0);
        if self.recover_inverted() {
            self.find_again(lived);
            lived = self.settle_on(&degradation.present(), duration);
            settled += 1;
        }
        if degradation.lower(budget, |level| self.foreseen(Some(level), duration).0) {
            lived = self.settle_on(&degradation.present(), duration);
            settled += 1;
        }
        let mut now = self.foreseen(None, lived).0;
        let awake = self.models.iter().zip(&self.rest).filter(|b| !b.1.asleep);
        let each = awake.map(|(model, _)| model.foreseen(None, duration));
        let (is_coarsest, is_damped) = each.fold((true, false), |all, own| {
            (all.0 && own.is_coarsest, all.1 || own.is_damped)
        });
        while now as f64 > budget
            && degradation.raise(now, budget, is_coarsest, |level| {
                self.foreseen(Some(level), duration).0
            })
        {
            lived = self.settle_on(&degradation.present(), duration);
            now = self.foreseen(None, lived).0;
            settled += 1;
        }
        degradation.count(is_damped);
        let full = Some(&DegradationLevel::FULL).filter(|_| degradation.level() > 0);
        let (_, steps) = self.foreseen(full, duration);
        self.governing = Governing {
            degradation,
            budget: self.governing.budget,
            steps,
            settled,
            is_damped,
        };
        self.with_touched(|model, _, _, _| model.gather(duration, duration / lived));
        lived
    }

    /// Lets all that are awake put back nodes of torn elements; whether one did.
    fn recover_inverted(&mut self) -> bool {
        let awake = self.models.iter_mut().zip(&self.rest);
        let awake = awake.filter(|b| !b.1.asleep);
        awake.fold(false, |any, (model, _)| model.recover_inverted() || any)
    }

    /// Contacts where bodies are now.
    fn find_again(&mut self, duration: f64) {
        self.attach();
        self.refresh(false);
        self.find(duration);
        self.gather_touched();
    }

    /// The same before a frame of `lived` seconds is taken again with bodies that recovered: steps are settled anew, on the present level.
    pub(super) fn begin_again(&mut self, lived: f64) {
        self.find_again(lived);
        let level = self.governing.degradation.present();
        self.with_touched(|model, _, touched, _| {
            model.settle_steps(lived, touched, &level);
            model.gather(lived / level.pace, 1.0);
        });
        self.attach();
    }

    /// Settles the steps of all that are awake on a level. Returns the part of the frame that they live through, s.
    fn settle_on(&mut self, level: &DegradationLevel, duration: f64) -> f64 {
        let lived = duration * level.pace;
        self.with_touched(|model, _, touched, _| model.settle_steps(lived, touched, level));
        lived
    }

    /// Work and steps of the coming frame of `duration` seconds as its steps are settled, or about on another level.
    fn foreseen(&self, on: Option<&DegradationLevel>, duration: f64) -> (u64, u32) {
        let (mut work, mut each_step, mut steps) = (0, 0, 1);
        for (model, rest) in self.models.iter().zip(&self.rest) {
            if rest.asleep {
                if !rest.frozen {
                    steps = model.least_steps(duration).max(steps);
                }
                continue;
            }
            let own = model.foreseen(on, duration);
            work += own.work;
            each_step += own.each_step;
            steps = own.steps.max(steps);
        }
        for model in &self.models {
            steps = model.fitting_steps(steps);
        }
        let contact = self.contact_units(self.contacts(), u64::from(steps));
        (work + each_step * u64::from(steps) + contact, steps)
    }

    /// Work of the last frame, which had so many steps.
    pub(super) fn work_of(&self, steps: u32) -> u64 {
        let awake = self.models.iter().zip(&self.rest).filter(|b| !b.1.asleep);
        let own: u64 = awake.map(|(model, _)| model.work_used(steps)).sum();
        match self.models.iter().any(|m| m.budget_claim().is_some()) && own > 0 {
            true => {
                let contact = self.contact_units(self.counts.rows as u64, u64::from(steps));
                let settling = SETTLE_UNITS * self.governing.settled;
                own + contact + settling * self.elements()
            }
            false => own,
        }
    }

    /// Elements of the bodies that are awake, in their present resolution.
    fn elements(&self) -> u64 {
        let awake = self.models.iter().zip(&self.rest).filter(|b| !b.1.asleep);
        awake.map(|(m, _)| m.foreseen(None, 0.0).elements).sum()
    }

    /// What the present level gives up of a frame, worst first.
    pub(super) fn given_up(&self) -> Option<Degradation> {
        let Governing {
            degradation,
            is_damped,
            ..
        } = self.governing;
        let present = degradation.present();
        if !self.standing.is_empty() {
            Some(Degradation::StoodStill)
        } else if self.models.iter().any(M::lets_go) {
            Some(Degradation::ConstraintsReleased)
        } else if present.pace < 1.0 {
            Some(Degradation::SlowMotion)
        } else if is_damped && !present.is_damped {
            Some(Degradation::DampingSkipped)
        } else {
            (degradation.level() > 0).then_some(Degradation::FewerSubsteps)
        }
    }

    /// Counts of degradation take the place of those of the first body.
    pub(super) fn count_degradation(&self, counters: &mut [(&'static str, f64)]) {
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
    pub(super) fn degradation_note(&self) -> Option<String> {
        self.governing.degradation.note(self.governing.is_damped)
    }
}
