//! Work of the elements of a cut in a frame.

use std::sync::Arc;

use crate::cut::{Cut, Forest};
use crate::step::multirate::rates::element_steps::ElementSteps;
use crate::step::multirate::rates::step_level::{DEEPEST, UNSET};

/// Numbers of steps are powers of two: on average this many times as many as needed.
const ROUNDING: f64 = 1.2;

/// Work of every element in a frame besides its firings, in firings: its scan, its energy, and its share of changes of the cut.
pub(crate) const FRAME_UNITS: u32 = 20;

/// Work of every element in a frame at rest: its firings and [`FRAME_UNITS`].
pub(crate) fn prices(forest: &Forest, steps: &ElementSteps, duration: f64) -> Arc<[u32]> {
    (0..forest.tet_count() as u32)
        .map(|t| FRAME_UNITS + (ROUNDING * steps.rest_rate(t) * duration).ceil().max(1.0) as u32)
        .collect()
}

impl ElementSteps {
    /// Work of a frame at the levels of the last scan over the price of the cut, at least 1: strain and tools make steps shorter than the price assumes.
    pub fn excess(&self, cut: &Cut, evaluated: &[u32]) -> f64 {
        if self.duration <= 0.0 || cut.cost() == 0 {
            return 1.0;
        }
        let mut now = 0;
        for &t in evaluated {
            now += match self.levels[t as usize] {
                UNSET => cut.price(t),
                level => u64::from(FRAME_UNITS) + (u64::from(self.parts) << level.min(DEEPEST)),
            };
        }
        (now as f64 / cut.cost() as f64).max(1.0)
    }
}
