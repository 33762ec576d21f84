//! What is given up, rung by rung, where a frame of finite elements, of one body or of several together, would cost more than its budget although their resolution does not.
//!
//! Resolution is the model's own to withhold, and goes first: while a rung is up it is judged by what it would cost at the full rate, and may not grow. But a coarse element that a tool
//! crushes may ask for so many steps, each with all impulses of contact, that even the coarsest cut is too dear. What is given up then, in this order:
//!
//! | rungs | what |
//! |---|---|
//! | 1 to 5 | elements are followed at a half, a quarter ... of the rate (on supports only): what needs more gets inertia instead, with the forces and statics that it had |
//! | 6 | viscous forces; drag goes on |
//! | 7 to 9 | time: the body lives through a half, a quarter, an eighth of the frame, while the tools go all of their way; only where frames would cost a quarter more than the budget without |
//!
//! What a frame will cost is known before it begins, and so is about what it would cost on each lower rung. Rungs are climbed before a frame that would be too
//! dear, as many as it takes; they are left for the highest one that was needed within some frames in which lower ones had room. Frames to wait double where a rung was left too soon, and are few again after two
//! quiet seconds on the ground. Decisions depend on work units alone; the state belongs to the snapshot.

/// Rungs that halve the rate, one after the other.
const INERTIA: u8 = 5;
/// Rung on which viscous forces are left out as well.
const UNDAMPED: u8 = INERTIA + 1;
/// Highest rung: an eighth of the time.
const HIGHEST: u8 = UNDAMPED + 3;
/// Time is given up where a frame would cost more than so many budgets without, since what is foreseen is above what it takes: a frame that is late now and then is better than a body that is slow for long.
const SLOW_FROM: f64 = 1.25;
/// Share of the budget that a lower rung may fill.
const ROOM: f64 = 0.8;
/// Frames in a row that lower rungs had room for before a rung is left: at first, and at most.
const SOON: u8 = 4;
const LATE: u8 = 64;
/// A rung that is climbed again within as many frames was left too soon.
const SHORTLY: u8 = 30;
/// Frames on the ground after which it is tried soon again.
const CALM: u8 = 120;

/// Where a body stands on the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ladder {
    rung: u8,
    /// frames in a row in which a lower rung had room, and the highest of these
    quiet: u8,
    least: u8,
    /// frames to wait before a rung is left
    wait: u8,
    /// frames since the last one was
    since: u8,
    counts: Counts,
}

/// Frames since the last reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    raised: u32,
    undamped: u32,
    slow: u32,
    climbs: u32,
}

impl Default for Ladder {
    fn default() -> Self {
        Self {
            rung: 0,
            quiet: 0,
            least: 0,
            wait: SOON,
            since: CALM,
            counts: Counts::default(),
        }
    }
}

/// What a rung leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rung {
    /// Share of the full rate that elements are followed at.
    pub rate: f64,
    /// Whether viscous forces act.
    pub is_damped: bool,
    /// Share of a frame that the body lives through.
    pub pace: f64,
}

impl Rung {
    /// Nothing is given up.
    pub const FULL: Self = Self {
        rate: 1.0,
        is_damped: true,
        pace: 1.0,
    };

    fn of(rung: u8) -> Self {
        let halves = |n: u8| 0.5_f64.powi(i32::from(n));
        Self {
            rate: halves(rung.min(INERTIA)),
            is_damped: rung < UNDAMPED,
            pace: halves(rung.saturating_sub(UNDAMPED)),
        }
    }
}

impl Ladder {
    /// Numbers that a snapshot takes.
    pub const SAVED: usize = 5;

    /// The present rung; 0 gives up nothing.
    pub fn rung(&self) -> u8 {
        self.rung
    }

    /// What the present rung leaves.
    pub fn leaves(&self) -> Rung {
        Rung::of(self.rung)
    }

    /// Frames since the last reset that were taken above the ground, without viscous forces, and in less than their time; and how often the ladder was climbed.
    pub fn frames(&self) -> [u32; 4] {
        let c = &self.counts;
        [c.raised, c.undamped, c.slow, c.climbs]
    }

    /// Before a frame on a rung: looks from the ground up for one on which it would fit, by what it is `foreseen` to cost there, and leaves the present one if lower ones had room for long enough. Returns
    /// whether it did.
    pub fn descend(&mut self, budget: f64, foreseen: impl Fn(&Rung) -> u64) -> bool {
        if self.rung == 0 {
            return false;
        }
        let fits = |rung: &u8| {
            let is_first_in_time = *rung == UNDAMPED && self.rung > UNDAMPED;
            let budgets = if is_first_in_time { SLOW_FROM } else { 1.0 };
            foreseen(&Rung::of(*rung)) as f64 <= ROOM * budgets * budget
        };
        let Some(lowest) = (0..self.rung).find(fits) else {
            (self.quiet, self.least) = (0, 0);
            return false;
        };
        self.least = self.least.max(lowest);
        self.quiet += 1;
        if self.quiet < self.wait {
            return false;
        }
        self.rung = self.least;
        (self.quiet, self.least, self.since) = (0, 0, 0);
        true
    }

