//! What work on other threads needs: jobs in the background, their priority, and the handover of values between threads.

mod background;
pub(crate) mod handover;
pub(crate) mod priority;

pub use background::Background;
pub use priority::modest_priority;
