//! How often something is run, and which of the times counts.

use std::time::{Duration, Instant};

use pliant_core::bench::Run;

/// Time that all runs of one case may take, about.
const TIME: Duration = Duration::from_millis(600);
/// Runs of one sample, so that the clock's own cost does not show.
const SHORTEST_SAMPLE: Duration = Duration::from_micros(200);
/// Samples at least, even if they take long; one run before is not counted.
const FEWEST: usize = 3;
/// Samples at most.
const MOST: usize = 200;

/// Seconds a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Times {
    /// Half of the samples were faster.
    pub median: f64,
    /// The fastest sample.
    pub min: f64,
    /// The slowest sample.
    pub max: f64,
    /// Samples.
    pub count: usize,
}

/// Times `run` for about 0.6 s. What takes longer than that runs three times; what takes longer than 3 s runs once.
pub fn time(run: &mut Run) -> Times {
    let start = Instant::now();
    run();
    let first = start.elapsed();
    if first > 5 * TIME {
        let seconds = first.as_secs_f64();
        return Times {
            median: seconds,
            min: seconds,
            max: seconds,
            count: 1,
        };
    }
    let a_run = first.max(Duration::from_nanos(20));
    let runs = (SHORTEST_SAMPLE.as_nanos() / a_run.as_nanos()).clamp(1, 100_000) as u32;
    let mut samples = Vec::with_capacity(MOST);
    let begin = Instant::now();
    while samples.len() < FEWEST || (begin.elapsed() < TIME && samples.len() < MOST) {
        let start = Instant::now();
        for _ in 0..runs {
            run();
        }
        samples.push(start.elapsed().as_secs_f64() / f64::from(runs));
    }
    sorted(samples)
}

/// Samples of a case that is measured against another one in turns.
const ROUNDS: usize = 40;
/// Time of one sample there.
const ROUND: Duration = Duration::from_millis(4);

/// Times two things alternately, so that what slows the machine slows both: `run` as [`time`] does, and `other` once each time.
pub fn time_alternately(run: &mut Run, other: &mut dyn FnMut()) -> (Times, Times) {
    run();
    other();
    let start = Instant::now();
    run();
    let a_run = start.elapsed().max(Duration::from_nanos(20));
    let runs = (ROUND.as_nanos() / a_run.as_nanos()).clamp(1, 100_000) as u32;
    let (mut ours, mut theirs) = (Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS));
    let begin = Instant::now();
    while ours.len() < FEWEST || (begin.elapsed() < 2 * TIME && ours.len() < ROUNDS) {
        let start = Instant::now();
        for _ in 0..runs {
            run();
        }
        ours.push(start.elapsed().as_secs_f64() / f64::from(runs));
        let start = Instant::now();
        other();
        theirs.push(start.elapsed().as_secs_f64());
    }
    (sorted(ours), sorted(theirs))
}

fn sorted(mut samples: Vec<f64>) -> Times {
    samples.sort_by(f64::total_cmp);
    Times {
        median: samples[samples.len() / 2],
        min: samples[0],
        max: samples[samples.len() - 1],
        count: samples.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_in_order() {
        let mut run: Run = Box::new(|| std::thread::sleep(Duration::from_millis(2)));
        let times = time(&mut run);
        assert!(times.count >= FEWEST && times.min >= 2e-3);
        assert!(times.min <= times.median && times.median <= times.max);
        let mut other = || std::thread::sleep(Duration::from_millis(1));
        let (ours, theirs) = time_alternately(&mut run, &mut other);
        assert!(ours.count == theirs.count && ours.min >= 2e-3 && theirs.min >= 1e-3);
    }
}
