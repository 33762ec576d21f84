//! Frames of the slower thread, which computes the body.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pliant_core::asset::Progress;
use pliant_quasistatic::haptics::ServoOutput;
use web_time::Instant;

use super::pace::Pace;
use crate::threads::handover::HandoverReader;

/// Statistics of the slower thread.
#[derive(Debug, Default)]
pub(super) struct BodyFrames {
    /// frames that were computed, and those that the model refused
    pub frames: u64,
    pub failed: u64,
    /// most nodes in contact
    pub contact_nodes: usize,
    /// longest frame, s
    pub slowest: f64,
    /// largest displacement of a node, m
    pub displacement: f64,
}

/// Calls `compute` with the newest outputs of the servo thread, at most `rate` times a second, until that thread is done. Where it computes the body, it returns the largest
/// displacement of a node, m.
pub(super) fn body_frames(
    rate: f64,
    reader: &mut HandoverReader<Vec<ServoOutput>>,
    done: &AtomicBool,
    seconds: f64,
    progress: &Progress,
    mut compute: impl FnMut(&[ServoOutput], &mut BodyFrames) -> Option<f64>,
) -> BodyFrames {
    let mut result = BodyFrames::default();
    let start = Instant::now();
    let mut pace = Pace::new(start, Duration::from_secs_f64(1.0 / rate)).without_spinning();
    while !done.load(Ordering::Acquire) && progress.check().is_ok() {
        let frame_start = pace.wait();
        progress.set_fraction(frame_start.duration_since(start).as_secs_f64() / seconds.max(1e-9));
        if reader.try_update()
            && let Some(displacement) = compute(reader.value(), &mut result)
        {
            result.displacement = result.displacement.max(displacement);
            result.slowest = result.slowest.max(frame_start.elapsed().as_secs_f64());
        }
    }
    result
}
