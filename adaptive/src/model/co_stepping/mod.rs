//! Co-stepping: several bodies take their steps in turn, with contact solved between the steps.

mod cut_adapt;
mod cut_frame;
mod cut_work;
mod frame;
mod level_frame;
pub(crate) mod state;
mod stepped_model;
