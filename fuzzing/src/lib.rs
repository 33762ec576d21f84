//! Damaged bytes for the tests of readers: which damages ([`mutate()`]), for how long ([`Plan`]), and what a reader has to keep on any bytes ([`Limits`]).
//!
//! A test implements [`Target`] for its reader and calls [`fuzz`]. The test command runs at most a fixed number of cases; `cargo xtask fuzz` runs the same tests for as long as it is told to.
//! Other tests watch memory ([`Watched`]) and threads ([`on_threads`]) with it.

mod clock;
mod drive;
mod limits;
mod memory;
mod mutate;
mod plan;
mod random;
mod threads;

pub use clock::thread_time;
pub use drive::{Target, fuzz, fuzz_all};
pub use limits::Limits;
pub use memory::{Counting, Watched, peak_of};
pub use mutate::mutate;
pub use plan::Plan;
pub use random::Random;
pub use threads::on_threads;
