//! Cuts through all levels.

mod bars;
mod change_allowance;
mod criterion;
mod energy;
mod fitted;
mod governor;
mod mass;
mod mixed;
mod model;
mod multirate;
pub mod slab;
pub mod states;
