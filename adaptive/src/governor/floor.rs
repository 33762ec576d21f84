//! The coarsest level that a cut has anywhere, so that the whole body is resolved as a share of the budget allows.
//!
//! It uses the budget that contact leaves. Where contact is refused a split, the floor becomes one level coarser until the tool leaves the body. It becomes no coarser than that, and it
//! never falls below the coarsest level that represents the whole body: a level without the ears of an animal is too stiff, however fine the cut is under the tool.

use crate::cut::{Cut, Forest};

/// The floor becomes coarser when it costs more than its share of the budget by this factor.
const HYSTERESIS: f64 = 1.5;
/// Least number of nodes of a level that represents the whole body. It is a guess: a pad of 144 nodes does, animals of 60 nodes do not.
const MIN_NODES: usize = 100;

/// Chooses the level, and keeps a cut at it.
#[derive(Debug, Clone)]
pub(super) struct Floor {
    /// share of the budget; 0 for no floor
    share: f64,
    /// coarsest level that the cut is kept at
    level: usize,
    /// coarsest level that the floor may have while contact is refused
    coarsest_for_contact: usize,
    /// whether contact was refused a split since a tool has touched the body
    pub(super) contact_is_refused: bool,
}

impl Floor {
    /// Not chosen yet, for the levels of `forest` and this share of the budget.
    pub(super) fn new(forest: &Forest, share: f64) -> Self {
        let mut levels = forest.asset().levels.iter();
        Self {
            share,
            level: 0,
            coarsest_for_contact: levels
                .position(|level| level.node_count() >= MIN_NODES)
                .unwrap_or(0),
            contact_is_refused: false,
        }
    }

    /// Coarsest level that the cut is kept at.
    pub(super) fn level(&self) -> usize {
        self.level
    }

    /// Resets to no floor.
    pub(super) fn reset(&mut self) {
        (self.level, self.contact_is_refused) = (0, false);
    }

    /// Chooses the level for a `budget` in work units, with hysteresis.
    pub(super) fn choose(&mut self, cut: &Cut, budget: u64, is_touched: bool) {
        self.contact_is_refused &= is_touched;
        if self.share <= 0.0 {
            return;
        }
        let forest = cut.forest();
        let max_cost = self.share * budget as f64;
        let fits = |level: usize| {
            let price: u64 = forest.tets_of_level(level).map(|t| cut.price(t)).sum();
            let factor = if level <= self.level { HYSTERESIS } else { 1.0 };
            price as f64 <= factor * max_cost
        };
        let finest = (1..forest.level_count()).rev().find(|&l| fits(l));
        let finest = finest.unwrap_or(0);
        self.level = match self.contact_is_refused {
            true => finest
                .saturating_sub(1)
                .max(self.coarsest_for_contact.min(finest)),
            false => finest,
        };
    }

    /// Splits coarser nodes while the cost stays within `max_cost`.
    pub(super) fn raise(&self, cut: &mut Cut, max_cost: u64) {
        let forest = cut.forest().clone();
        for level in 0..self.level {
            for node in forest.nodes_of_level(level) {
                if cut.is_active(node)
                    && !forest.children(node).is_empty()
                    && cut.split_within(node, max_cost).is_err()
                {
                    return;
                }
            }
        }
    }

    /// The state that depends on past frames.
    pub(super) fn saved(&self) -> [f64; 2] {
        let refused = u8::from(self.contact_is_refused);
        [self.level as f64, f64::from(refused)]
    }

    /// Restores what was saved.
    pub(super) fn restore(&mut self, [level, refused]: [f64; 2]) {
        (self.level, self.contact_is_refused) = (level as usize, refused != 0.0);
    }
}
