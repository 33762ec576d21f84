//! Co-stepping: steps taken in turn with those of other bodies.

mod cut_adapt;
mod cut_frame;
pub(crate) mod cut_state;
mod cut_work;
mod frame;
mod level_frame;
pub(crate) mod state;
mod stepped_model;
