//! The motion of a hand in a window, as a part of a scene: a table `[hand]` at the end of its text. Every run of the scene repeats it.

mod motion;
mod parameter;
mod read;
mod resting_blade;
mod script;
#[cfg(test)]
mod tests;
mod write;

pub use motion::{HandHold, HandMotion};
pub use parameter::HandParameter;
pub(crate) use parameter::present_values;
pub(crate) use read::split;
pub use resting_blade::RestingBlade;
pub(crate) use script::apply_hand;
