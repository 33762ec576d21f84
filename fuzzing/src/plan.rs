//! Which readers are fuzzed, for how long, and with which seed: from environment variables that `cargo xtask fuzz` sets.

use std::time::Duration;

use crate::clock::thread_time;

/// Most processor time of a target in the test command.
const TEST_TIME: Duration = Duration::from_millis(700);

/// Which readers are fuzzed, for how long, and with which seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    reader: Option<String>,
    time: Option<Duration>,
    seed: u64,
}

impl Plan {
    /// The plan by `PLIANT_FUZZ_READER`, `PLIANT_FUZZ_SECONDS` and `PLIANT_FUZZ_SEED`.
    pub fn from_environment() -> Self {
        let number = |name| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
        Self {
            reader: std::env::var("PLIANT_FUZZ_READER").ok(),
            time: number("PLIANT_FUZZ_SECONDS").map(Duration::from_secs),
            seed: number("PLIANT_FUZZ_SEED").unwrap_or(1),
        }
    }

    /// Whether the reader of this name is to be fuzzed.
    pub fn includes(&self, name: &str) -> bool {
        self.reader.as_deref().is_none_or(|reader| reader == name)
    }

    /// Seed of the mutations.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Numbers of cases until the time is over, in processor time of the calling thread. The test command ends after `cases`, or after 0.7 s.
    pub fn cases(&self, cases: u64) -> impl Iterator<Item = u64> + use<> {
        let started = thread_time();
        let (most, time) = match self.time {
            Some(time) => (u64::MAX, time),
            None => (cases, TEST_TIME),
        };
        (0..most).take_while(move |_| thread_time() - started < time)
    }
}
