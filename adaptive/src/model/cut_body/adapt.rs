//! How the cut of a body follows contact and criterion within the budget of a frame.

use pliant_core::model::WorkBudget;

use crate::governor::CutBudget;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::CutBody;
use crate::model::cut_body::work_units::{
    CHANGE_SKIN_UNITS, CHANGE_UNITS, CONTACT_UNITS, SKIN_UNITS,
};

/// Frames in which a cut that cost too much may change but not grow. Frames in which a tool rests do not count.
const REFINEMENT_COOLDOWN: u8 = 60;
/// Constraints count in portions of this size, so that a few more do not change the cut.
const ROWS: usize = 32;
/// The budget over the least share of it that the cut has.
const LEAST_SHARE: u64 = 4;

/// Frames between two looks at the criterion, which costs about as much as a firing of all elements.
const LOOK_EVERY: u64 = 4;

/// What a cut is told besides its budget.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paid {
    /// Constraints, which are paid from the budget.
    pub(crate) rows: usize,
    /// Units for each element that are kept back.
    pub(crate) reserve: u64,
    /// Whether what touches the body rests.
    pub(crate) is_held: bool,
    /// Whether the cut may cost more than it does.
    pub(crate) may_grow: bool,
}

impl AdaptiveModel {
    /// Lets the cut follow contact and criterion within what the budget leaves after what is `paid` from it. Contact was looked at before. The energy that a change of
    /// the cut takes counts as dissipated. A change adds none, but for the work of gravity on masses that moved.
    pub(crate) fn adapt_cut(
        &mut self,
        body: &mut CutBody,
        paid: Paid,
        budget: WorkBudget,
        duration: f64,
    ) {
        let forest = body.dynamics.forest.clone();
        let d = &body.dynamics;
        let evaluated = d.operators.evaluated();
        // a budget that comes with the frame counts, or else the model's own
        let all = match budget {
            WorkBudget::UNLIMITED => self.params.budget_units,
            WorkBudget(units) => units,
        };
        let Paid {
            rows,
            reserve,
            is_held,
            may_grow,
        } = paid;
        // a coarser cut would not save what constraints and skin cost: the cut keeps its share however much they ask for
        let rows = rows.next_multiple_of(ROWS) as u64;
        let skin = SKIN_UNITS * d.blend.len() as u64;
        let left = all.saturating_sub(CONTACT_UNITS * rows * body.contact_ticks + skin);
        // a coarser cut comes before any degradation
        let excess = body.excess * d.steps.excess(&d.cut, evaluated);
        let left = left.max(all / LEAST_SHARE) as f64;
        let each = evaluated.len() as f64 / d.cut.cost().max(1) as f64;
        let with = |units: u64| excess + units as f64 * each;
        let most = left / with(reserve);
        // a cut that changes pays for that in the same frame
        let rest = (left - (CHANGE_SKIN_UNITS * d.blend.len() as u64) as f64).max(0.5 * left);
        let rest = rest + self.params.change_allowance * all as f64;
        let most_changed = (rest / with(reserve + CHANGE_UNITS)).min(most);
        if all as f64 > body.budget {
            body.refinement_cooldown = 0;
        }
        body.budget = all as f64;
        // finer elements cost more than foreseen, and would again
        if body.dynamics.cut.cost() as f64 > most {
            body.refinement_cooldown = REFINEMENT_COOLDOWN;
        } else if !is_held {
            body.refinement_cooldown = body.refinement_cooldown.saturating_sub(1);
        }
        // counted by the time of the body, so that a restored state looks in the same frames
        let frame = (self.time / duration).round() as u64;
        let looks = d.cut.cost() as f64 > most || frame.is_multiple_of(LOOK_EVERY);
        if looks {
            let (lame, law) = (&d.constants.lame, d.constants.law);
            body.governor
                .look(&forest, &d.operators, &d.positions, lame, law);
        }
        body.next.copy_from(&body.dynamics.cut);
        let limits = CutBudget {
            budget: all,
            most: most as u64,
            most_changed: most_changed as u64,
            may_grow: may_grow && body.refinement_cooldown == 0,
        };
        body.withheld = body
            .governor
            .decide(&mut body.next, &mut body.focus, limits, looks);
        body.refused += body.governor.refusals().len() as u64;
        if body.next.states() == body.dynamics.cut.states() {
            return;
        }
        body.governor
            .fit_change(&mut body.next, &body.focus, limits);
        let potential = body.dynamics.potential_energy(&self.gravity);
        let cut = body.next.clone();
        body.is_attached = false;
        body.fade.begin(&body.dynamics);
        let change = body.dynamics.take_cut(cut);
        body.fade.changed(&body.dynamics);
        body.changes += 1;
        body.has_changed = true;
        let lost = potential - body.dynamics.potential_energy(&self.gravity) - change;
        if lost >= 0.0 {
            self.dissipated += lost;
        } else {
            self.work -= lost;
        }
    }
}
