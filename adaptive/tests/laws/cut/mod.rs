//! Cuts through all levels.

mod bars;
mod criterion;
mod energy;
mod fitted;
mod governor;
mod held;
mod mass;
mod mixed;
mod model;
pub mod multirate;
mod overrun_allowance;
pub mod slab;
pub mod states;
