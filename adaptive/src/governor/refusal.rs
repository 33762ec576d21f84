//! Why a split did not happen.

use pliant_core::math::numbers::decimal;

use crate::cut::Cut;

/// Refused splits after which no further split is tried: a cheaper one may still fit.
pub(super) const MAX_REFUSALS: usize = 16;

/// Why a node should be split.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SplitReason {
    /// Contact is near.
    Contact {
        /// How near, m.
        distance: f64,
    },
    /// The motion inside its elements is too far from linear.
    Criterion {
        /// By how much, m.
        gamma: f64,
        /// What is allowed, m.
        threshold: f64,
    },
}

/// A split that the budget refused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refusal {
    /// Node of all levels, in the forest's numbering.
    pub node: u32,
    /// Its level, 0 is the coarsest.
    pub level: usize,
    /// Why it should be split.
    pub split_reason: SplitReason,
    /// Firings a frame of the cut as it was.
    pub cost: u64,
    /// Firings a frame with the split and the further splits that balance requires.
    pub with_split: u64,
    /// Firings a frame that the budget allows.
    pub allowed: u64,
}

impl Refusal {
    /// The split of `node` would have cost `with_split`.
    pub(super) fn new(
        cut: &Cut,
        node: u32,
        split_reason: SplitReason,
        with_split: u64,
        allowed: u64,
    ) -> Self {
        Self {
            node,
            level: cut.forest().level_of(node),
            split_reason,
            cost: cut.cost(),
            with_split,
            allowed,
        }
    }

    /// One sentence with the numbers.
    pub fn reason(&self) -> String {
        let reason = match self.split_reason {
            SplitReason::Contact { distance } => {
                format!("lies {} mm from contact", decimal(1e3 * distance))
            }
            SplitReason::Criterion { gamma, threshold } => {
                format!(
                    "departs {} mm from linear motion, more than {} mm",
                    decimal(1e3 * gamma),
                    decimal(1e3 * threshold)
                )
            }
        };
        format!(
            "node {} of level {} {reason}, but splitting it would raise the work of a frame from {} to {} tetrahedron evaluations, and {} are allowed",
            self.node, self.level, self.cost, self.with_split, self.allowed
        )
    }
}
