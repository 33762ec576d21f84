//! Runs of a scene on single levels of finite elements: which frames, on which levels, and what is kept of them.

mod level_runs;
mod levels;
mod recorded;
mod refusals;
mod span;

pub(super) use level_runs::LevelRuns;
pub(super) use levels::reference_nodes;
pub use recorded::RecordedRun;
pub(super) use refusals::check;
pub use span::Span;
