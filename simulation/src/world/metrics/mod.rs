//! Metrics of a frame: one table for runs, comparisons and the window.

mod enclosed_volume;
mod frame_metrics;
mod largest_pull;
mod table;

pub(super) use enclosed_volume::EnclosedVolume;
pub use frame_metrics::FrameMetrics;
pub(super) use largest_pull::largest_pull;
pub use table::{METRICS, Metric, present_metrics};
