//! What is given up, level by level, where a frame of finite elements would cost more than its budget although its resolution is as low as it can be.
//!
//! Resolution is the model's own to withhold, and goes first. While something is given up, the resolution is judged by what it would cost at the full rate, and may
//! not grow. But a coarse element that a tool crushes may ask for so many steps, each with all impulses of contact, that even the coarsest cut costs too much. What
//! is given up then, in this order:
//!
//! | levels | what |
//! |---|---|
//! | 1 to 5 | elements are followed at a half, a quarter ... of the rate (on supports only): what needs more gets inertia instead, with the forces and statics that it had |
//! | 6 | viscous forces; drag goes on |
//! | 7 to 9 | time: the body lives through a half, a quarter, an eighth of the frame, while the tools go all of their way; only where frames would cost a quarter more than the budget without |
//!
//! What a frame will cost is known before it begins, and what it would cost on any other level is known nearly. The level is raised before a frame that would cost
//! too much, by as much as it takes. It is lowered to the highest one that was needed within some frames in which lower ones sufficed. These frames to wait double where
//! a level was lowered too soon, and are few again after two seconds on level 0. Decisions depend on work units alone; the state belongs to the snapshot.
//! One body or a group of bodies has one such state.

/// Levels that halve the rate, one after the other.
const INERTIA: u8 = 5;
/// Level on which viscous forces are left out as well.
const UNDAMPED: u8 = INERTIA + 1;
/// Highest level: an eighth of the time.
const HIGHEST: u8 = UNDAMPED + 3;
/// Time is given up where a frame would cost more than so many budgets without, since what is foreseen is above what it takes: a frame that is late now and then is better than a body that is slow for long.
const SLOW_FROM: f64 = 1.25;
/// Share of the budget that a lower level may fill.
const LOWER_SHARE: f64 = 0.8;
/// Frames in a row for which lower levels suffice before the level is lowered: at first, and at most.
const SHORTEST_WAIT: u8 = 4;
const LONGEST_WAIT: u8 = 64;
/// A level that is raised again within as many frames was lowered too soon.
const TOO_SOON: u8 = 30;
/// Frames on level 0 after which the wait is short again.
const CALM_FRAMES: u8 = 120;

/// The present level of a body or a group, and what it remembers of past frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DegradationLevels {
    level: u8,
    /// frames in a row for which a lower level sufficed, and the highest of these levels
    quiet: u8,
    least: u8,
    /// frames to wait before the level is lowered
    wait: u8,
    /// frames since it was
    since: u8,
    counts: Counts,
}

/// Frames since the last reset.
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
            quiet: 0,
            least: 0,
            wait: SHORTEST_WAIT,
            since: CALM_FRAMES,
            counts: Counts::default(),
        }
    }
}

/// What a level leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DegradationLevel {
    /// Share of the full rate that elements are followed at.
    pub rate: f64,
    /// Whether viscous forces act.
    pub is_damped: bool,
    /// Share of a frame that the body lives through.
    pub pace: f64,
}

impl DegradationLevel {
    /// Nothing is given up.
    pub const FULL: Self = Self {
        rate: 1.0,
        is_damped: true,
        pace: 1.0,
    };

    fn of(level: u8) -> Self {
        let halves = |n: u8| 0.5_f64.powi(i32::from(n));
        Self {
            rate: halves(level.min(INERTIA)),
            is_damped: level < UNDAMPED,
            pace: halves(level.saturating_sub(UNDAMPED)),
        }
    }
}

impl DegradationLevels {
    /// Numbers that a snapshot takes.
    pub const SAVED: usize = 5;

    /// The present level; 0 gives up nothing.
    pub fn level(&self) -> u8 {
        self.level
    }

    /// What the present level leaves.
    pub fn present(&self) -> DegradationLevel {
        DegradationLevel::of(self.level)
    }

    /// Frames since the last reset above level 0, without viscous forces, and in less than their time; and how often the level was raised.
    pub fn frames(&self) -> [u32; 4] {
        let c = &self.counts;
        [c.degraded, c.undamped, c.slow, c.raises]
    }

