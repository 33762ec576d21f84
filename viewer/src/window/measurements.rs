//! Measurements while the window is open.

use pliant_simulation::snapshot::{PaneState, WorldSnapshot};
use web_time::Instant;

use super::statistics::{Quantiles, SlowFrame, Statistics};

/// Frames of the window longer than this are listed one by one, ms.
const SLOW_MS: f64 = 100.0;

/// As many are listed.
const SLOW_FRAMES: usize = 100;

/// A motion of the hand that no picture has shown yet.
#[derive(Debug, Clone, Copy)]
struct PendingMotion {
    /// number of the command
    command: u64,
    /// frame of the window that sent it
    frame: u64,
    /// when that frame began
    begun: Instant,
}

/// Clocks and durations of one run of the window.
#[derive(Debug)]
pub struct Measurements {
    started: Instant,
    first_frame: Option<Instant>,
    last_frame: Option<Instant>,
    /// from one frame to the next, ms
    durations: Vec<f64>,
    /// number of the simulated frame that was counted last
    simulated_frame: u64,
    /// of simulated frames, ms
    simulated: Vec<f64>,
    /// motions of the hand that no picture has shown yet, oldest first
    pending: Vec<PendingMotion>,
    /// from a motion of the hand to the frame that shows it: frames of the window, and ms
    answered: [Vec<f64>; 2],
    /// without what is computed from the durations
    found: Statistics,
}

impl Measurements {
    /// Measurements of a program that started at `started`.
    pub fn new(started: Instant) -> Self {
        Self {
            started,
            first_frame: None,
            last_frame: None,
            durations: Vec::new(),
            simulated_frame: 0,
            simulated: Vec::new(),
            pending: Vec::new(),
            answered: Default::default(),
            found: Statistics::default(),
        }
    }

    /// A frame of the window begins.
    pub fn begin_frame(&mut self) {
        let now = Instant::now();
        self.first_frame.get_or_insert(now);
        if let Some(last) = self.last_frame.replace(now) {
            let ms = now.duration_since(last).as_secs_f64() * 1e3;
            self.durations.push(ms);
            if ms > SLOW_MS && self.found.slow_frames.len() < SLOW_FRAMES {
                let at_s = last.duration_since(self.started).as_secs_f64();
                self.found.slow_frames.push(SlowFrame { at_s, ms });
            }
        }
        self.found.frames += 1;
    }

    /// This frame sent a motion of the hand, as the command of this number.
    pub fn hand_moved(&mut self, command: u64) {
        if let Some(begun) = self.last_frame {
            self.pending.push(PendingMotion {
                command,
                frame: self.found.frames,
                begun,
            });
        }
    }

    /// This frame shows the motions up to the command of number `shown`.
    fn answer(&mut self, shown: u64) {
        let now = self.last_frame.unwrap_or(self.started);
        let count = self.pending.partition_point(|p| p.command <= shown);
        for motion in self.pending.drain(..count) {
            let frames = self.found.frames - motion.frame;
            self.answered[0].push(frames as f64);
            let waited = now.duration_since(motion.begun);
            self.answered[1].push(waited.as_secs_f64() * 1e3);
        }
    }

    /// Records a snapshot; `picture` says whether a skin has been drawn.
    pub fn record(&mut self, snapshot: &WorldSnapshot, picture: bool) {
        if snapshot.frames != self.simulated_frame {
            self.simulated_frame = snapshot.frames;
            if snapshot.frames > 0 {
                self.simulated.push(snapshot.frame_ms);
            }
        }
        self.answer(snapshot.commands);
        if !snapshot.playing {
            // what is still pending waits for the next frame, whenever that may be
            self.pending.clear();
        }
        let since = self.started.elapsed().as_secs_f64();
        if picture {
            self.found.first_picture_s.get_or_insert(since);
        }
        if all_ready(snapshot) {
            self.found.all_methods_ready_s.get_or_insert(since);
            if snapshot.panes.iter().all(|p| p.baked.is_none()) {
                self.found.full_models_s.get_or_insert(since);
            }
        }
    }

    /// Time since the first frame, s; `None` before it.
    pub fn shown_for(&self) -> Option<f64> {
        self.first_frame.map(|first| first.elapsed().as_secs_f64())
    }

    /// The statistics; `renderer` is the driver's name of the device.
    pub fn statistics(&self, renderer: String) -> Statistics {
        Statistics {
            frame_ms: Quantiles::of(&self.durations),
            sim_frame_ms: Quantiles::of(&self.simulated),
            input_frames: Quantiles::of(&self.answered[0]),
            input_ms: Quantiles::of(&self.answered[1]),
            renderer,
            ..self.found.clone()
        }
    }
}

/// Whether one method runs and none is waiting or being baked.
fn all_ready(snapshot: &WorldSnapshot) -> bool {
    let is_pending = |s: &PaneState| matches!(s, PaneState::Waiting | PaneState::Baking { .. });
    snapshot.setup.is_some()
        && snapshot.panes.iter().any(|p| p.state == PaneState::Ready)
        && !snapshot.panes.iter().any(|p| is_pending(&p.state))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_of_the_hand_is_answered_by_the_frame_that_shows_it() {
        let mut measurements = Measurements::new(Instant::now());
        let shows = |commands| WorldSnapshot {
            commands,
            playing: true,
            ..WorldSnapshot::default()
        };
        // frames 1 and 2 send commands 4 and 7
        for command in [4, 7] {
            measurements.begin_frame();
            measurements.record(&shows(3), true);
            measurements.hand_moved(command);
        }
        // frame 3 shows nothing yet, frame 4 the first, frame 5 both
        for shown in [3, 6, 9] {
            measurements.begin_frame();
            measurements.record(&shows(shown), true);
        }
        assert_eq!(measurements.answered[0], [3.0, 3.0]);
        // a motion that a pause keeps waiting does not count
        measurements.hand_moved(12);
        measurements.record(&WorldSnapshot::default(), true);
        measurements.record(&shows(12), true);
        assert_eq!(measurements.answered[0].len(), 2);
        let statistics = measurements.statistics(String::new());
        assert_eq!(statistics.input_frames.max, 3.0);
        assert!(statistics.input_ms.max > 0.0);
    }
}
