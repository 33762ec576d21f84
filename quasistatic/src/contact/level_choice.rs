//! The level of constraints that a frame can afford (James and Pai 2003, graceful degradation).

/// Chooses the level of a contact: the finest that the budget bears, with hysteresis, so that it does not flicker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LevelChoice {
    level: Option<usize>,
    /// Frames for which a finer level would have been cheap.
    calm_frames: u32,
}

/// Share of the budget below which a finer level is taken, and the frames that it has to last.
const CALM: (f64, u32) = (0.6, 10);

impl LevelChoice {
    /// The level of the last frame.
    pub fn level(&self) -> Option<usize> {
        self.level
    }

    /// Takes a level that somebody else has chosen.
    pub fn set(&mut self, level: usize) {
        *self = Self {
            level: Some(level),
            calm_frames: 0,
        };
    }

    /// The choice as numbers: the level, or -1 for none, and calm frames.
    pub fn numbers(&self) -> [f64; 2] {
        let level = self.level.map_or(-1.0, |level| level as f64);
        [level, f64::from(self.calm_frames)]
    }

    /// The choice that [`Self::numbers`] gave.
    pub fn from_numbers([level, calm_frames]: [f64; 2]) -> Self {
        Self {
            level: (level >= 0.0).then_some(level as usize),
            calm_frames: calm_frames as u32,
        }
    }

    /// The level among those up to `finest`, by the cost of each in the units of `budget`.
    ///
    /// Coarser at once where the present level is too dear; finer when that costs less than 60 % of the budget for ten frames.
    pub fn choose(&mut self, finest: usize, cost: impl Fn(usize) -> f64, budget: f64) -> usize {
        let affordable = |share: f64| {
            let fits = |level: &usize| cost(*level) <= share * budget;
            (0..=finest).rev().find(fits).unwrap_or(0)
        };
        let level = match self.level.filter(|level| *level <= finest) {
            None => affordable(1.0),
            Some(level) if cost(level) > budget => affordable(1.0).min(level),
            Some(level) => {
                let finer = affordable(CALM.0);
                if finer <= level {
                    self.calm_frames = 0;
                    level
                } else if self.calm_frames + 1 < CALM.1 {
                    self.calm_frames += 1;
                    level
                } else {
                    self.calm_frames = 0;
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
    fn a_contact_that_grows_goes_coarser_at_once_and_finer_when_it_stays_calm() {
        let mut choice = LevelChoice::default();
        let (small, large) = ([2.0, 8.0, 30.0], [7.0, 23.0, 87.0]);
        let mut choose =
            |costs: [f64; 3], budget: f64| choice.choose(2, |level| costs[level], budget);
        assert_eq!(choose(small, 36.0), 2);
        assert_eq!(choose(large, 36.0), 1);
        // the finest level would fit again, but not with room to spare
        for _ in 0..30 {
            assert_eq!(choose(small, 36.0), 1);
        }
        for _ in 0..9 {
            assert_eq!(choose(small, 60.0), 1);
        }
        assert_eq!(choose(small, 60.0), 2);
        // what nothing fits gets the coarsest
        assert_eq!(choose(large, 1.0), 0);
    }
}
