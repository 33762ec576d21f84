//! Metrics of a frame: one table for runs, comparisons and the window.

mod enclosed_volume;
mod largest_pull;
mod table;

pub(super) use enclosed_volume::EnclosedVolume;
pub(super) use largest_pull::largest_pull;
pub use table::{FrameMetrics, METRICS, Metric, present_metrics};
