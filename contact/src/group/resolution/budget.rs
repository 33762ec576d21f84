//! One budget for all bodies, and the part of it that contact takes.
//!
//! The budget is that of the frame, or else the sum of the budgets of all bodies. Contact between them is paid first: its cost at the finest resolution, or its cost in the
//! last frame if that is more. Bodies that are awake get the rest in proportion to their elements at their finest. So shares change when a body falls asleep or wakes, and
//! with contact in coarse portions: small changes of the shares do not change cuts.

use pliant_core::model::{SteppedModel, WorkBudget};

use crate::group::body_group::BodyGroup;

/// Cost of finding a contact, once a frame, in tetrahedron evaluations.
const FIND_UNITS: u64 = 60;
/// Cost of the impulses of a contact in each step.
const STEP_UNITS: u64 = 20;

/// Cost of a contact point, once a frame, whether it touches something or not.
const POINT_UNITS: u64 = 12;

/// Cost for each element when steps are chosen again because something is given up.
const STEP_CHOICE_UNITS: u64 = 40;

/// Contacts are counted in multiples of this number, so that a few more do not change cuts.
const PORTION: u64 = 64;

impl<M: SteppedModel> BodyGroup<M> {
    /// Contacts of this frame.
    pub(super) fn contacts(&self) -> u64 {
        self.found.iter().map(|f| f.candidates.len() as u64).sum()
    }

    /// Work of `contacts` contacts in a frame of `steps` steps.
    pub(super) fn contact_units(&self, contacts: u64, steps: u64) -> u64 {
        let awake = self.shapes.iter().zip(&self.sleep).filter(|b| !b.1.asleep);
        let points: usize = awake.map(|(shape, _)| shape.len()).sum();
        POINT_UNITS * points as u64 + contacts * (FIND_UNITS + STEP_UNITS * steps)
    }

    /// Shares of the bodies that are awake in what contact leaves of the budget of a frame.
    pub(crate) fn share_budget(&mut self, asked: WorkBudget) {
        let (mut own, mut awake, mut steps) = (0_u64, 0_u64, u64::from(self.governing.steps));
        for (model, sleep) in self.models.iter().zip(&self.sleep) {
            if let Some(claim) = model.budget_claim() {
                own = own.saturating_add(claim.own);
                if !sleep.asleep {
                    awake += claim.elements;
                    steps = steps.max(claim.contact_steps);
                }
            }
        }
        let all = asked.units_or(own);
        self.governing.budget = all;
        let contacts = self.contacts().next_multiple_of(PORTION);
        // with nothing left, bodies are as coarse as they can be before anything else is given up
        let left = all.saturating_sub(self.contact_units(contacts, steps));
        self.budgets.clear();
        self.budgets.extend(self.models.iter().map(|model| {
            let elements = model.budget_claim().map_or(0, |claim| claim.elements);
            let share = u128::from(left) * u128::from(elements) / u128::from(awake.max(1));
            WorkBudget(share.min(u128::from(u64::MAX - 1)) as u64)
        }));
    }

    /// Work of the last frame, which had `steps` steps.
    pub(crate) fn work_of(&self, steps: u32) -> u64 {
        let own: u64 = self.awake().map(|model| model.work_used(steps)).sum();
        match self.models.iter().any(|m| m.budget_claim().is_some()) && own > 0 {
            true => {
                let contact = self.contact_units(self.counts.rows as u64, u64::from(steps));
                let choices = STEP_CHOICE_UNITS * self.governing.step_choices;
                own + contact + choices * self.elements()
            }
            false => own,
        }
    }

    /// Elements of the bodies that are awake, in their present resolution.
    pub(super) fn elements(&self) -> u64 {
        let each = self.awake().map(|m| m.frame_cost(None, 0.0).elements);
        each.sum()
    }
}
