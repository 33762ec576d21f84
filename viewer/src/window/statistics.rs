//! Timing statistics of the window, written as JSON when it closes.

use std::path::Path;

use pliant_core::math::quantile;
use serde::Serialize;

/// Order statistics of durations, ms; zero when there are none.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Quantiles {
    /// Half of the frames are at most this long.
    pub p50: f64,
    /// 99 of 100 frames are at most this long.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

impl Quantiles {
    /// Quantiles of durations in any order.
    pub fn of(durations: &[f64]) -> Self {
        let mut sorted = durations.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share| quantile(&sorted, share).unwrap_or(0.0);
        Self {
            p50: at(0.50),
            p99: at(0.99),
            max: at(1.0),
        }
    }
}

/// A frame of the window that took long.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SlowFrame {
    /// From the start of the program to the begin of the frame, s.
    pub at_s: f64,
    /// Until the next frame began, ms.
    pub ms: f64,
}

/// What `--stats` writes.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Statistics {
    /// Frames of the window.
    pub frames: u64,
    /// Wall time from one frame of the window to the next, ms.
    pub frame_ms: Quantiles,
    /// Wall time of a simulated frame of all methods together, ms.
    pub sim_frame_ms: Quantiles,
    /// Frames of the window longer than 100 ms, the first hundred of them.
    pub slow_frames: Vec<SlowFrame>,
    /// Frames of the window from a motion of the hand to the frame that shows its effect in all panes.
    pub input_frames: Quantiles,
    /// The same as wall time between the begins of both frames, ms.
    pub input_ms: Quantiles,
    /// From the start until a skin was on the screen, s.
    pub first_picture_s: Option<f64>,
    /// From the start until every method could be touched, if only coarsely, s.
    pub all_methods_ready_s: Option<f64>,
    /// From the start until every method was baked as the scene asks, s.
    pub full_models_s: Option<f64>,
    /// The driver's name of the device.
    pub renderer: String,
}

impl Statistics {
    /// Writes the JSON.
    pub fn write(&self, file: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|e| e.to_string())?;
        std::fs::write(file, text + "\n").map_err(|e| e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_durations_in_any_order() {
        assert_eq!(Quantiles::of(&[]), Quantiles::default());
        let durations: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        let q = Quantiles::of(&durations);
        assert_eq!((q.p50, q.p99, q.max), (100.0, 198.0, 200.0));
    }

    #[test]
    fn the_file_has_the_promised_keys() {
        let json = serde_json::to_value(Statistics::default()).expect("plain data");
        for key in [
            "frames",
            "frame_ms",
            "sim_frame_ms",
            "slow_frames",
            "input_frames",
            "input_ms",
            "first_picture_s",
            "all_methods_ready_s",
            "full_models_s",
            "renderer",
        ] {
            assert!(json.get(key).is_some(), "{key}");
        }
        assert!(json["all_methods_ready_s"].is_null());
        assert!(json["frame_ms"].get("p99").is_some());
    }
}
