//! Measurements while the window is open.

use pliant_simulation::snapshot::{PaneState, WorldSnapshot};
use web_time::Instant;

use super::statistics::{Quantiles, Statistics};

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
            found: Statistics::default(),
        }
    }

    /// A frame of the window begins.
    pub fn begin_frame(&mut self) {
        let now = Instant::now();
        self.first_frame.get_or_insert(now);
        if let Some(last) = self.last_frame.replace(now) {
            self.durations
                .push(now.duration_since(last).as_secs_f64() * 1e3);
        }
        self.found.frames += 1;
    }

    /// Records a snapshot; `picture` says whether a skin has been drawn.
    pub fn record(&mut self, snapshot: &WorldSnapshot, picture: bool) {
        if snapshot.frames != self.simulated_frame {
            self.simulated_frame = snapshot.frames;
            if snapshot.frames > 0 {
                self.simulated.push(snapshot.frame_ms);
            }
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
