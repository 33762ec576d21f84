//! The level that the whole body is kept at where a cut moves.
//!
//! A share of the budget pays for it: what is not needed for contact is not left unused. Where that leaves too little for the place that is touched, contact takes a level from
//! it until the tool lets go. It takes no more, and none that no longer stands for the body: an ear that is gone is too stiff, however fine the cut is under the finger.

use crate::cut::{Cut, Forest};

/// The floor is given up when it costs so many times the share that it was chosen for.
const HOLD: f64 = 1.5;
/// Nodes of a level from which on it can stand for a whole body. A guess between a pad of 144 nodes, which can, and animals of 60, which cannot.
const LEAST_NODES: usize = 100;

/// Chooses the level, and keeps a cut at it.
#[derive(Debug, Clone)]
pub(super) struct Floor {
    /// share of the budget; 0 for no floor
    pub(super) share: f64,
    /// coarsest level that the cut is kept at
    level: usize,
    /// coarsest level that contact may leave
    least: usize,
    /// whether contact was refused a split since a tool touched
    contact_is_short: bool,
}

impl Floor {
    /// Numbers that [`Floor::save`] writes.
    pub(super) const SAVED: usize = 2;

    /// No floor, for the levels of `forest`.
    pub(super) fn new(forest: &Forest) -> Self {
        let mut levels = forest.asset().levels.iter();
        Self {
            share: 0.0,
            level: 0,
            least: levels
                .position(|level| level.node_count() >= LEAST_NODES)
                .unwrap_or(0),
            contact_is_short: false,
        }
    }

    /// Coarsest level that the cut is kept at.
    pub(super) fn level(&self) -> usize {
        self.level
    }

    /// Forgets what was touched.
    pub(super) fn reset(&mut self) {
        (self.level, self.contact_is_short) = (0, false);
    }

    /// Contact was refused a split.
    pub(super) fn note_refused_contact(&mut self) {
        self.contact_is_short = true;
    }

    /// Chooses the level for a `budget` in work units, in portions, so that one that changes a little does not change it.
    pub(super) fn choose(&mut self, cut: &Cut, budget: u64, is_touched: bool) {
        self.contact_is_short &= is_touched;
        if self.share <= 0.0 {
            return;
        }
        let forest = cut.forest();
        let most = self.share * budget as f64;
        let fits = |level: usize| {
            let price: u64 = forest.tets_of_level(level).map(|t| cut.price(t)).sum();
            let hold = if level <= self.level { HOLD } else { 1.0 };
            price as f64 <= hold * most
        };
        let finest = (1..forest.level_count()).rev().find(|&l| fits(l));
        let finest = finest.unwrap_or(0);
        self.level = match self.contact_is_short {
            true => finest.saturating_sub(1).max(self.least.min(finest)),
            false => finest,
        };
    }

    /// Splits what is coarser, while the cost stays within `most`.
    pub(super) fn raise(&self, cut: &mut Cut, most: u64) {
        let forest = cut.forest().clone();
        for level in 0..self.level {
            for node in forest.nodes_of_level(level) {
                if cut.is_active(node)
                    && !forest.children(node).is_empty()
                    && cut.split_within(node, most).is_err()
                {
                    return;
                }
            }
        }
    }

    /// Memory of past frames as numbers.
    pub(super) fn save(&self, to: &mut Vec<f64>) {
        to.extend([
            self.level as f64,
            f64::from(u8::from(self.contact_is_short)),
        ]);
    }

    /// Takes back what was saved.
    pub(super) fn restore(&mut self, [level, short]: [f64; Self::SAVED]) {
        (self.level, self.contact_is_short) = (level as usize, short != 0.0);
    }
}