    /// Before a frame that would cost too much on the present rung: the next one on which it is `foreseen` to fit, or else the one where it costs least without taking time; on the present one it costs `now`. Rungs that take more than steps are for the coarsest cut: a finer one will be coarser in the next frame. Returns `false` where no higher one costs less.
    pub fn climb(
        &mut self,
        now: u64,
        budget: f64,
        is_coarsest: bool,
        foreseen: impl Fn(&Rung) -> u64,
    ) -> bool {
        let (mut best, mut least) = (self.rung, now);
        let highest = if is_coarsest { HIGHEST } else { INERTIA };
        for rung in self.rung + 1..=highest {
            if rung > UNDAMPED && self.rung <= UNDAMPED && least as f64 <= SLOW_FROM * budget {
                break;
            }
            let cost = foreseen(&Rung::of(rung));
            let fits = cost as f64 <= budget;
            if fits || cost < least && rung <= UNDAMPED {
                (best, least) = (rung, cost);
            }
            if fits {
                break;
            }
        }
        if best == self.rung {
            return false;
        }
        self.rung = best;
        if self.since < SHORTLY {
            // left too soon
            self.wait = (2 * self.wait).min(LATE);
        }
        self.counts.climbs += 1;
        (self.quiet, self.least, self.since) = (0, 0, CALM);
        true
    }

    /// After a frame; `is_damped` tells whether the body has viscous forces at all.
    pub fn count(&mut self, is_damped: bool) {
        self.since = (self.since + 1).min(CALM);
        let leaves = self.leaves();
        let c = &mut self.counts;
        c.raised += u32::from(self.rung > 0);
        c.undamped += u32::from(is_damped && !leaves.is_damped);
        c.slow += u32::from(leaves.pace < 1.0);
        if self.rung == 0 && self.since == CALM {
            self.wait = SOON;
        }
    }

    /// One sentence, where something is given up; `is_damped` as above.
    pub fn note(&self, is_damped: bool) -> Option<String> {
        if self.rung == 0 {
            return None;
        }
        let leaves = self.leaves();
        let mut note = format!(
            "frames would cost more than the budget on the coarsest elements that contact allows: what needs more than 1/{} of the usual rate of steps gets inertia",
            1.0 / leaves.rate
        );
        if is_damped && !leaves.is_damped {
            note += ", viscous forces are left out";
        }
        if leaves.pace < 1.0 {
            note += &format!(
                ", and the body lives {} times as slowly as its tools",
                1.0 / leaves.pace
            );
        }
        Some(note)
    }

    /// Writes [`Ladder::SAVED`] numbers.
    pub fn save(&self, to: &mut Vec<f64>) {
        let all = [self.rung, self.quiet, self.least, self.wait, self.since];
        to.extend(all.map(f64::from));
    }

