//! How the cut of a body follows contact and criterion within the budget of a frame.

use pliant_core::model::WorkBudget;

use crate::governor::CutBudget;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::CutBody;
use crate::model::cut_body::work_units::{CONTACT_UNITS, ChangeUnits, SKIN_UNITS};
use crate::step::multirate::PreparedCut;

/// Frames in which a cut that cost too much may change but not grow. Frames in which a tool rests do not count.
const REFINEMENT_COOLDOWN: u8 = 60;
/// Constraints count in portions of this size, so that a few more do not change the cut.
const ROWS: usize = 32;
/// Frames in succession in which a cut may cost more than the budget, up to the allowance for overruns: half a second. Elements that are pressed take shorter steps for a
/// while, and a cut that merges half of its nodes for that is felt as a jump of the force.
const OVERRUN_FRAMES: u8 = 30;
/// A cut that uses less than this share of what it may cost can grow although another one cost too much not long ago.
const UNUSED: f64 = 0.6;
/// The budget over the least share of it that the cut has.
const LEAST_SHARE: u64 = 4;

/// A cut is prepared a frame before it takes over where the budget has room for one with this many times the work of the present one.
const ROOM: f64 = 1.3;

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
    /// Whether it may do so as soon as much of the budget is unused, although it cost too much not long ago.
    pub(crate) may_regrow: bool,
}

impl AdaptiveModel {
    /// Lets the cut follow contact and criterion within what the budget leaves after what is `paid` from it. Contact was looked at before. Where the budget has room, a new
    /// cut is prepared in one frame and takes over in the next one, so that neither has to pay for all of the change.
    pub(crate) fn adapt_cut(
        &mut self,
        body: &mut CutBody,
        paid: Paid,
        budget: WorkBudget,
        duration: f64,
    ) {
        // a budget that comes with the frame counts, or else the model's own
        let all = match budget {
            WorkBudget::UNLIMITED => self.params.budget_units,
            WorkBudget(units) => units,
        };
        if all as f64 > body.budget {
            body.refinement_cooldown = 0;
        }
        body.budget = all as f64;
        body.change_units = 0;
        // counted by the time of the body, so that a restored state looks in the same frames
        let frame = (self.time / duration).round() as u64;
        let owes_look = std::mem::take(&mut body.owes_look);
        let is_due = owes_look || frame.is_multiple_of(LOOK_EVERY);
        if let Some(prepared) = body.dynamics.pending.take() {
            body.owes_look = is_due;
            self.switch_cut(body, *prepared);
            return;
        }
        let forest = body.dynamics.forest.clone();
        let (limits, at_once) = self.limits(body, paid, all);
        let d = &body.dynamics;
        let (cost, allowance) = (d.cut.cost(), self.params.overrun_allowance);
        // what is given up for a few frames is no reason for a coarser cut
        let is_tolerated = allowance > 0.0
            && body.frames_over_budget <= OVERRUN_FRAMES
            && cost as f64 <= (1.0 + allowance) * limits.max_cost as f64 * body.excess;
        let is_over = cost > limits.max_cost && !is_tolerated;
        // finer elements cost more than foreseen, and would again
        if is_over {
            body.refinement_cooldown = REFINEMENT_COOLDOWN;
        } else if !paid.is_held {
            body.refinement_cooldown = body.refinement_cooldown.saturating_sub(1);
        }
        let has_room = paid.may_regrow && (cost as f64) < UNUSED * limits.max_cost as f64;
        let limits = CutBudget {
            may_grow: paid.may_grow && (body.refinement_cooldown == 0 || has_room),
            max_cost: if is_tolerated {
                limits.max_cost.max(cost)
            } else {
                limits.max_cost
            },
            // what it costs to merge is an overrun too, and else half of the cut would have to pay for it
            max_changed_cost: match is_over && allowance > 0.0 {
                true => limits.max_cost,
                false => limits.max_changed_cost,
            },
            ..limits
        };
        let looks = is_over || is_due;
        if looks {
            let (lame, law) = (&d.constants.lame, d.constants.law);
            body.governor
                .update_indicators(&forest, &d.operators, &d.positions, lame, law);
        }
        body.next.copy_from(&body.dynamics.cut);
        body.withheld = body
            .governor
            .decide(&mut body.next, &mut body.focus, limits, looks);
        body.refused += body.governor.refusals().len() as u64;
        if body.next.states() == body.dynamics.cut.states() {
            return;
        }
        body.governor
            .fit_change(&mut body.next, &body.focus, limits);
        let prepared = body.dynamics.prepare(body.next.clone());
        let work = ChangeUnits::PREPARE;
        body.change_units = work.of(prepared.operators.evaluated().len(), prepared.blend.len());
        match at_once {
            true => self.switch_cut(body, prepared),
            false => body.dynamics.pending = Some(Box::new(prepared)),
        }
    }

