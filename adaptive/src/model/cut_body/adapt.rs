//! How the cut of a body follows contact and criterion within the budget of a frame.

use pliant_core::model::WorkBudget;

use crate::governor::CutBudget;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::CutBody;
use crate::model::cut_body::work_units::{CONTACT_UNITS, ChangeUnits, SKIN_UNITS};
use crate::step::multirate::PreparedCut;

/// Frames in which a cut that cost too much may change but not grow. Frames in which a tool rests do not count.
const REFINEMENT_COOLDOWN: u8 = 60;
/// The number of constraints is rounded up to a multiple of this, so that a few more do not change the cut.
const CONSTRAINT_PORTION: usize = 32;
/// Successive frames in which a cut may cost more than the budget, up to the allowance for overruns: half a second. Compressed elements take shorter steps for a
/// while, and merging half of the nodes for that would be felt as a jump of the force.
const OVERRUN_FRAMES_BEFORE_MERGING: u8 = 30;
/// A cut that costs less than this share of its limit may grow during the cooldown, too.
const REGROWTH_SHARE: f64 = 0.6;
/// The budget divided by the least part of it for the cut.
const MIN_CUT_DIVISOR: u64 = 4;

/// A cut is prepared one frame before it is used if the remaining budget is enough for a cut with this multiple of the present work.
const PREPARATION_ROOM: f64 = 1.3;

/// Frames between two updates of the indicators, which cost about as much as a firing of all elements.
const FRAMES_BETWEEN_UPDATES: u64 = 4;

/// Demands on the budget besides those of the cut, and whether the cut may grow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CutDemand {
    /// Number of constraints, whose work reduces the budget.
    pub(crate) rows: usize,
    /// Work units for each element that are reserved.
    pub(crate) reserve: u64,
    /// Whether what touches the body is at rest.
    pub(crate) is_held: bool,
    /// Whether the cut may cost more than it does.
    pub(crate) may_grow: bool,
    /// Whether it may grow during the cooldown if much of the budget is unused.
    pub(crate) may_regrow: bool,
}

impl AdaptiveModel {
    /// Adapts the cut to contact and criterion within what `demand` leaves of the budget. The contact focus has to be up to date. Where the budget allows it, a new
    /// cut is prepared in one frame and used from the next one on, so that the work of the change is divided between two frames.
    pub(crate) fn adapt_cut(
        &mut self,
        body: &mut CutBody,
        demand: CutDemand,
        budget: WorkBudget,
        duration: f64,
    ) {
        // a budget that comes with the frame counts, or else the model's own
        let all = budget.units_or(self.params.budget_units);
        if all as f64 > body.budget {
            body.refinement_cooldown = 0;
        }
        body.budget = all as f64;
        body.change_units = 0;
        // counted by the time of the body, so that a restored state has its updates in the same frames
        let frame = (self.time / duration).round() as u64;
        let update_is_due = std::mem::take(&mut body.update_is_due);
        let is_due = update_is_due || frame.is_multiple_of(FRAMES_BETWEEN_UPDATES);
        if let Some(prepared) = body.dynamics.pending.take() {
            body.update_is_due = is_due;
            self.switch_cut(body, *prepared);
            return;
        }
        let forest = body.dynamics.forest.clone();
        let (limits, at_once) = self.limits(body, demand, all);
        let d = &body.dynamics;
        let (cost, allowance) = (d.cut.cost(), self.params.overrun_allowance);
        // a degradation for a few frames is no reason for a coarser cut
        let is_tolerated = allowance > 0.0
            && body.frames_over_budget <= OVERRUN_FRAMES_BEFORE_MERGING
            && cost as f64 <= (1.0 + allowance) * limits.max_cost as f64 * body.excess;
        let is_over = cost > limits.max_cost && !is_tolerated;
        // finer elements cost more than the forecast, and would do so again
        if is_over {
            body.refinement_cooldown = REFINEMENT_COOLDOWN;
        } else if !demand.is_held {
            body.refinement_cooldown = body.refinement_cooldown.saturating_sub(1);
        }
        let has_room = demand.may_regrow && (cost as f64) < REGROWTH_SHARE * limits.max_cost as f64;
        let limits = CutBudget {
            may_grow: demand.may_grow && (body.refinement_cooldown == 0 || has_room),
            max_cost: if is_tolerated {
                limits.max_cost.max(cost)
            } else {
                limits.max_cost
            },
            // the work of merging may exceed the budget, too: otherwise half of the cut would be merged to compensate for it
            max_changed_cost: match is_over && allowance > 0.0 {
                true => limits.max_cost,
                false => limits.max_changed_cost,
            },
            ..limits
        };
        let updates = is_over || is_due;
        if updates {
            let (lame, law) = (&d.constants.lame, d.constants.law);
            body.governor
                .update_indicators(&forest, &d.operators, &d.positions, lame, law);
        }
        body.next_cut.copy_from(&body.dynamics.cut);
        body.withheld = body
            .governor
            .decide(&mut body.next_cut, &mut body.focus, limits, updates);
        body.refused += body.governor.refusals().len() as u64;
        if body.next_cut.states() == body.dynamics.cut.states() {
            return;
        }
        body.governor
            .fit_change(&mut body.next_cut, &body.focus, limits);
        let prepared = body.dynamics.prepare(body.next_cut.clone());
        let work = ChangeUnits::PREPARE;
        body.change_units = work.total(prepared.operators.evaluated().len(), prepared.blend.len());
        match at_once {
            true => self.switch_cut(body, prepared),
            false => body.dynamics.pending = Some(Box::new(prepared)),
        }
    }

