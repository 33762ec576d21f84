//! How the cut of a body follows contact and criterion within the budget of a frame.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::WorkBudget;

use crate::cut_body::CutBody;
use crate::governor::Room;
use crate::model::AdaptiveModel;

/// What a constraint costs a tick, and a skin vertex a frame, in tetrahedron evaluations.
const CONTACT_UNITS: u64 = 5;
const SKIN_UNITS: u64 = 4;
/// Frames after a cut that cost too much in which it may change but not grow; those in which a tool rests do not count.
const PATIENCE: u8 = 60;
/// Constraints count by so many, so that a few more do not change the cut.
const ROWS: usize = 32;
/// The cut has at least one part in so many of the budget.
const LEAST_SHARE: u64 = 4;

/// Frames between two looks at the criterion: it costs about as much as a firing of all elements.
const LOOK_EVERY: u64 = 4;

impl AdaptiveModel {
    /// Lets the cut follow contact and the criterion, within the budget. What a change of the cut takes counts as dissipated; it never adds, but for what gravity did
    /// on other masses.
    pub(crate) fn adapt(
        &mut self,
        body: &mut CutBody,
        boundary: &BoundaryConditions,
        budget: WorkBudget,
        duration: f64,
    ) {
        let forest = body.dynamics.forest.clone();
        let constraints = boundary.displacements();
        body.focus
            .look(&forest, &self.asset.skin, constraints, &self.reactions);
        let d = &body.dynamics;
        let evaluated = d.operators.evaluated();
        let all = self.params.budget_units.min(budget.0);
        // what constraints and skin cost is not the cut's to save; it keeps its share however much they ask for
        let rows = constraints.len().next_multiple_of(ROWS) as u64;
        let skin = SKIN_UNITS * d.blend.len() as u64;
        let left = all.saturating_sub(CONTACT_UNITS * rows * body.contact_ticks + skin);
        let most = left.max(all / LEAST_SHARE) as f64 / d.steps.excess(&d.cut, evaluated);
        let is_held =
            !constraints.is_empty() && constraints.iter().all(|c| c.velocity == Vec3::zeros());
        if all as f64 != body.budget {
            (body.budget, body.patience) = (all as f64, 0);
        }
        // finer elements were dearer than foreseen, and would be again
        if body.dynamics.cut.cost() as f64 > most {
            body.patience = PATIENCE;
        } else if !is_held {
            body.patience = body.patience.saturating_sub(1);
        }
        // by the clock of the body, so that a restored state goes on in step
        let turn = (self.time / duration).round() as u64;
        let looks = d.cut.cost() as f64 > most || turn.is_multiple_of(LOOK_EVERY);
        if looks {
            let (lame, law) = (&d.constants.lame, d.constants.law);
            body.governor
                .look(&forest, &d.operators, &d.positions, lame, law);
        }
        body.next.copy_from(&body.dynamics.cut);
        body.withheld = body.governor.decide(
            &mut body.next,
            &mut body.focus,
            Room {
                most: most as u64,
                may_grow: body.patience == 0,
            },
            looks,
        );
        if body.next.states() == body.dynamics.cut.states() {
            return;
        }
        let potential = body.dynamics.potential_energy(&self.gravity);
        let cut = body.next.clone();
        body.is_attached = false;
        body.fade.begin(&body.dynamics);
        let change = body.dynamics.take_cut(cut);
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
