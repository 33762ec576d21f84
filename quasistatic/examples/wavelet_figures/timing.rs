//! Times on one thread.

use std::time::Instant;

use crate::body::Failure;

/// Time for repetitions, s.
const MAX_DURATION: f64 = 0.4;

/// Least seconds of a run, of five repetitions or as many as fit in 0.4 s.
pub fn shortest_time(mut run: impl FnMut()) -> f64 {
    let (begin, mut best) = (Instant::now(), f64::INFINITY);
    for repetition in 0..20_000 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
        if repetition >= 4 && begin.elapsed().as_secs_f64() > MAX_DURATION {
            break;
        }
    }
    best
}

/// Runs a function in a pool of one thread.
pub fn on_one_thread<R: Send>(
    run: impl FnOnce() -> Result<R, Failure> + Send,
) -> Result<R, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(run)
}

/// Numbers below `end` without visible order, the same each time.
pub fn pseudo_random_indices(count: usize, end: usize) -> Vec<usize> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % end.max(1)
    };
    (0..count).map(|_| next()).collect()
}
