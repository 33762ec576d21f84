//! Cuts through all levels.

mod bars;
mod criterion;
pub mod cuts;
mod energy;
mod fitted;
mod governor;
mod held;
mod mass;
mod mixed;
mod model;
mod multirate;
mod overrun_allowance;
pub mod slab;
mod states;
