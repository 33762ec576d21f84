//! What the elements of a cut cost a frame.

use std::sync::Arc;

use crate::cut::{Cut, Forest};
use crate::step::multirate::rates::element_steps::ElementSteps;
use crate::step::multirate::rates::step_level::{DEEPEST, UNSET};

/// Steps are powers of two of a part of the frame: as many more than needed, in the mean.
const ROUNDING: f64 = 1.2;

/// What every element costs a frame besides its firings, in firings: its stretch, its energy and its part in what changes.
pub(crate) const FRAME_UNITS: u32 = 20;

/// Firings a frame of every element at rest, and what it costs besides.
pub(crate) fn prices(forest: &Forest, steps: &ElementSteps, duration: f64) -> Arc<[u32]> {
    (0..forest.tet_count() as u32)
        .map(|t| FRAME_UNITS + (ROUNDING * steps.rest_rate(t) * duration).ceil().max(1.0) as u32)
        .collect()
}

impl ElementSteps {
    /// Firings a frame that the levels of the last look ask for, over the price of the cut, at least 1: strain and tools shorten steps beyond it.
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
