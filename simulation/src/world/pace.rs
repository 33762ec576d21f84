//! Budgets in time: how many work units fit into a frame on this machine, as it is now.
//!
//! Models know work units and no clock, so that the same requests give the same bits. In step with a clock that is not enough: what a unit costs depends on the
//! machine, and on what else runs there. A [`FramePace`] measures the processor time of each frame's thread and asks for as many units as fit. Runs without a
//! clock never use one.

use std::time::Duration;

use crate::parameters::DEFAULT_BUDGET_MS;
use crate::setup::Setup;

/// What the price is after a frame that was dearer, over what that one paid, and least rise.
const ABOVE: f64 = 1.02;
const RISE: f64 = 1.03;
/// Share of the way down to the mean that the price goes with every other frame: dear frames are rare, and few may be late.
const RELAX: f64 = 2e-4;
/// Weight of a frame in the mean price.
const WEIGHT: f64 = 0.05;
/// The price is never below the mean by less than this.
const MARGIN: f64 = 1.08;
/// Budgets that differ by less are not worth another cut.
const WORTHWHILE: f64 = 0.06;
/// A frame that was dearer than that many means is a stall (a page fault, a caught interrupt) and says nothing about units.
const STALL: f64 = 4.0;

/// What a unit of the adaptive method is thought to cost before the first frame, s.
const FIRST_PRICE: f64 = 40e-9;
/// The same in a group, whose units count more of what is done.
const FIRST_PRICE_OF_GROUP: f64 = 20e-9;

/// Reads how long the calling thread has been on a processor: solvers and worlds have no clock, programs bring theirs.
pub type ProcessorClock = fn() -> Duration;

/// What all threads that may work on a frame had been on a processor when it began: first the one that asks, then, where several bodies are stepped
/// by all, those of the pool.
#[derive(Debug, Clone, Default)]
pub struct Begun(Vec<Duration>);

/// A budget in processor time, and what a work unit costs.
#[derive(Debug, Clone)]
pub struct FramePace {
    clock: ProcessorClock,
    /// whether the threads of the pool work on frames
    is_shared: bool,
    /// s
    budget: f64,
    /// s a unit: about the most that frames paid lately
    price: f64,
    /// s a unit, in the mean of the last frames
    mean: f64,
    asked: u64,
    frames: u64,
    misses: u64,
}

impl FramePace {
    /// For frames of at most `budget` seconds of processor time, if a unit costs `price` seconds to begin with. `clock` is read on the thread that steps.
    pub fn new(budget: f64, price: f64, clock: ProcessorClock) -> Self {
        let mut pace = Self {
            clock,
            is_shared: false,
            budget,
            price,
            mean: price / MARGIN,
            asked: 0,
            frames: 0,
            misses: 0,
        };
        pace.ask();
        pace
    }

    /// For the adaptive method of a scene, with the scene's budget.
    pub fn of_scene(setup: &Setup, clock: ProcessorClock) -> Self {
        let budget_ms = setup.description.body.adaptive.budget_ms;
        let budget = 1e-3 * budget_ms.unwrap_or(DEFAULT_BUDGET_MS);
        let is_shared = setup.is_group();
        let price = match is_shared {
            true => FIRST_PRICE_OF_GROUP,
            false => FIRST_PRICE,
        };
        Self {
            is_shared,
            ..Self::new(budget, price, clock)
        }
    }

    /// Whether the threads of the pool work on frames; else the one that asks does.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// A frame begins.
    pub fn begin(&self) -> Begun {
        let clock = self.clock;
        let mut threads = vec![clock()];
        if self.is_shared {
            threads.extend(rayon::broadcast(|_| clock()));
        }
        Begun(threads)
    }

    /// Processor time of a frame that began then: of the calling thread, and of the one of the pool that worked longest. While a thread of the pool
    /// waits for another one it stays awake for a while, which counts as work.
    pub fn since(&self, begun: &Begun) -> Duration {
        let now = self.begin();
        let mut each = now
            .0
            .iter()
            .zip(&begun.0)
            .map(|(n, b)| n.saturating_sub(*b));
        let own = each.next().unwrap_or_default();
        own + each.max().unwrap_or_default()
    }

    /// Takes another budget from the next frame on, s.
    pub fn set_budget(&mut self, budget: f64) {
        self.budget = budget;
        self.ask();
    }

    /// The budget, s.
    pub fn budget(&self) -> f64 {
        self.budget
    }

    /// Units that the next frame may take.
    pub fn units(&self) -> u64 {
        self.asked
    }

    /// Seconds that a unit costs, with a margin for dear frames.
    pub fn price(&self) -> f64 {
        self.price
    }

    /// Frames so far, and those that took longer than the budget.
    pub fn frames(&self) -> (u64, u64) {
        (self.frames, self.misses)
    }