    /// Takes back what was saved; the counts go on.
    pub fn restore(&mut self, from: [f64; Self::SAVED]) {
        let [rung, quiet, least, wait, since] = from.map(|x| x as u8);
        self.rung = rung.min(HIGHEST);
        self.quiet = quiet.min(LATE);
        self.least = least.min(self.rung);
        self.wait = wait.clamp(SOON, LATE);
        self.since = since.min(CALM);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body whose frame costs `work` where nothing is given up: less by the rate, by a fifth without damping, less by the time.
    fn body(work: f64) -> impl Fn(&Rung) -> u64 {
        move |rung| {
            let damping = if rung.is_damped { 1.0 } else { 0.8 };
            (work * rung.rate * damping * rung.pace) as u64
        }
    }

    /// A frame as the model takes it; returns what was left of it.
    fn frame(ladder: &mut Ladder, work: f64, budget: f64) -> Rung {
        let cost = body(work);
        ladder.descend(budget, &cost);
        loop {
            let now = cost(&ladder.leaves());
            if now as f64 <= budget || !ladder.climb(now, budget, true, &cost) {
                break;
            }
        }
        ladder.count(true);
        ladder.leaves()
    }

    #[test]
    fn steps_go_first_then_damping_and_time_last_of_all() {
        let mut before = Rung::FULL;
        for rung in 1..=HIGHEST {
            let now = Rung::of(rung);
            assert!(now.rate <= before.rate && now.pace <= before.pace);
            assert!(now.is_damped || now.rate == 1.0 / 32.0);
            assert!(now.pace == 1.0 || !now.is_damped);
            assert_ne!(now, before);
            before = now;
        }
        assert_eq!(before.pace, 0.125);
        // no more than it takes
        for (work, rung) in [
            (99.0, 0),
            (101.0, 1),
            (399.0, 2),
            (3199.0, 5),
            (3900.0, 6),
            (4900.0, 6),
            (7900.0, 7),
        ] {
            let mut ladder = Ladder::default();
            frame(&mut ladder, work, 100.0);
            assert_eq!(ladder.rung(), rung, "{work}");
            assert_eq!(ladder.note(true).is_some(), rung > 0);
        }
        let mut ladder = Ladder::default();
        assert_eq!(frame(&mut ladder, 20_000.0, 100.0), Rung::of(HIGHEST));
        let note = ladder.note(true).expect("told");
        assert!(
            note.contains("8 times as slowly") && note.contains("viscous"),
            "{note}"
        );
        assert!(!ladder.note(false).expect("told").contains("viscous"));
        assert_eq!(ladder.frames(), [1, 1, 1, 1]);
        // time and damping wait for the coarsest cut
        let mut ladder = Ladder::default();
        assert!(ladder.climb(1_000_000, 100.0, false, body(1e6)));
        assert_eq!(ladder.leaves(), Rung::of(INERTIA));
        assert!(!ladder.climb(31_250, 100.0, false, body(1e6)));
        assert!(ladder.climb(31_250, 100.0, true, body(1e6)));
        assert_eq!(ladder.leaves(), Rung::of(UNDAMPED), "no time is enough");
    }

    #[test]
    fn time_is_given_up_where_a_quarter_more_than_the_budget_is_foreseen_and_taken_back_below_it() {
        // nothing but time saves anything
        let only_time = |work: f64| move |rung: &Rung| (work * rung.pace) as u64;
        for (work, is_slow) in [
            (101, false),
            (110, false),
            (124, false),
            (127, true),
            (190, true),
        ] {
            let mut ladder = Ladder::default();
            let cost = only_time(f64::from(work));
            assert_eq!(
                ladder.climb(work as u64, 100.0, true, cost),
                is_slow,
                "{work}"
            );
            assert_eq!(ladder.leaves().pace < 1.0, is_slow, "{work}");
        }
        // once slow, frames with a little room below the quarter end it, as far as damping
        for (work, is_slow) in [(99, false), (103, true)] {
            let mut ladder = Ladder::default();
            assert!(ladder.climb(150, 100.0, true, only_time(150.0)));
            for _ in 0..SOON {
                ladder.descend(100.0, only_time(f64::from(work)));
            }
            assert_eq!(ladder.leaves().pace < 1.0, is_slow, "{work}");
        }
    }

    #[test]
    fn nothing_is_given_up_that_saves_nothing() {
        let mut ladder = Ladder::default();
        assert!(!ladder.climb(200, 100.0, true, |_| 200));
        assert_eq!(ladder.rung(), 0);
        // no rung is enough: the lowest of those that save most
        let floor = |rung: &Rung| if rung.rate < 0.3 { 150 } else { 200 };
        assert!(ladder.climb(200, 100.0, true, floor));
        assert_eq!(ladder.rung(), 2);
        assert!(!ladder.climb(150, 100.0, true, floor));
    }

    #[test]
    fn a_rung_is_left_soon_where_frames_have_room_again() {
        let mut ladder = Ladder::default();
        frame(&mut ladder, 3000.0, 100.0);
        assert_eq!(ladder.rung(), 5);
        // of the frames to wait one needed the second rung: that is where it goes to
        for k in 1..=SOON {
            assert_eq!(ladder.rung(), 5);
            frame(&mut ladder, if k == 2 { 300.0 } else { 70.0 }, 100.0);
        }
        assert_eq!(ladder.rung(), 2);
        for _ in 0..SOON {
            frame(&mut ladder, 70.0, 100.0);
        }
        assert_eq!(ladder.rung(), 0);
        // what would fill the lower rung keeps the present one
        frame(&mut ladder, 150.0, 100.0);
        for _ in 0..200 {
            frame(&mut ladder, 90.0, 100.0);
        }
        assert_eq!(ladder.rung(), 1);
    }

    #[test]
    fn work_that_comes_and_goes_does_not_make_it_bounce() {
        let mut ladder = Ladder::default();
        for (period, most) in [(6, 2), (20, 4)] {
            ladder = Ladder::default();
            for k in 0..1200 {
                frame(
                    &mut ladder,
                    if k % period == 0 { 150.0 } else { 70.0 },
                    100.0,
                );
            }
            let [raised, .., climbs] = ladder.frames();
            assert!(climbs <= most, "{climbs} climbs every {period} frames");
            assert!(raised > 1000);
        }
        for _ in 0..u32::from(LATE) + u32::from(CALM) {
            frame(&mut ladder, 70.0, 100.0);
        }
        assert_eq!((ladder.rung(), ladder.wait), (0, SOON));
        let mut saved = Vec::new();
        frame(&mut ladder, 300.0, 100.0);
        frame(&mut ladder, 70.0, 100.0);
        ladder.save(&mut saved);
        let mut other = Ladder::default();
        other.restore(saved.try_into().expect("as many as it says"));
        other.counts = ladder.counts;
        assert_eq!(other, ladder);
    }
}
