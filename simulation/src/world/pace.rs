//! Budgets in time: how many work units fit into a frame on this machine, as it is now.
//!
//! Models know work units and no clock, so that the same requests give the same bits. In step with a clock that is not enough: what a unit costs depends on the
//! machine, and on what else runs there. A [`FramePace`] measures the processor time of each frame's thread and asks for as many units as fit. Runs without a
//! clock never use one.

use std::time::Duration;

use pliant_quasistatic::params::WORK_UNITS_PER_MS;

use crate::parameters::DEFAULT_BUDGET_MS;
use crate::setup::Setup;

/// After a frame whose units cost more than expected: the expected cost over what that frame took, and the least factor by which it rises.
const OVERSHOOT_MARGIN: f64 = 1.02;
const MIN_RISE: f64 = 1.03;
/// Share of its excess over the mean that the expected cost loses with every other frame. It is small because expensive frames are rare, and few may be late.
const RELAXATION: f64 = 2e-4;
/// The same in a window: a late frame is shown a sixtieth of a second later, and a cut that stays coarse for minutes shows a wrong force.
const WINDOW_RELAXATION: f64 = 4e-3;
/// In a window the expected cost of a unit is at most so many times the mean. On a busy machine a frame in sixty costs two or three times as much as others; if all left room for it, the
/// body would move on a third of the nodes that fit.
const WINDOW_MAX_COST_RATIO: f64 = 1.3;
/// Full frames in which the initial guess and first-time costs (memory, caches) lose their weight: the `n`-th has the weight `2/(n + 1)`.
const WARM_UP_FRAMES: u64 = 60;
/// A frame is full that uses at least one part in so many of the requested units.
const FULL_FRACTION: u64 = 2;
/// A frame that uses less than that, but at least one part in so many, may lower the expected cost, never raise it. Otherwise the cost of a cut whose first change was
/// expensive, and which was therefore not allowed to grow, would never fall.
const HALF_FULL_FRACTION: u64 = 4;
/// Weight of a frame in the mean cost of a unit.
const MEAN_WEIGHT: f64 = 0.05;
/// The expected cost of a unit is at least the mean times this.
const COST_MARGIN: f64 = 1.08;
/// Smallest relative change of a budget for which the cut changes.
const MIN_BUDGET_CHANGE: f64 = 0.06;
/// The same in a window, where each change of the cut changes the force and a late frame is not seen.
const WINDOW_MIN_BUDGET_CHANGE: f64 = 0.15;
/// A frame whose units cost more than so many times the mean is a stall (a page fault, an interrupt) and says nothing about units.
const STALL_RATIO: f64 = 4.0;

/// Expected cost of a unit of the adaptive method before the first frame, s.
const INITIAL_UNIT_COST: f64 = 40e-9;
/// The same in a group, whose units count more of the work.
const INITIAL_UNIT_COST_OF_GROUP: f64 = 20e-9;

/// Reads how long the calling thread has been on a processor. Solvers and worlds have no clock; programs bring theirs.
pub type ProcessorClock = fn() -> Duration;

/// How long each thread that may work on a frame had been on a processor when the frame began: first the calling thread, then, where several bodies are
/// stepped, the threads of the pool.
#[derive(Debug, Clone, Default)]
pub struct FrameStart(Vec<Duration>);

/// A budget in processor time, and what a work unit costs.
#[derive(Debug, Clone)]
pub struct FramePace {
    clock: ProcessorClock,
    /// whether the threads of the pool work on frames
    is_shared: bool,
    /// s
    budget: f64,
    /// s a unit: about the largest cost of the last frames
    unit_cost: f64,
    /// s a unit, in the mean of the last frames
    mean: f64,
    requested_units: u64,
    /// share of the excess over the mean that is lost with each frame
    relaxation: f64,
    /// largest expected cost of a unit over the mean
    max_cost_ratio: f64,
    /// smallest relative change of the request
    min_change: f64,
    frames: u64,
    /// frames that said something about the cost of a unit
    full_frames: u64,
}

impl FramePace {
    /// For frames of at most `budget` seconds of processor time, if a unit costs `unit_cost` seconds to begin with. `clock` is read on the thread that steps.
    pub fn new(budget: f64, unit_cost: f64, clock: ProcessorClock) -> Self {
        let mut pace = Self {
            clock,
            is_shared: false,
            budget,
            unit_cost,
            mean: unit_cost / COST_MARGIN,
            requested_units: 0,
            relaxation: RELAXATION,
            max_cost_ratio: f64::INFINITY,
            min_change: MIN_BUDGET_CHANGE,
            frames: 0,
            full_frames: 0,
        };
        pace.update_request();
        pace
    }

