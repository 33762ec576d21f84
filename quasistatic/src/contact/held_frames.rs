//! Frames that keep the last solution, because the capacitance matrix of the next one costs more than the budget.

/// Most frames in a row that keep the last solution. The next one is solved at any cost: a body that no longer follows its tool is worse than a late frame.
const MAX_HELD_FRAMES: u32 = 3;

/// The frames in a row that kept the last solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct HeldFrames {
    pub frames: u32,
    /// Touched vertices whose blocks had been read before the first of them.
    pub known_vertices: u32,
}

impl HeldFrames {
    /// Work units that the next attempt may spend. What earlier frames of the row finished counts again, and so do their budgets. `None` where the frame has to be solved.
    pub fn limit(&self, budget: u64) -> Option<u64> {
        let frames = u64::from(self.frames) + 1;
        (self.frames < MAX_HELD_FRAMES).then(|| budget.saturating_mul(frames))
    }

    /// Counts a frame that keeps the last solution.
    pub fn hold(&mut self, known_vertices: usize) {
        self.frames += 1;
        self.known_vertices = known_vertices as u32;
    }

    /// The state as numbers.
    pub fn numbers(&self) -> [f64; 2] {
        [self.frames, self.known_vertices].map(f64::from)
    }

    /// The state that [`Self::numbers`] gave.
    pub fn from_numbers([frames, known_vertices]: [f64; 2]) -> Self {
        Self {
            frames: (frames as u32).min(MAX_HELD_FRAMES),
            known_vertices: known_vertices as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_add_up_over_held_frames_and_the_row_ends() {
        let mut held = HeldFrames::default();
        for frames in 1..=3 {
            assert_eq!(held.limit(100), Some(100 * frames));
            held.hold(7);
            assert_eq!(HeldFrames::from_numbers(held.numbers()), held);
        }
        assert_eq!(held.limit(100), None);
    }
}
