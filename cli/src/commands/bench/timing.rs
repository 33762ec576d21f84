//! Timing of repeated runs.

use std::time::{Duration, Instant};

use pliant_core::bench::Run;

/// Approximate time of all runs of one case.
const TOTAL_TIME: Duration = Duration::from_millis(600);
/// Smallest time of a sample, so that the cost of the clock is negligible.
const MIN_SAMPLE_TIME: Duration = Duration::from_micros(200);
/// Fewest samples, even if they take long, after one run that is not counted.
const MIN_SAMPLES: usize = 3;
/// Most samples.
const MAX_SAMPLES: usize = 200;

/// Seconds per run.
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

/// Times `run` for about 0.6 s. A longer run is timed three times, one of more than 3 s once.
pub fn time(run: &mut Run) -> Times {
    let start = Instant::now();
    run();
    let first = start.elapsed();
    if first > 5 * TOTAL_TIME {
        let seconds = first.as_secs_f64();
        return Times {
            median: seconds,
            min: seconds,
            max: seconds,
            count: 1,
        };
    }
    let run_time = first.max(Duration::from_nanos(20));
    let runs = (MIN_SAMPLE_TIME.as_nanos() / run_time.as_nanos()).clamp(1, 100_000) as u32;
    let mut samples = Vec::with_capacity(MAX_SAMPLES);
    let begin = Instant::now();
    while samples.len() < MIN_SAMPLES
        || (begin.elapsed() < TOTAL_TIME && samples.len() < MAX_SAMPLES)
    {
        let start = Instant::now();
        for _ in 0..runs {
            run();
        }
        samples.push(start.elapsed().as_secs_f64() / f64::from(runs));
    }
    sorted(samples)
}

/// Samples of a case that is timed alternately with another one.
const ROUNDS: usize = 40;
/// Time of one of these samples.
const ROUND_TIME: Duration = Duration::from_millis(4);

/// Times two functions alternately, so that load of the machine affects both: `run` as [`time`] does, and `other` once each time.
pub fn time_alternately(run: &mut Run, other: &mut dyn FnMut()) -> (Times, Times) {
    run();
    other();
    let start = Instant::now();
    run();
    let run_time = start.elapsed().max(Duration::from_nanos(20));
    let runs = (ROUND_TIME.as_nanos() / run_time.as_nanos()).clamp(1, 100_000) as u32;
    let (mut ours, mut theirs) = (Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS));
    let begin = Instant::now();
    while ours.len() < MIN_SAMPLES || (begin.elapsed() < 2 * TOTAL_TIME && ours.len() < ROUNDS) {
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
        assert!(times.count >= MIN_SAMPLES && times.min >= 2e-3);
        assert!(times.min <= times.median && times.median <= times.max);
        let mut other = || std::thread::sleep(Duration::from_millis(1));
        let (ours, theirs) = time_alternately(&mut run, &mut other);
        assert!(ours.count == theirs.count && ours.min >= 2e-3 && theirs.min >= 1e-3);
    }
}