    /// A frame of `units` took `seconds`.
    pub fn measured(&mut self, units: u64, seconds: f64) {
        self.frames += 1;
        self.misses += u64::from(seconds > self.budget);
        // a frame that used little says nothing about what full ones cost: their units are others
        let is_full = 2 * units >= self.asked || seconds > self.budget;
        if units == 0 || seconds.is_nan() || seconds <= 0.0 || !is_full {
            return;
        }
        let paid = seconds / units as f64;
        if paid > STALL * self.mean && self.frames > 1 {
            return;
        }
        self.mean += WEIGHT * (paid - self.mean);
        if paid > self.price {
            self.price = (RISE * self.price).max(ABOVE * paid);
        } else {
            self.price += RELAX * (MARGIN * self.mean - self.price);
        }
        self.price = self.price.max(MARGIN * self.mean);
        if seconds > self.budget {
            self.asked = self.asked.min((self.budget / self.price) as u64).max(1);
        }
        self.ask();
    }

    fn ask(&mut self) {
        let wanted = (self.budget / self.price).max(1.0);
        let asked = self.asked as f64;
        if self.asked == 0 || (wanted - asked).abs() > WORTHWHILE * asked {
            self.asked = wanted as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> Duration {
        Duration::ZERO
    }

    /// Prices that scatter by a tenth, with a dear frame now and then.
    fn price(frame: u32) -> f64 {
        let scatter = 1.0 + 0.1 * (f64::from(frame) * 1.37).sin();
        let dear = if frame % 97 == 13 { 1.25 } else { 1.0 };
        2e-8 * scatter * dear
    }

    #[test]
    fn frames_stay_in_the_budget_and_use_most_of_it() {
        let mut pace = FramePace::new(8e-3, 1e-8, none);
        let (mut misses, mut used) = (0, 0.0);
        for frame in 0..6000 {
            let seconds = pace.units() as f64 * price(frame);
            pace.measured(pace.units(), seconds);
            if frame >= 300 {
                misses += u32::from(seconds > 8e-3);
                used += seconds / 8e-3 / 5700.0;
            }
        }
        assert!(misses <= 6, "{misses} misses");
        assert!(used > 0.65, "{used} of the budget");
    }

    thread_local! {
        static WORKED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }

    /// What [`work`] told, ms.
    fn worked() -> Duration {
        Duration::from_millis(WORKED.get())
    }

    fn work(milliseconds: u64) {
        WORKED.set(WORKED.get() + milliseconds);
    }

    #[test]
    fn of_several_bodies_the_thread_counts_that_worked_longest_and_the_own() {
        let two = rayon::ThreadPoolBuilder::new().num_threads(2).build();
        for is_shared in [false, true] {
            let pace = FramePace {
                is_shared,
                ..FramePace::new(8e-3, 1e-8, worked)
            };
            two.as_ref().expect("a pool").install(|| {
                rayon::broadcast(|_| work(100));
                // as from outside of the pool: the own thread is one of it here and counts once more
                let begun = pace.begin();
                rayon::broadcast(|thread| work(3 + 2 * thread.index() as u64));
                let here = 3 + 2 * rayon::current_thread_index().map_or(0, |k| k as u64);
                let expected = here + if is_shared { 5 } else { 0 };
                assert_eq!(pace.since(&begun), Duration::from_millis(expected));
            });
        }
    }

    #[test]
    fn idle_frames_with_cheap_units_do_not_make_the_next_full_one_late() {
        let mut pace = FramePace::new(8e-3, 2.5e-8, none);
        for _ in 0..100 {
            pace.measured(pace.units(), pace.units() as f64 * 2e-8);
        }
        let before = pace.units();
        for _ in 0..1000 {
            pace.measured(before / 10, before as f64 * 0.1 * 5e-9);
        }
        assert_eq!(pace.units(), before);
        assert_eq!(pace.frames(), (1100, 0));
    }

    #[test]
    fn a_machine_that_becomes_slower_or_faster_is_followed() {
        let mut pace = FramePace::new(8e-3, 2e-8, none);
        let mut late = 0;
        for frame in 0..400 {
            let seconds = pace.units() as f64 * 4e-8;
            late += u32::from(seconds > 8e-3);
            pace.measured(pace.units(), seconds);
            assert!(frame < 20 || seconds < 8e-3, "{frame}: {seconds}");
        }
        assert!(late < 8, "{late} late frames");
        let before = pace.units();
        for _ in 0..3000 {
            pace.measured(pace.units(), pace.units() as f64 * 1e-8);
        }
        assert!(5 * pace.units() > 6 * before);
        pace.set_budget(4e-3);
        assert!(pace.units() as f64 * 1e-8 < 4e-3);
        assert_eq!(pace.budget(), 4e-3);
    }
}
