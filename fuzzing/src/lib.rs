//! Fuzzing of readers: mutations of files ([`mutate()`]), duration ([`Plan`]), and the limits of a reader for any bytes ([`Limits`]).
//!
//! A test implements [`Target`] for its reader and calls [`fuzz`]. `cargo test` runs at most a fixed number of cases; `cargo xtask fuzz` runs the same tests for a given time.
//! Other tests use its observed allocator ([`Watched`]) and thread pools ([`on_threads`]).

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