    /// For the adaptive method of a scene, with the scene's budget.
    pub fn of_scene(setup: &Setup, clock: ProcessorClock) -> Self {
        let budget_ms = setup.description.body.adaptive.budget_ms;
        let budget = 1e-3 * budget_ms.unwrap_or(DEFAULT_BUDGET_MS);
        let is_shared = setup.is_group();
        let unit_cost = match is_shared {
            true => INITIAL_UNIT_COST_OF_GROUP,
            false => INITIAL_UNIT_COST,
        };
        Self {
            is_shared,
            ..Self::new(budget, unit_cost, clock)
        }
    }

    /// For the contact of the quasistatic method, where the scene gives it a budget.
    pub fn of_contact(setup: &Setup, clock: ProcessorClock) -> Option<Self> {
        let budget_ms = setup.description.body.quasistatic.budget_ms?;
        let unit_cost = 1e-3 / WORK_UNITS_PER_MS;
        Some(Self::new(1e-3 * budget_ms, unit_cost, clock))
    }

    /// For a window, where a few late frames matter less than a budget that is not used.
    pub(crate) fn in_window(self) -> Self {
        Self {
            relaxation: WINDOW_RELAXATION,
            max_cost_ratio: WINDOW_MAX_COST_RATIO,
            min_change: WINDOW_MIN_BUDGET_CHANGE,
            ..self
        }
    }

    /// Whether the threads of the pool work on frames; else the one that asks does.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// A frame begins.
    pub fn begin(&self) -> FrameStart {
        let clock = self.clock;
        let mut threads = vec![clock()];
        if self.is_shared {
            threads.extend(rayon::broadcast(|_| clock()));
        }
        FrameStart(threads)
    }

    /// Processor time of a frame that began then: that of the calling thread, and of the thread of the pool that worked longest. A thread of the pool that
    /// waits for another one stays awake for a while, which counts as work.
    pub fn since(&self, start: &FrameStart) -> Duration {
        let now = self.begin();
        let mut each = now
            .0
            .iter()
            .zip(&start.0)
            .map(|(n, b)| n.saturating_sub(*b));
        let own = each.next().unwrap_or_default();
        own + each.max().unwrap_or_default()
    }

    /// Takes another budget from the next frame on, s.
    pub fn set_budget(&mut self, budget: f64) {
        self.budget = budget;
        self.update_request();
    }

    /// The budget, s.
    pub fn budget(&self) -> f64 {
        self.budget
    }

    /// Units that the next frame may take.
    pub fn units(&self) -> u64 {
        self.requested_units
    }

    /// Seconds that a unit costs, with a margin for expensive frames.
    pub fn unit_cost(&self) -> f64 {
        self.unit_cost
    }

    /// A frame of `units` took `seconds`.
    pub fn measured(&mut self, units: u64, seconds: f64) {
        self.frames += 1;
        if units == 0 || seconds.is_nan() || seconds <= 0.0 {
            return;
        }
        let cost = seconds / units as f64;
        // a frame that used little says nothing about the cost of full ones, whose units are others
        let is_full = FULL_FRACTION * units >= self.requested_units || seconds > self.budget;
        let is_cheaper = HALF_FULL_FRACTION * units >= self.requested_units && cost < self.mean;
        if !is_full && !is_cheaper {
            return;
        }
        if cost > STALL_RATIO * self.mean && self.frames > 1 {
            return;
        }
        self.full_frames += 1;
        let relaxation = match self.full_frames {
            first @ 1..=WARM_UP_FRAMES => 2.0 / (first + 1) as f64,
            _ => self.relaxation,
        };
        self.mean += MEAN_WEIGHT.max(relaxation) * (cost - self.mean);
        if cost > self.unit_cost {
            self.unit_cost = (MIN_RISE * self.unit_cost).max(OVERSHOOT_MARGIN * cost);
        } else {
            self.unit_cost += relaxation * (COST_MARGIN * self.mean - self.unit_cost);
        }
        let (lowest, highest) = (COST_MARGIN * self.mean, self.max_cost_ratio * self.mean);
        self.unit_cost = self.unit_cost.min(highest).max(lowest);
        if seconds > self.budget {
            self.requested_units = self
                .requested_units
                .min((self.budget / self.unit_cost) as u64)
                .max(1);
        }
        self.update_request();
    }

