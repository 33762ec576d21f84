//! The values of the last frames, which are a part of every snapshot.

use std::collections::VecDeque;
use std::sync::Arc;

use super::frame_values::{FrameValues, PaneValues};
use super::{PaneSnapshot, PaneState, WorldSnapshot};

/// Frames that a snapshot holds: about two seconds at the default rate, longer than any picture takes.
const MAX_RECENT_FRAMES: usize = 128;

impl FrameValues {
    /// Those of the frame that `snapshot` shows.
    pub fn of(snapshot: &WorldSnapshot) -> Self {
        let force_feedback = snapshot.force_feedback.as_ref().map(|force_feedback| {
            if force_feedback.recent.is_empty() {
                vec![force_feedback.force.norm() as f32]
            } else {
                force_feedback.recent.clone()
            }
        });
        Self {
            time: snapshot.time,
            panes: snapshot.panes.iter().map(PaneValues::of).collect(),
            force_feedback: force_feedback.unwrap_or_default(),
        }
    }
}

impl PaneValues {
    fn of(pane: &PaneSnapshot) -> Self {
        let points = pane.points.iter().map(|point| {
            let state = &point.state;
            [state.displacement.norm(), state.von_mises()]
        });
        Self {
            is_ready: pane.state == PaneState::Ready,
            cost_ms: pane.cost_ms,
            tool_forces: pane.tool_forces.clone(),
            grab_force: pane.grab_force,
            metrics: pane.metrics,
            distances: pane.distances,
            probes: pane.probes.clone(),
            points: points.collect(),
        }
    }
}

/// The last frames, the newest last. Those after the frame that is shown are removed.
#[derive(Debug, Clone, Default)]
pub(in crate::runner) struct RecentFrames(VecDeque<Arc<FrameValues>>);

impl RecentFrames {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds the frame of `snapshot`, and writes all frames into it.
    pub fn write(&mut self, snapshot: &mut WorldSnapshot) {
        let is_later = |f: &Arc<FrameValues>| f.time >= snapshot.time;
        while self.0.back().is_some_and(is_later) {
            self.0.pop_back();
        }
        if self.0.len() == MAX_RECENT_FRAMES {
            self.0.pop_front();
        }
        self.0.push_back(Arc::new(FrameValues::of(snapshot)));
        snapshot.recent.clear();
        snapshot.recent.extend(self.0.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_holds_the_last_frames_and_none_of_a_future_that_was_given_up() {
        let mut recent = RecentFrames::default();
        let mut snapshot = WorldSnapshot::default();
        let mut times = |recent: &mut RecentFrames, frame: usize| -> Vec<usize> {
            snapshot.time = frame as f64 / 60.0;
            recent.write(&mut snapshot);
            let frames = snapshot.recent.iter();
            frames.map(|f| (f.time * 60.0).round() as usize).collect()
        };
        for frame in 0..300 {
            times(&mut recent, frame);
        }
        assert_eq!(times(&mut recent, 300), (173..=300).collect::<Vec<_>>());
        assert_eq!(
            times(&mut recent, 300).len(),
            MAX_RECENT_FRAMES,
            "the same moment again"
        );
        assert_eq!(times(&mut recent, 180), (173..=180).collect::<Vec<_>>());
        assert_eq!(times(&mut recent, 0), [0]);
    }
}
