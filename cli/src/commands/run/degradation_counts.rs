//! Degradations of frames, counted over a run.

use pliant_core::model::{Degradation, FrameReport};
use serde_json::Value;

/// Number of frames for each kind of degradation, and the largest violation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DegradationCounts {
    frames: usize,
    degraded: [usize; Degradation::ALL.len()],
    /// m
    violation: f64,
}

impl DegradationCounts {
    /// Counts one frame.
    pub fn count(&mut self, report: &FrameReport) {
        self.frames += 1;
        for (kind, count) in Degradation::ALL.iter().zip(&mut self.degraded) {
            *count += usize::from(report.degraded == Some(*kind));
        }
        self.violation = self.violation.max(report.max_violation);
    }

    /// Deepest violation of a constraint at the end of a frame, m.
    pub fn violation(&self) -> f64 {
        self.violation
    }

    /// Number of frames for each kind, as JSON.
    pub fn json(&self) -> Value {
        let kinds = Degradation::ALL.iter().zip(&self.degraded);
        kinds.map(|(kind, count)| (kind.name(), *count)).collect()
    }

    /// The same as a line; empty without degradation.
    pub fn line(&self) -> String {
        let kinds = Degradation::ALL.iter().zip(&self.degraded);
        let named: Vec<String> = kinds
            .filter(|(_, count)| **count > 0)
            .map(|(kind, count)| format!("{} {count}", kind.name().replace('_', " ")))
            .collect();
        match named.is_empty() {
            true => String::new(),
            false => format!(
                "degradation in frames of {}: {}",
                self.frames,
                named.join(", ")
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_counted_by_its_own_name_and_the_largest_violation_is_kept() {
        let mut counts = DegradationCounts::default();
        assert_eq!(counts.line(), "");
        let kinds = [None, Some(Degradation::StoodStill), None]
            .into_iter()
            .chain(Degradation::ALL.map(Some));
        for (k, degraded) in kinds.enumerate() {
            let max_violation = [0.0, 0.02, 0.01][k % 3];
            counts.count(&FrameReport {
                degraded,
                max_violation,
                ..FrameReport::default()
            });
        }
        let json = counts.json();
        for kind in Degradation::ALL {
            let expected = 1 + i32::from(kind == Degradation::StoodStill);
            assert_eq!(json[kind.name()], expected, "{}", kind.name());
        }
        assert_eq!(counts.violation(), 0.02);
        assert!(counts.line().contains("stood still 2"), "{}", counts.line());
        let frames = format!("degradation in frames of {}:", 3 + Degradation::ALL.len());
        assert!(counts.line().starts_with(&frames), "{}", counts.line());
    }
}