    /// What the cut may cost in a frame of `all` units, and whether a change of it has to be prepared in the same frame.
    fn limits(&self, body: &CutBody, paid: Paid, all: u64) -> (CutBudget, bool) {
        let d = &body.dynamics;
        let (elements, cost) = (d.operators.evaluated().len(), d.cut.cost());
        // a coarser cut would not save what constraints and skin cost: the cut keeps its share however much they ask for
        let rows = paid.rows.next_multiple_of(ROWS) as u64;
        let skin = d.blend.len() as u64;
        let fixed = CONTACT_UNITS * rows * body.contact_ticks + SKIN_UNITS * skin;
        let left = all.saturating_sub(fixed);
        let left = left.max(all / LEAST_SHARE) as f64;
        // a coarser cut comes before any degradation
        let excess = body.excess * d.steps.excess(&d.cut, d.operators.evaluated());
        let each = elements as f64 / cost.max(1) as f64;
        let with = |units: u64| excess + units as f64 * each;
        let max_cost = left / with(paid.reserve);
        let allowance = self.params.overrun_allowance * all as f64;
        // a cut that changes pays for that
        let changed = |work: ChangeUnits| {
            let rest = (left - (work.skin * skin) as f64).max(0.5 * left);
            ((rest + allowance) / with(paid.reserve + work.each)).min(max_cost)
        };
        let prepare = ChangeUnits::PREPARE;
        let room = left + allowance - cost as f64 * with(paid.reserve);
        let prepared = (room - (prepare.skin * skin) as f64) / (prepare.each as f64 * each);
        let is_prepared = self.params.prepares_changes;
        let at_once = !is_prepared || cost as f64 > max_cost || prepared < ROOM * cost as f64;
        let max_changed_cost = match at_once {
            true => changed(ChangeUnits::AT_ONCE),
            false => changed(ChangeUnits::SWITCH).min(prepared),
        };
        let limits = CutBudget {
            budget: all,
            max_cost: max_cost as u64,
            max_changed_cost: max_changed_cost as u64,
            may_grow: paid.may_grow,
        };
        (limits, at_once)
    }

    /// Goes on with another cut. The energy that a change of the cut takes counts as dissipated. A change adds none, but for the work of gravity on masses that moved.
    fn switch_cut(&mut self, body: &mut CutBody, prepared: PreparedCut) {
        let work = ChangeUnits::SWITCH;
        body.change_units += work.of(prepared.operators.evaluated().len(), prepared.blend.len());
        let potential = body.dynamics.potential_energy(&self.gravity);
        body.is_attached = false;
        body.fade.begin(&body.dynamics);
        let d = &body.dynamics;
        self.work += self.contact.work_of_last_half(&d.velocities, &d.masses);
        let change = body.dynamics.switch_to(prepared, |n| self.contact.kick(n));
        self.contact.forget();
        body.fade.changed(&body.dynamics);
        body.changes += 1;
        let lost = potential - body.dynamics.potential_energy(&self.gravity) - change;
        if lost >= 0.0 {
            self.dissipated += lost;
        } else {
            self.work -= lost;
        }
    }
}
