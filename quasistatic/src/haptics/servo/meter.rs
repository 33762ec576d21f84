//! Measures of a servo loop: its times, and the energy that the hand could draw from it.

use pliant_core::math::Vec3;

/// Slots of the histogram between a number and its double.
const STEPS_PER_OCTAVE: usize = 64;
/// Doublings: up to 2³⁶ ns, about a minute.
const OCTAVES: usize = 37;

/// A histogram of times with 1 % resolution. Allocates only when created.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeMeter {
    counts: Vec<u64>,
    total: u64,
    largest: u64,
}

impl Default for TimeMeter {
    fn default() -> Self {
        Self {
            counts: vec![0; STEPS_PER_OCTAVE * OCTAVES],
            total: 0,
            largest: 0,
        }
    }
}

impl TimeMeter {
    /// Counts a time, ns. No allocation.
    pub fn record(&mut self, nanoseconds: u64) {
        let octave = nanoseconds.max(1).ilog2() as usize;
        let step = if octave >= 6 {
            (nanoseconds >> (octave - 6)) as usize % STEPS_PER_OCTAVE
        } else {
            (nanoseconds.max(1) << (6 - octave)) as usize % STEPS_PER_OCTAVE
        };
        let slot = (octave * STEPS_PER_OCTAVE + step).min(self.counts.len() - 1);
        self.counts[slot] += 1;
        self.total += 1;
        self.largest = self.largest.max(nanoseconds);
    }

    /// Number of times.
    pub fn count(&self) -> u64 {
        self.total
    }

    /// The largest, µs.
    pub fn max_us(&self) -> f64 {
        self.largest as f64 * 1e-3
    }

    /// The quantile of all times at `share`, µs, to 1.6 %; 0 without any.
    pub fn quantile_us(&self, share: f64) -> f64 {
        let rank = (share * self.total as f64).ceil().max(1.0) as u64;
        let mut cumulative = 0;
        for (slot, count) in self.counts.iter().enumerate() {
            cumulative += count;
            if cumulative >= rank {
                let (octave, step) = (slot / STEPS_PER_OCTAVE, slot % STEPS_PER_OCTAVE);
                let upper = 2.0_f64.powi(octave as i32)
                    * (1.0 + (step + 1) as f64 / STEPS_PER_OCTAVE as f64);
                return (upper * 1e-3).min(self.max_us());
            }
        }
        0.0
    }
}

/// The energy that passes through the tip (Hannaford and Ryu 2002, passivity observer and controller).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PassivityMeter {
    /// Energy that the hand has put in minus what it got back, J.
    pub energy: f64,
    /// Largest energy that the hand could have drawn, J.
    pub violation: f64,
    /// Ticks in which the controller reduced the force.
    pub corrected: u64,
    /// Energy that the tips may still draw in this tick, J.
    energy_left: f64,
}

/// The predicted motion is multiplied by this, because the hand may be faster than in the last tick.
const MOTION_RESERVE: f64 = 1.5;

impl PassivityMeter {
    /// Adds work of the hand at the beginning of a tick, J. All its tips share one account, because one tip may get back the energy that another puts in.
    pub fn add_work(&mut self, work: f64) {
        self.energy += work;
        self.energy_left = self.energy.max(0.0);
        self.violation = self.violation.max(-self.energy);
    }

    /// The force (N) of one of several tips, reduced so that it draws no more than the energy that is left to all tips, if the tip repeats its last `step` (m). The energy
    /// that it would draw is subtracted from what is left to the others.
    pub fn limit_force(&mut self, force: Vec3, step: &Vec3) -> Vec3 {
        let drawn = force.dot(step) * MOTION_RESERVE;
        if drawn <= self.energy_left {
            self.energy_left -= drawn.max(0.0);
            return force;
        }
        self.corrected += 1;
        let share = self.energy_left / drawn;
        self.energy_left = 0.0;
        force * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_right_to_two_percent() {
        let mut meter = TimeMeter::default();
        assert_eq!(meter.quantile_us(0.5), 0.0);
        for k in 1..=10_000_u64 {
            meter.record(k * 37);
        }
        for share in [0.01, 0.5, 0.99, 0.999] {
            let exact = share * 10_000.0 * 0.037;
            let error = (meter.quantile_us(share) - exact) / exact;
            assert!((-0.001..0.02).contains(&error), "{share}: {error}");
        }
        assert_eq!(meter.quantile_us(1.0), meter.max_us());
        meter.record(0);
        meter.record(u64::MAX);
        assert_eq!(meter.count(), 10_002);
    }

    #[test]
    fn a_spring_that_is_sampled_late_gives_energy_and_the_controller_takes_it_back() {
        // a spring of 2 N/mm held over each tick while the tip goes in and out
        let run = |controlled: bool| {
            let mut meter = PassivityMeter::default();
            let mut force = Vec3::zeros();
            let mut last = 0.0;
            for tick in 0..2_000 {
                let x = 0.002 * (f64::from(tick) * 0.02).sin();
                let step = Vec3::new(x - last, 0.0, 0.0);
                meter.add_work(-force.dot(&step));
                force = Vec3::new(-2000.0 * x.max(0.0), 0.0, 0.0);
                if controlled {
                    force = meter.limit_force(force, &step);
                }
                last = x;
            }
            meter
        };
        assert!(run(false).violation > 1e-5);
        let meter = run(true);
        assert!(meter.violation < 1e-9 && meter.corrected > 10, "{meter:?}");
    }
}
