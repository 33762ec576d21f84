//! One method on one scene: model, contact, probes, stepped a frame at a time.

mod interaction;
mod metrics;
mod output;
pub mod pace;
mod parameters;
mod pointer_blade;
mod snapshot;
mod state;
mod step;
mod surface_quantities;
#[cfg(test)]
pub(crate) mod testing;
mod tools;
mod views;

pub use interaction::{Interaction, PointerGrab, PointerPull};
pub use metrics::{FrameMetrics, METRICS, Metric, present_metrics};
pub use output::FrameOutput;
pub use pointer_blade::PointerBlade;
pub use snapshot::WorldSnapshot;
pub use state::World;
