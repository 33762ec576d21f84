//! How far each pane is from a reference: over the script, or over what the hand did last.

mod reference_watch;
mod script_forces;
#[cfg(test)]
mod tests;
mod touch_recorder;

pub(super) use reference_watch::ReferenceWatch;
pub(super) use script_forces::ScriptForces;
pub(super) use touch_recorder::TouchRecorder;
