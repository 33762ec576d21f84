//! One method on one scene: model, contact, probes, stepped a frame at a time.

mod control;
mod interaction;
mod output;
pub mod pace;
mod pointer_blade;
mod snapshot;
mod state;
mod step;
mod tools;
mod views;

pub use interaction::{Interaction, PointerGrab, PointerPull};
pub use output::FrameOutput;
pub use pointer_blade::PointerBlade;
pub use snapshot::WorldSnapshot;
pub use state::World;
