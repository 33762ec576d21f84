//! The pointer of a window as a device of force feedback: it says where the tool is, and shows what a hand would feel.
//!
//! The servo thread runs while the pointer holds the tool. After each of its frames the simulation thread publishes a local contact model, made of the same model and the same contact as
//! the picture. Between two of them the force follows the pointer once a millisecond.

mod device;
mod place;
mod servo;

pub(crate) use place::PointerPlace;
pub use servo::ForceFeedback;
pub(crate) use servo::PointerServo;

#[cfg(test)]
mod tests;
