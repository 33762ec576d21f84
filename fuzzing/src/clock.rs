//! Processor time, which does not depend on other work of the machine.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Processor time of this thread; wall time where the system does not give it.
pub fn thread_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    processor_time().unwrap_or_else(|| start.elapsed())
}

/// Linux: the first number of `schedstat` is the time on a processor in nanoseconds.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
