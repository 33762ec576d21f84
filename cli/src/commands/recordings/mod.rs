//! Recordings: written beside a run, run again, shown, and exported.

mod export;
mod inspect;
mod record;
mod replay;

pub use export::export;
pub use inspect::inspect;
pub use record::{Recorded, compare_and_record};
pub use replay::replay;