    /// The limits of the cut in a frame with `all` units, and whether a change has to be prepared and used in the same frame.
    fn limits(&self, body: &CutBody, demand: CutDemand, all: u64) -> (CutBudget, bool) {
        let d = &body.dynamics;
        let (elements, cost) = (d.operators.evaluated().len(), d.cut.cost());
        // a coarser cut does not reduce the work of constraints and skin: the cut keeps a share of the budget, however much they need
        let rows = demand.rows.next_multiple_of(CONSTRAINT_PORTION) as u64;
        let skin = d.blend.len() as u64;
        let fixed = CONTACT_UNITS * rows * body.contact_ticks + SKIN_UNITS * skin;
        let left = all.saturating_sub(fixed);
        let left = left.max(all / MIN_CUT_DIVISOR) as f64;
        // a coarser cut comes before any degradation
        let excess = body.excess * d.steps.excess(&d.cut, d.operators.evaluated());
        let each = elements as f64 / cost.max(1) as f64;
        let with = |units: u64| excess + units as f64 * each;
        let max_cost = left / with(demand.reserve);
        let allowance = self.params.overrun_allowance * all as f64;
        // the budget of a changed cut includes the work of the change
        let changed = |work: ChangeUnits| {
            let rest = (left - (work.skin * skin) as f64).max(0.5 * left);
            ((rest + allowance) / with(demand.reserve + work.each)).min(max_cost)
        };
        let prepare = ChangeUnits::PREPARE;
        let room = left + allowance - cost as f64 * with(demand.reserve);
        let prepared = (room - (prepare.skin * skin) as f64) / (prepare.each as f64 * each);
        let is_prepared = self.params.prepares_changes;
        let at_once =
            !is_prepared || cost as f64 > max_cost || prepared < PREPARATION_ROOM * cost as f64;
        let max_changed_cost = match at_once {
            true => changed(ChangeUnits::AT_ONCE),
            false => changed(ChangeUnits::SWITCH).min(prepared),
        };
        let limits = CutBudget {
            budget: all,
            max_cost: max_cost as u64,
            max_changed_cost: max_changed_cost as u64,
            may_grow: demand.may_grow,
        };
        (limits, at_once)
    }

    /// Changes to the prepared cut. The energy that this takes counts as dissipated. It adds no energy, except the work of gravity on moved masses.
    pub(crate) fn switch_cut(&mut self, body: &mut CutBody, prepared: PreparedCut) {
        let work = ChangeUnits::SWITCH;
        body.change_units += work.total(prepared.operators.evaluated().len(), prepared.blend.len());
        let potential = body.dynamics.potential_energy(&self.gravity);
        body.is_attached = false;
        body.fade.start(&body.dynamics);
        let d = &body.dynamics;
        let by_constraints = self.contact.work_of_second_half(&d.velocities, &d.masses);
        self.work += by_constraints;
        self.lost_in_contact -= by_constraints;
        let change = body.dynamics.switch_to(prepared, |n| self.contact.kick(n));
        self.contact.clear_kicks();
        body.fade.set_offsets(&body.dynamics);
        body.changes += 1;
        let lost = potential - body.dynamics.potential_energy(&self.gravity) - change;
        if lost >= 0.0 {
            self.dissipated += lost;
        } else {
            self.work -= lost;
        }
    }
}
