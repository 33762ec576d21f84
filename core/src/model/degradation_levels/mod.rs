//! Levels of degradation: what a model of finite elements gives up where a frame at the lowest resolution would still cost more than its budget.
//!
//! The model lowers its resolution first, by itself. On a level above 0, the resolution is judged by its cost at the full rate, and may not grow. But a coarse element that a tool crushes may need
//! so many steps, each with all impulses of contact, that even the coarsest cut costs too much. The levels then give up, in this order:
//!
//! | levels | given up |
//! |---|---|
//! | 1 to 5 | rate, for bodies on supports only: steps are at least twice, four times ... as long. Elements that need shorter ones get additional inertia, and keep their forces and statics |
//! | 6 | viscous forces, but not drag |
//! | 7 to 9 | time: the body is stepped through a half, a quarter, an eighth of the frame, while the tools move through all of it. Only where frames would otherwise cost a quarter more than the budget |
//!
//! The cost of a frame is known before it begins, and its cost on any other level is known approximately. The level is raised before a frame that would cost
//! too much, as far as necessary. It is lowered after a number of consecutive frames for which a lower level would have sufficed, to the highest level that one of them needed. This number doubles where
//! a level was lowered too soon, and is reset after two seconds on level 0. Decisions depend on work units alone. The state belongs to the snapshot.
//! A single body, or a group of bodies, has one such state.

/// Highest level that halves the rate; each level up to it does.
const MAX_RATE_LEVEL: u8 = 5;
/// Level on which viscous forces are left out, too.
const UNDAMPED_LEVEL: u8 = MAX_RATE_LEVEL + 1;
/// Highest level: an eighth of the time.
const MAX_LEVEL: u8 = UNDAMPED_LEVEL + 3;
/// Time is given up only where a frame would otherwise cost more than this many budgets. Estimates are too high, and an occasional late frame is better than long slow motion.
const SLOW_MOTION_THRESHOLD: f64 = 1.25;
/// Share of the budget that a frame may take on a lower level.
const LOWERING_SHARE: f64 = 0.8;
/// Consecutive frames for which a lower level suffices before the level is lowered: at first, and at most.
const MIN_WAIT: u8 = 4;
const MAX_WAIT: u8 = 64;
/// A level that is raised again within this many frames was lowered too soon.
const EARLY_RAISE_FRAMES: u8 = 30;
/// Frames on level 0 after which the wait is reset to [`MIN_WAIT`].
const WAIT_RESET_FRAMES: u8 = 120;

/// The present level of a body or a group, and its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DegradationLevels {
    level: u8,
    /// consecutive frames for which a lower level would have sufficed
    frames_with_lower: u8,
    /// highest level that these frames needed
    needed_level: u8,
    /// value of `frames_with_lower` at which the level is lowered
    frames_to_wait: u8,
    frames_since_lowering: u8,
    counts: Counts,
}

/// Numbers of frames since the last reset, and of raises of the level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    degraded: u32,
    undamped: u32,
    slow: u32,
    raises: u32,
}

impl Default for DegradationLevels {
    fn default() -> Self {
        Self {
            level: 0,
            frames_with_lower: 0,
            needed_level: 0,
            frames_to_wait: MIN_WAIT,
            frames_since_lowering: WAIT_RESET_FRAMES,
            counts: Counts::default(),
        }
    }
}

/// The qualities that a level keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DegradationLevel {
    /// Share of the full rate of steps.
    pub rate: f64,
    /// Whether viscous forces act.
    pub is_damped: bool,
    /// Simulated time over the time of the frame; below 1 in slow motion.
    pub time_scale: f64,
}

impl DegradationLevel {
    /// Level 0, which gives up nothing.
    pub const FULL: Self = Self {
        rate: 1.0,
        is_damped: true,
        time_scale: 1.0,
    };

    fn of(level: u8) -> Self {
        let halves = |n: u8| 0.5_f64.powi(i32::from(n));
        Self {
            rate: halves(level.min(MAX_RATE_LEVEL)),
            is_damped: level < UNDAMPED_LEVEL,
            time_scale: halves(level.saturating_sub(UNDAMPED_LEVEL)),
        }
    }
}

impl DegradationLevels {
    /// The present level; 0 gives up nothing.
    pub fn level(&self) -> u8 {
        self.level
    }

    /// The qualities that the present level keeps.
    pub fn present(&self) -> DegradationLevel {
        DegradationLevel::of(self.level)
    }

    /// Frames since the last reset above level 0, without viscous forces, and in slow motion; and how often the level was raised.
    pub fn frames(&self) -> [u32; 4] {
        let c = &self.counts;
        [c.degraded, c.undamped, c.slow, c.raises]
    }

