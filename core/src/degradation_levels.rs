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
mod tests {
    use super::*;

    /// A body whose frame costs `work` where nothing is given up: less by the rate, by a fifth without damping, less by the time.
    fn body(work: f64) -> impl Fn(&DegradationLevel) -> u64 {
        move |level| {
            let damping = if level.is_damped { 1.0 } else { 0.8 };
            (work * level.rate * damping * level.pace) as u64
        }
    }

    /// A frame as the model takes it; returns what was left of it.
    fn frame(levels: &mut DegradationLevels, work: f64, budget: f64) -> DegradationLevel {
        let cost = body(work);
        levels.lower(budget, &cost);
        loop {
            let now = cost(&levels.present());
            if now as f64 <= budget || !levels.raise(now, budget, true, &cost) {
                break;
            }
        }
        levels.count(true);
        levels.present()
    }

    #[test]
    fn steps_go_first_then_damping_and_time_last_of_all() {
        let mut before = DegradationLevel::FULL;
        for level in 1..=HIGHEST {
            let now = DegradationLevel::of(level);
            assert!(now.rate <= before.rate && now.pace <= before.pace);
            assert!(now.is_damped || now.rate == 1.0 / 32.0);
            assert!(now.pace == 1.0 || !now.is_damped);
            assert_ne!(now, before);
            before = now;
        }
        assert_eq!(before.pace, 0.125);
        // no more than it takes
        for (work, level) in [
            (99.0, 0),
            (101.0, 1),
            (399.0, 2),
            (3199.0, 5),
            (3900.0, 6),
            (4900.0, 6),
            (7900.0, 7),
        ] {
            let mut levels = DegradationLevels::default();
            frame(&mut levels, work, 100.0);
            assert_eq!(levels.level(), level, "{work}");
            assert_eq!(levels.note(true).is_some(), level > 0);
        }
        let mut levels = DegradationLevels::default();
        assert_eq!(
            frame(&mut levels, 20_000.0, 100.0),
            DegradationLevel::of(HIGHEST)
        );
        let note = levels.note(true).expect("told");
        assert!(
            note.contains("8 times as slowly") && note.contains("viscous"),
            "{note}"
        );
        assert!(!levels.note(false).expect("told").contains("viscous"));
        assert_eq!(levels.frames(), [1, 1, 1, 1]);
        // time and damping wait for the coarsest cut
        let mut levels = DegradationLevels::default();
        assert!(levels.raise(1_000_000, 100.0, false, body(1e6)));
        assert_eq!(levels.present(), DegradationLevel::of(INERTIA));
        assert!(!levels.raise(31_250, 100.0, false, body(1e6)));
        assert!(levels.raise(31_250, 100.0, true, body(1e6)));
        assert_eq!(
            levels.present(),
            DegradationLevel::of(UNDAMPED),
            "no time is enough"
        );
    }

    #[test]
    fn time_is_given_up_where_a_quarter_more_than_the_budget_is_foreseen_and_taken_back_below_it() {
        // nothing but time saves anything
        let only_time = |work: f64| move |level: &DegradationLevel| (work * level.pace) as u64;
        for (work, is_slow) in [
            (101, false),
            (110, false),
            (124, false),
            (127, true),
            (190, true),
        ] {
            let mut levels = DegradationLevels::default();
            let cost = only_time(f64::from(work));
            assert_eq!(
                levels.raise(work as u64, 100.0, true, cost),
                is_slow,
                "{work}"
            );
            assert_eq!(levels.present().pace < 1.0, is_slow, "{work}");
        }
        // once slow, frames a little below that quarter end it, as far as damping
        for (work, is_slow) in [(99, false), (103, true)] {
            let mut levels = DegradationLevels::default();
            assert!(levels.raise(150, 100.0, true, only_time(150.0)));
            for _ in 0..SHORTEST_WAIT {
                levels.lower(100.0, only_time(f64::from(work)));
            }
            assert_eq!(levels.present().pace < 1.0, is_slow, "{work}");
        }
    }

    #[test]
    fn nothing_is_given_up_that_saves_nothing() {
        let mut levels = DegradationLevels::default();
        assert!(!levels.raise(200, 100.0, true, |_| 200));
        assert_eq!(levels.level(), 0);
        // no level is enough: the lowest of those that save most
        let floor = |level: &DegradationLevel| if level.rate < 0.3 { 150 } else { 200 };
        assert!(levels.raise(200, 100.0, true, floor));
        assert_eq!(levels.level(), 2);
        assert!(!levels.raise(150, 100.0, true, floor));
    }

    #[test]
    fn a_level_is_lowered_soon_where_frames_fit_again() {
        let mut levels = DegradationLevels::default();
        frame(&mut levels, 3000.0, 100.0);
        assert_eq!(levels.level(), 5);
        // of the frames to wait one needed the second level: that is where it goes to
        for k in 1..=SHORTEST_WAIT {
            assert_eq!(levels.level(), 5);
            frame(&mut levels, if k == 2 { 300.0 } else { 70.0 }, 100.0);
        }
        assert_eq!(levels.level(), 2);
        for _ in 0..SHORTEST_WAIT {
            frame(&mut levels, 70.0, 100.0);
        }
        assert_eq!(levels.level(), 0);
        // what would fill the lower level keeps the present one
        frame(&mut levels, 150.0, 100.0);
        for _ in 0..200 {
            frame(&mut levels, 90.0, 100.0);
        }
        assert_eq!(levels.level(), 1);
    }

    #[test]
    fn work_that_comes_and_goes_does_not_make_it_bounce() {
        let mut levels = DegradationLevels::default();
        for (period, most) in [(6, 2), (20, 4)] {
            levels = DegradationLevels::default();
            for k in 0..1200 {
                frame(
                    &mut levels,
                    if k % period == 0 { 150.0 } else { 70.0 },
                    100.0,
                );
            }
            let [degraded, .., raises] = levels.frames();
            assert!(
                raises <= most,
                "raised {raises} times every {period} frames"
            );
            assert!(degraded > 1000);
        }
        for _ in 0..u32::from(LONGEST_WAIT) + u32::from(CALM_FRAMES) {
            frame(&mut levels, 70.0, 100.0);
        }
        assert_eq!((levels.level(), levels.wait), (0, SHORTEST_WAIT));
        let mut saved = Vec::new();
        frame(&mut levels, 300.0, 100.0);
        frame(&mut levels, 70.0, 100.0);
        levels.save(&mut saved);
        let mut other = DegradationLevels::default();
        other.restore(saved.try_into().expect("as many as it says"));
        other.counts = levels.counts;
        assert_eq!(other, levels);
    }
}
