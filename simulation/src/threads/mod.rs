//! What work on other threads needs: jobs in the background, their priority, the handover of values between threads, and locks.

mod background;
pub(crate) mod handover;
pub(crate) mod lock;
pub(crate) mod priority;

pub use background::Background;
pub use priority::modest_priority;
