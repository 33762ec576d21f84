//! Processor time of a thread.

use std::time::Duration;

/// Time that the calling thread has spent on a processor; on systems without such a clock, wall time.
pub fn of_this_thread() -> Duration {
    clock::now()
}

#[cfg(target_os = "linux")]
mod clock {
    use std::time::Duration;

    use nix::time::{ClockId, clock_gettime};

    pub(super) fn now() -> Duration {
        clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
    }
}

#[cfg(not(target_os = "linux"))]
mod clock {
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    pub(super) fn now() -> Duration {
        static BEGIN: OnceLock<Instant> = OnceLock::new();
        BEGIN.get_or_init(Instant::now).elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_counts_and_sleep_does_not() {
        let begin = of_this_thread();
        std::thread::sleep(Duration::from_millis(30));
        let slept = of_this_thread() - begin;
        let mut sum = 0.0_f64;
        while of_this_thread() - begin < slept + Duration::from_millis(2) {
            sum += sum.cos();
        }
        assert!(sum.is_finite());
        if cfg!(target_os = "linux") {
            assert!(slept < Duration::from_millis(15), "{slept:?}");
        }
    }
}
