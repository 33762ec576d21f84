//! Recent cost of a method per frame, as a median, so that it does not jump.

use std::collections::VecDeque;

use pliant_core::math::quantile;

/// Frames over which the median is taken: one second at the default rate.
const FRAMES: usize = 60;

/// Wall time of the last frames of one method.
#[derive(Debug, Clone, Default)]
pub struct RecentCost {
    milliseconds: VecDeque<f64>,
}

impl RecentCost {
    /// Adds a frame, ms.
    pub fn push(&mut self, milliseconds: f64) {
        if self.milliseconds.len() == FRAMES {
            self.milliseconds.pop_front();
        }
        self.milliseconds.push_back(milliseconds);
    }

    /// The median, ms; `None` before the first frame.
    pub fn median_ms(&self) -> Option<f64> {
        let mut sorted: Vec<f64> = self.milliseconds.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        quantile(&sorted, 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_frame_does_not_count_and_old_frames_are_dropped() {
        let mut cost = RecentCost::default();
        assert_eq!(cost.median_ms(), None);
        for k in 0..FRAMES {
            cost.push(if k == 7 { 900.0 } else { 2.0 });
        }
        assert_eq!(cost.median_ms(), Some(2.0));
        for _ in 0..FRAMES {
            cost.push(5.0);
        }
        assert_eq!(cost.median_ms(), Some(5.0));
    }
}