    fn update_request(&mut self) {
        let target_units = (self.budget / self.unit_cost).max(1.0);
        let requested_units = self.requested_units as f64;
        if self.requested_units == 0
            || (target_units - requested_units).abs() > self.min_change * requested_units
        {
            self.requested_units = target_units as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> Duration {
        Duration::ZERO
    }

    /// Costs that scatter by a tenth, with an expensive frame now and then.
    fn unit_cost(frame: u32) -> f64 {
        let scatter = 1.0 + 0.1 * (f64::from(frame) * 1.37).sin();
        let expensive = if frame % 97 == 13 { 1.25 } else { 1.0 };
        2e-8 * scatter * expensive
    }

    #[test]
    fn frames_stay_in_the_budget_and_use_most_of_it() {
        let mut pace = FramePace::new(8e-3, 1e-8, none);
        let (mut misses, mut used) = (0, 0.0);
        for frame in 0..6000 {
            let seconds = pace.units() as f64 * unit_cost(frame);
            pace.measured(pace.units(), seconds);
            if frame >= 300 {
                misses += u32::from(seconds > 8e-3);
                used += seconds / 8e-3 / 5700.0;
            }
        }
        assert!(misses <= 6, "{misses} misses");
        assert!(used > 0.65, "{used} of the budget");
    }

    /// The share of the budget that is used after `frames` full ones of 20 ns a unit, but for frame `expensive`, whose units cost `cost` s.
    fn used_after(mut pace: FramePace, frames: u32, (expensive, cost): (u32, f64)) -> f64 {
        for frame in 0..frames {
            let cost = if frame == expensive { cost } else { 2e-8 };
            pace.measured(pace.units(), pace.units() as f64 * cost);
        }
        pace.units() as f64 * 2e-8 / 8e-3
    }

    #[test]
    fn an_expensive_first_frame_is_soon_forgotten_and_in_a_window_later_ones_too() {
        let pace = FramePace::new(8e-3, 1e-7, none);
        let first = used_after(pace.clone(), 120, (0, 2e-7));
        assert!(first > 0.7, "{first} of the budget");
        let later = |pace| used_after(pace, 1200, (300, 6e-8));
        let (strict, shown) = (later(pace.clone()), later(pace.in_window()));
        assert!(strict < 0.5 && shown > 0.7, "{strict} and {shown}");
    }

    #[test]
    fn in_a_window_rare_expensive_frames_do_not_take_the_budget_of_the_others() {
        // as beside a build: a frame in sixty takes two and a half times as long
        let used = |mut pace: FramePace| {
            let (mut used, mut late) = (0.0, 0);
            for frame in 0..3000 {
                let cost = if frame % 60 == 13 { 5e-8 } else { 2e-8 };
                let seconds = pace.units() as f64 * cost;
                pace.measured(pace.units(), seconds);
                if frame >= 600 {
                    used += seconds / 8e-3 / 2400.0;
                    late += u32::from(seconds > 8e-3);
                }
            }
            (used, late)
        };
        let pace = FramePace::new(8e-3, 2e-8, none);
        let (strict, strict_late) = used(pace.clone());
        let (shown, shown_late) = used(pace.in_window());
        assert!(
            strict < 0.5 && strict_late == 0,
            "{strict}, {strict_late} late"
        );
        // only the expensive ones are late
        assert!(
            shown > 0.7 && shown_late == 40,
            "{shown}, {shown_late} late"
        );
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
                // the calling thread belongs to the pool here and counts once more, as one from outside would
                let start = pace.begin();
                rayon::broadcast(|thread| work(3 + 2 * thread.index() as u64));
                let here = 3 + 2 * rayon::current_thread_index().map_or(0, |k| k as u64);
                let expected = here + if is_shared { 5 } else { 0 };
                assert_eq!(pace.since(&start), Duration::from_millis(expected));
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
    }

    #[test]
    fn half_full_frames_lower_the_unit_cost_and_never_raise_it() {
        let after = |cost: f64| {
            let mut pace = FramePace::new(8e-3, 4e-8, none);
            let before = pace.units();
            for _ in 0..200 {
                let units = 3 * pace.units() / 8;
                pace.measured(units, units as f64 * cost);
            }
            pace.units() as f64 / before as f64
        };
        assert!(after(2e-8) > 1.5, "{}", after(2e-8));
        assert_eq!(after(8e-8), 1.0);
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