    /// Before a frame above level 0: finds the lowest level on which the frame fits its budget, by the estimated `cost`, and lowers the level if lower
    /// ones sufficed for long enough. Returns whether it did.
    pub fn lower(&mut self, budget: f64, cost: impl Fn(&DegradationLevel) -> u64) -> bool {
        if self.level == 0 {
            return false;
        }
        let fits = |level: &u8| {
            let ends_slow_motion = *level == UNDAMPED_LEVEL && self.level > UNDAMPED_LEVEL;
            let budgets = if ends_slow_motion {
                SLOW_MOTION_THRESHOLD
            } else {
                1.0
            };
            cost(&DegradationLevel::of(*level)) as f64 <= LOWERING_SHARE * budgets * budget
        };
        let Some(lowest) = (0..self.level).find(fits) else {
            (self.frames_with_lower, self.needed_level) = (0, 0);
            return false;
        };
        self.needed_level = self.needed_level.max(lowest);
        self.frames_with_lower += 1;
        if self.frames_with_lower < self.frames_to_wait {
            return false;
        }
        self.level = self.needed_level;
        (
            self.frames_with_lower,
            self.needed_level,
            self.frames_since_lowering,
        ) = (0, 0, 0);
        true
    }

    /// Before a frame that would cost too much on the present level, where it costs `now`: takes the next level on which it fits by the estimated `cost`, or else the one below slow
    /// motion where it costs least. Levels that give up more than rate are for the coarsest cut only: a finer one will be coarser in the next frame. Returns `false` where no
    /// higher level costs less.
    pub fn raise(
        &mut self,
        now: u64,
        budget: f64,
        is_coarsest: bool,
        cost: impl Fn(&DegradationLevel) -> u64,
    ) -> bool {
        let (mut best, mut least_cost) = (self.level, now);
        let highest = if is_coarsest {
            MAX_LEVEL
        } else {
            MAX_RATE_LEVEL
        };
        for level in self.level + 1..=highest {
            if level > UNDAMPED_LEVEL
                && self.level <= UNDAMPED_LEVEL
                && least_cost as f64 <= SLOW_MOTION_THRESHOLD * budget
            {
                break;
            }
            let level_cost = cost(&DegradationLevel::of(level));
            let fits = level_cost as f64 <= budget;
            if fits || level_cost < least_cost && level <= UNDAMPED_LEVEL {
                (best, least_cost) = (level, level_cost);
            }
            if fits {
                break;
            }
        }
        if best == self.level {
            return false;
        }
        self.level = best;
        if self.frames_since_lowering < EARLY_RAISE_FRAMES {
            // lowered too soon
            self.frames_to_wait = (2 * self.frames_to_wait).min(MAX_WAIT);
        }
        self.counts.raises += 1;
        (
            self.frames_with_lower,
            self.needed_level,
            self.frames_since_lowering,
        ) = (0, 0, WAIT_RESET_FRAMES);
        true
    }

    /// Counts a frame after it was stepped; `is_damped` says whether the body has viscous forces at all.
    pub fn count(&mut self, is_damped: bool) {
        self.frames_since_lowering = (self.frames_since_lowering + 1).min(WAIT_RESET_FRAMES);
        let present = self.present();
        let c = &mut self.counts;
        c.degraded += u32::from(self.level > 0);
        c.undamped += u32::from(is_damped && !present.is_damped);
        c.slow += u32::from(present.time_scale < 1.0);
        if self.level == 0 && self.frames_since_lowering == WAIT_RESET_FRAMES {
            self.frames_to_wait = MIN_WAIT;
        }
    }

    /// One sentence about what is given up; `None` on level 0. `is_damped` as in [`DegradationLevels::count`].
    pub fn note(&self, is_damped: bool) -> Option<String> {
        if self.level == 0 {
            return None;
        }
        let present = self.present();
        let mut note = format!(
            "frames would cost more than the budget on the coarsest elements that contact allows: elements that need more than 1/{} of the usual rate of steps get added inertia",
            1.0 / present.rate
        );
        if is_damped && !present.is_damped {
            note += ", viscous forces are left out";
        }
        if present.time_scale < 1.0 {
            note += &format!(
                ", and the time of the body passes {} times as slowly as that of its tools",
                1.0 / present.time_scale
            );
        }
        Some(note)
    }

    /// Values of a snapshot.
    pub fn saved(&self) -> [f64; 5] {
        let all = [
            self.level,
            self.frames_with_lower,
            self.needed_level,
            self.frames_to_wait,
            self.frames_since_lowering,
        ];
        all.map(f64::from)
    }

    /// Restores saved values; the counts stay as they are.
    pub fn restore(&mut self, from: [f64; 5]) {
        let [level, with_lower, needed, to_wait, since_lowering] = from.map(|x| x as u8);
        self.level = level.min(MAX_LEVEL);
        self.frames_with_lower = with_lower.min(MAX_WAIT);
        self.needed_level = needed.min(self.level);
        self.frames_to_wait = to_wait.clamp(MIN_WAIT, MAX_WAIT);
        self.frames_since_lowering = since_lowering.min(WAIT_RESET_FRAMES);
    }
}

#[cfg(test)]
mod tests;
