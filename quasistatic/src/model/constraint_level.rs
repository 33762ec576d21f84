//! The level at which touched vertices are constrained, chosen at the beginning of each frame.

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, Friction};
use pliant_core::model::WorkBudget;

use crate::capacitance::assemble::COLUMN_COST;
use crate::contact::conditions::Condition;
use crate::model::QuasistaticModel;
use crate::params::ConstraintLevel;

/// Work units of a pair of vertices that are constrained one by one, beside two blocks of the columns: their part of the factorisation.
const PAIR_FACTOR_COST: f64 = 30.0;
/// Work units of friction, times the contacts to the power of 1.5: its alternations grow with the contacts.
const FRICTION_COST: f64 = 1e5;

impl QuasistaticModel {
    /// Number of levels coarser than the finest; 0 where columns are not wavelets.
    pub fn constraint_levels(&self) -> usize {
        self.hats.as_ref().map_or(0, |hats| hats.finest())
    }

    /// Chooses the level of this frame. Where the budget decides, the predicted costs are those measured on the rabbit of 2,172 nodes, and levels with more than `max_contacts` constraints
    /// are excluded. Cost: a sort of the touched vertices' hats, for each level where the budget decides.
    pub(super) fn choose_level(&mut self, boundary: &BoundaryConditions, budget: WorkBudget) {
        let Some(finest) = self.hats.as_ref().map(|hats| hats.finest()) else {
            return;
        };
        let coarsest = match self.settings.constraint_level {
            ConstraintLevel::Fine => finest,
            ConstraintLevel::Coarser(levels) => finest.saturating_sub(levels as usize),
            ConstraintLevel::Auto => 0,
        };
        if coarsest == finest {
            self.state.level.set(finest);
            return;
        }
        self.gather_touched(boundary);
        if self.settings.constraint_level != ConstraintLevel::Auto {
            self.state.level.set(coarsest);
            return;
        }
        let Some(hats) = &self.hats else {
            return;
        };
        let rows = &self.conditions.rows;
        let held = rows.iter().filter(|c| !c.row.unilateral).count() / 3;
        let counts = &mut self.work.counts;
        counts.clear();
        let coarse = &mut self.coarse;
        counts.extend((0..finest).map(|level| held + coarse.count_constraints(hats, level)));
        counts.push(rows.len() - 2 * held);
        let constraint = |c: &Condition| boundary.displacements().get(c.constraint as usize);
        let any_friction = coarse.fine.iter().filter_map(constraint).any(has_friction);
        let (nodes, max_contacts) = (self.asset.nodes() as f64, self.settings.max_contacts);
        let pair_cost = 2.0 * self.asset.matrix.block_cost() as f64 + PAIR_FACTOR_COST;
        let cost = |level: usize| {
            let count = counts[level] as f64;
            let normal = match level == finest {
                true => pair_cost * count * count,
                false => COLUMN_COST as f64 * nodes * count,
            };
            let friction = if any_friction {
                FRICTION_COST * count.powf(1.5)
            } else {
                0.0
            };
            match counts[level] > max_contacts {
                true => f64::INFINITY,
                false => normal + friction,
            }
        };
        self.state.level.choose(finest, cost, budget.0 as f64);
    }

    /// Gathers the touched vertices, from which coarse constraints are made.
    pub(super) fn gather_touched(&mut self, boundary: &BoundaryConditions) {
        let (asset, state) = (&self.asset, &self.state);
        let touches = |c: &Condition| {
            let vertex = c.row.vertex;
            // a vertex that a held one moves into contact is detected a frame later
            c.gap < 0.0 || state.pushing.binary_search(&vertex).is_ok() || {
                let target = boundary.displacements().get(c.constraint as usize);
                let target = target.map_or_else(Default::default, |c| c.target);
                let last = asset.skin.positions[vertex as usize]
                    + state.displayed(&asset.rows, vertex as usize);
                (last - target).dot(&c.row.direction) < 0.0
            }
        };
        let rows = &self.conditions.rows;
        self.coarse.gather(rows, &self.skin_areas, touches);
    }

    /// Replaces the constraints of touched vertices by those of the chosen level.
    pub(super) fn constrain_at_level(&mut self, boundary: &BoundaryConditions) {
        let levels = self.constraint_levels();
        match self.state.level.level().filter(|level| *level < levels) {
            Some(level) => {
                self.replace_touched(level, boundary);
                self.exclude_open_vertices(level, boundary);
            }
            None if levels > 0 => self.coarse.clear(),
            None => {}
        }
    }

    /// Work units that the present attempt may spend on its capacitance matrix; `None` where it is never abandoned: without a budget, at the coarsest of the levels that the budget chooses
    /// from, and at a coarse level that is prescribed.
    pub(super) fn work_limit(&self, budget: WorkBudget) -> Option<u64> {
        if budget == WorkBudget::UNLIMITED {
            return None;
        }
        let levels = self.constraint_levels();
        let level = self.state.level.level().filter(|_| levels > 0);
        match (self.settings.constraint_level, level) {
            (ConstraintLevel::Auto, Some(level)) => (level > 0).then_some(budget.0),
            (_, Some(level)) if level < levels => None,
            _ => self.state.held.limit(budget.0),
        }
    }

    /// Takes the next coarser level; false where the budget does not choose the level.
    pub(super) fn coarsen(&mut self) -> bool {
        let chooses = self.settings.constraint_level == ConstraintLevel::Auto;
        let level = self.state.level.level().filter(|level| *level > 0);
        match level {
            Some(level) if chooses && self.constraint_levels() > 0 => {
                self.state.level.set(level - 1);
                true
            }
            _ => false,
        }
    }
}

fn has_friction(constraint: &DisplacementConstraint) -> bool {
    matches!(constraint.friction, Friction::Coulomb { static_coefficient, .. } if static_coefficient > 0.0)
}

/// The level as a number of runtime parameters and snapshots: levels coarser than the finest, -1 for automatic choice.
pub(super) fn constraint_level_number(level: ConstraintLevel) -> f64 {
    match level {
        ConstraintLevel::Fine => 0.0,
        ConstraintLevel::Coarser(levels) => f64::from(levels),
        ConstraintLevel::Auto => -1.0,
    }
}

/// The inverse of [`constraint_level_number`].
pub(super) fn constraint_level_from_number(number: f64) -> ConstraintLevel {
    match number {
        n if n < 0.0 => ConstraintLevel::Auto,
        n if n >= 1.0 => ConstraintLevel::Coarser(n as u32),
        _ => ConstraintLevel::Fine,
    }
}