    /// Before a frame above level 0: looks from level 0 up for one on which the frame would fit, by what it is `foreseen` to cost there, and lowers the level if lower
    /// ones sufficed for long enough. Returns whether it did.
    pub fn lower(&mut self, budget: f64, foreseen: impl Fn(&DegradationLevel) -> u64) -> bool {
        if self.level == 0 {
            return false;
        }
        let fits = |level: &u8| {
            let is_first_in_time = *level == UNDAMPED && self.level > UNDAMPED;
            let budgets = if is_first_in_time { SLOW_FROM } else { 1.0 };
            foreseen(&DegradationLevel::of(*level)) as f64 <= LOWER_SHARE * budgets * budget
        };
        let Some(lowest) = (0..self.level).find(fits) else {
            (self.quiet, self.least) = (0, 0);
            return false;
        };
        self.least = self.least.max(lowest);
        self.quiet += 1;
        if self.quiet < self.wait {
            return false;
        }
        self.level = self.least;
        (self.quiet, self.least, self.since) = (0, 0, 0);
        true
    }

    /// Before a frame that would cost too much on the present level, where it costs `now`: takes the next level on which it is `foreseen` to fit, or else the one where it
    /// costs least without taking time. Levels that take more than steps are for the coarsest cut: a finer one will be coarser in the next frame. Returns `false` where no
    /// higher level costs less.
    pub fn raise(
        &mut self,
        now: u64,
        budget: f64,
        is_coarsest: bool,
        foreseen: impl Fn(&DegradationLevel) -> u64,
    ) -> bool {
        let (mut best, mut least) = (self.level, now);
        let highest = if is_coarsest { HIGHEST } else { INERTIA };
        for level in self.level + 1..=highest {
            if level > UNDAMPED && self.level <= UNDAMPED && least as f64 <= SLOW_FROM * budget {
                break;
            }
            let cost = foreseen(&DegradationLevel::of(level));
            let fits = cost as f64 <= budget;
            if fits || cost < least && level <= UNDAMPED {
                (best, least) = (level, cost);
            }
            if fits {
                break;
            }
        }
        if best == self.level {
            return false;
        }
        self.level = best;
        if self.since < TOO_SOON {
            // lowered too soon
            self.wait = (2 * self.wait).min(LONGEST_WAIT);
        }
        self.counts.raises += 1;
        (self.quiet, self.least, self.since) = (0, 0, CALM_FRAMES);
        true
    }

    /// After a frame; `is_damped` tells whether the body has viscous forces at all.
    pub fn count(&mut self, is_damped: bool) {
        self.since = (self.since + 1).min(CALM_FRAMES);
        let present = self.present();
        let c = &mut self.counts;
        c.degraded += u32::from(self.level > 0);
        c.undamped += u32::from(is_damped && !present.is_damped);
        c.slow += u32::from(present.pace < 1.0);
        if self.level == 0 && self.since == CALM_FRAMES {
            self.wait = SHORTEST_WAIT;
        }
    }

    /// One sentence, where something is given up; `is_damped` as above.
    pub fn note(&self, is_damped: bool) -> Option<String> {
        if self.level == 0 {
            return None;
        }
        let present = self.present();
        let mut note = format!(
            "frames would cost more than the budget on the coarsest elements that contact allows: what needs more than 1/{} of the usual rate of steps gets inertia",
            1.0 / present.rate
        );
        if is_damped && !present.is_damped {
            note += ", viscous forces are left out";
        }
        if present.pace < 1.0 {
            note += &format!(
                ", and the body lives {} times as slowly as its tools",
                1.0 / present.pace
            );
        }
        Some(note)
    }

    /// Writes [`DegradationLevels::SAVED`] numbers.
    pub fn save(&self, to: &mut Vec<f64>) {
        let all = [self.level, self.quiet, self.least, self.wait, self.since];
        to.extend(all.map(f64::from));
    }

    /// Takes back what was saved; the counts go on.
    pub fn restore(&mut self, from: [f64; Self::SAVED]) {
        let [level, quiet, least, wait, since] = from.map(|x| x as u8);
        self.level = level.min(HIGHEST);
        self.quiet = quiet.min(LONGEST_WAIT);
        self.least = least.min(self.level);
        self.wait = wait.clamp(SHORTEST_WAIT, LONGEST_WAIT);
        self.since = since.min(CALM_FRAMES);
    }
}

#[cfg(test)]
mod tests;
