//! Ticks at equal intervals of the wall clock.

use std::time::Duration;

use web_time::Instant;

/// Time before a tick in which the thread spins instead of sleeping.
const SPIN_TIME: Duration = Duration::from_micros(200);
/// Time before a tick in which the thread warms up the caches.
const READY_TIME: Duration = Duration::from_micros(40);
/// Delay above which a tick is late.
const LATE_THRESHOLD: Duration = Duration::from_micros(200);

/// Waits for the next tick. Ticks that a stall swallowed are counted and not made up for.
#[derive(Debug, Clone)]
pub struct Pace {
    tick: Duration,
    due: Instant,
    spin: Duration,
    late: u64,
    swallowed: u64,
}

impl Pace {
    /// Ticks `tick` apart, the first at `start`.
    pub fn new(start: Instant, tick: Duration) -> Self {
        Self {
            tick: tick.max(Duration::from_micros(10)),
            due: start,
            spin: SPIN_TIME,
            late: 0,
            swallowed: 0,
        }
    }

    /// Sleeps to the end: less exact, no load.
    pub fn without_spinning(mut self) -> Self {
        self.spin = Duration::ZERO;
        self
    }

    /// Waits for the next tick and returns its beginning.
    pub fn wait(&mut self) -> Instant {
        self.wait_ready(|| {})
    }

    /// As [`Self::wait`], and calls `get_ready` again and again in the last microseconds before the tick. One call is not enough: an interrupt after it would
    /// empty the caches again.
    ///
    /// A thread that woke too late calls it once all the same and begins the tick after that. The tick then answers what it samples at once; a cold tick would
    /// have answered a sample some microseconds older.
    pub fn wait_ready(&mut self, mut get_ready: impl FnMut()) -> Instant {
        let ahead = self.due.saturating_duration_since(Instant::now());
        if ahead > self.spin {
            std::thread::sleep(ahead.saturating_sub(self.spin));
        }
        let mut before = spin_until(self.due - READY_TIME);
        loop {
            get_ready();
            let now = Instant::now();
            // counting is a part of the tick
            std::hint::black_box(self.clone()).start_tick(now);
            // another call takes as long; half of that is added as a reserve
            let next = now + (now - before).mul_f64(1.5);
            if next >= self.due {
                break;
            }
            before = now;
        }
        let now = spin_until(self.due);
        self.start_tick(now)
    }

    /// The same with the first tick at `start`.
    pub(super) fn starting_at(mut self, start: Instant) -> Self {
        self.due = start + self.tick;
        self
    }

    /// Counts a tick that begins `now`.
    #[inline(never)]
    pub(super) fn start_tick(&mut self, now: Instant) -> Instant {
        let behind = now.saturating_duration_since(self.due);
        self.late += u64::from(behind > LATE_THRESHOLD);
        self.due += self.tick;
        if self.due <= now {
            // in one step: a machine that slept for a day swallowed millions
            let behind = now.saturating_duration_since(self.due).as_nanos();
            let swallowed = behind / self.tick.as_nanos() + 1;
            let rest = behind % self.tick.as_nanos();
            let swallowed = u64::try_from(swallowed).unwrap_or(u64::MAX);
            self.late = self.late.saturating_add(swallowed);
            self.swallowed = self.swallowed.saturating_add(swallowed);
            // less than a tick ahead
            self.due = now + (self.tick - Duration::from_nanos(u64::try_from(rest).unwrap_or(0)));
        }
        now
    }

    /// Ticks that began more than 0.2 ms late, and those that never began.
    pub fn late(&self) -> u64 {
        self.late
    }

    /// Ticks that never began, because a stall swallowed them.
    pub(super) fn swallowed(&self) -> u64 {
        self.swallowed
    }
}

/// The time at which the spinning ended: `until`, or later.
fn spin_until(until: Instant) -> Instant {
    loop {
        let now = Instant::now();
        if now >= until {
            return now;
        }
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_and_swallowed_ticks_are_counted_and_not_made_up() {
        let start = Instant::now();
        let ms = |t: f64| start + Duration::from_secs_f64(t * 1e-3);
        let mut pace = Pace::new(start, Duration::from_millis(1));
        pace.start_tick(ms(0.05));
        pace.start_tick(ms(1.19));
        assert_eq!(pace.late(), 0);
        pace.start_tick(ms(2.3));
        assert_eq!(pace.late(), 1);
        // due at 3 ms, begun at 7.5: itself, and 4 to 7 never began
        pace.start_tick(ms(7.5));
        assert_eq!((pace.late(), pace.due), (6, ms(8.0)));
        assert_eq!(pace.swallowed(), 4);
        pace.start_tick(ms(8.0));
        assert_eq!((pace.late(), pace.swallowed()), (6, 4));
    }

    #[test]
    fn a_clock_that_jumps_neither_hangs_nor_is_made_up_for() {
        let start = Instant::now();
        let year = Duration::from_secs(365 * 24 * 3600);
        let tick = Duration::from_micros(10);
        let mut pace = Pace::new(start, tick);
        pace.start_tick(start);
        // a loop over the ticks would take hours
        let now = start + 50 * year + Duration::from_micros(3);
        pace.start_tick(now);
        let swallowed = (50 * year).as_micros() as u64 / 10;
        assert_eq!(pace.late(), swallowed);
        assert_eq!(pace.due, now + Duration::from_micros(7));
        // backwards: the tick begins, and the next is due when it was
        pace.start_tick(now - year);
        assert_eq!(pace.late(), swallowed);
        assert_eq!(pace.due, now + Duration::from_micros(17));
    }
}
