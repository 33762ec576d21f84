//! What goes on beside the frames: scenes and methods that are prepared, and advice.

mod advice_watch;
mod bake_event;
mod bake_job;
mod file_watch;
mod opening;
mod replacement;
mod reports;
mod scene_changes;
#[cfg(test)]
mod tests;

pub(super) use advice_watch::AdviceWatch;
pub(super) use bake_event::BakeEvent;
pub(super) use bake_job::BakeJob;
pub(super) use file_watch::FileWatch;
pub(super) use reports::Threads;
pub(super) use scene_changes::SceneChanges;
