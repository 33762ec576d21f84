//! Runs of a scene on single levels of finite elements: which frames, on which levels, and what is kept of them.

mod level_runs;
mod levels;
mod recorded;
mod span;

pub(super) use level_runs::{LevelRuns, refused};
pub use levels::{MAX_REFERENCE_NODES, REFERENCE_NODES, reference_nodes};
pub use recorded::RecordedRun;
pub use span::Span;
