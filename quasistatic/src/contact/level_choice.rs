//! The level of constraints that a frame can afford (James and Pai 2003, graceful degradation).

/// Chooses the level of a contact: the finest one within the budget, with hysteresis, so that it does not alternate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct LevelChoice {
    level: Option<usize>,
    /// Consecutive frames in which a finer level was affordable.
    affordable_frames: u32,
}

/// A finer level is affordable where it costs at most this share of the budget.
const FINER_BUDGET_SHARE: f64 = 0.6;
/// Consecutive frames in which a finer level has to be affordable before it is taken.
const FRAMES_BEFORE_FINER: u32 = 10;

impl LevelChoice {
    /// The level of the last frame.
    pub fn level(&self) -> Option<usize> {
        self.level
    }

    /// Sets a level that was chosen elsewhere.
    pub fn set(&mut self, level: usize) {
        *self = Self {
            level: Some(level),
            affordable_frames: 0,
        };
    }

    /// The choice as numbers: the level, or -1 for none, and the frames in which a finer one was affordable.
    pub fn numbers(&self) -> [f64; 2] {
        let level = self.level.map_or(-1.0, |level| level as f64);
        [level, f64::from(self.affordable_frames)]
    }

    /// The choice that [`Self::numbers`] gave.
    pub fn from_numbers([level, affordable_frames]: [f64; 2]) -> Self {
        Self {
            level: (level >= 0.0).then_some(level as usize),
            affordable_frames: affordable_frames as u32,
        }
    }

    /// The level up to `finest` for a contact, by the cost of each level in the units of `budget`.
    ///
    /// A coarser level is taken at once where the present one exceeds the budget. A finer level is taken when it has cost less than 60 % of the budget for ten frames.
    pub fn choose(&mut self, finest: usize, cost: impl Fn(usize) -> f64, budget: f64) -> usize {
        let affordable = |share: f64| {
            let fits = |level: &usize| cost(*level) <= share * budget;
            (0..=finest).rev().find(fits).unwrap_or(0)
        };
        let level = match self.level.filter(|level| *level <= finest) {
            None => affordable(1.0),
            Some(level) if cost(level) > budget => affordable(1.0).min(level),
            Some(level) => {
                let finer = affordable(FINER_BUDGET_SHARE);
                if finer <= level {
                    self.affordable_frames = 0;
                    level
                } else if self.affordable_frames + 1 < FRAMES_BEFORE_FINER {
                    self.affordable_frames += 1;
                    level
                } else {
                    self.affordable_frames = 0;
                    finer
                }
            }
        };
        self.level = Some(level);
        level
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_that_grows_goes_coarser_at_once_and_finer_after_ten_affordable_frames() {
        let mut choice = LevelChoice::default();
        let (small, large) = (
            |level: usize| [2.0, 8.0, 30.0][level],
            |level: usize| [7.0, 23.0, 87.0][level],
        );
        assert_eq!(choice.choose(2, small, 36.0), 2);
        assert_eq!(choice.choose(2, large, 36.0), 1);
        // the finest level fits the budget again, but not 60 % of it
        for _ in 0..30 {
            assert_eq!(choice.choose(2, small, 36.0), 1);
        }
        for _ in 0..9 {
            assert_eq!(choice.choose(2, small, 60.0), 1);
        }
        assert_eq!(choice.choose(2, small, 60.0), 2);
        // without an affordable level the coarsest is taken
        assert_eq!(choice.choose(2, large, 1.0), 0);
    }
}
