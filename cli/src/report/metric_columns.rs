//! Columns of metrics in tables of curves.

use std::fmt::Write as _;

use pliant_core::scene::Method;
use pliant_simulation::world::{FrameMetrics, Metric, present_metrics};

/// The metrics of a method as columns: those that any of its frames has.
pub struct MetricColumns<'a> {
    method: Method,
    frames: &'a [FrameMetrics],
    metrics: Vec<&'static Metric>,
}

impl<'a> MetricColumns<'a> {
    /// Those of a run.
    pub fn new(method: Method, frames: &'a [FrameMetrics]) -> Self {
        Self {
            method,
            frames,
            metrics: present_metrics(frames),
        }
    }

    /// Their heads: method, name and unit.
    pub fn heads(&self) -> impl Iterator<Item = String> + '_ {
        let kind = self.method.name();
        let metrics = self.metrics.iter();
        metrics.map(move |metric| format!("{kind}.{}", metric.key()))
    }

    /// Writes a frame, each value after a comma.
    pub fn write(&self, text: &mut String, frame: usize) {
        let values = self.frames.get(frame);
        for metric in &self.metrics {
            write_field(text, values.and_then(metric.value));
        }
    }
}

/// Writes a value after a comma; the field is empty without one.
pub fn write_field(text: &mut String, value: Option<f64>) {
    text.push(',');
    if let Some(value) = value {
        // writing to a string cannot fail
        let _ = write!(text, "{value:e}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_has_columns_of_what_it_has_and_a_frame_without_a_value_an_empty_field() {
        let with = FrameMetrics {
            violation: Some(0.5),
            volume_change: Some(-0.25),
            ..FrameMetrics::default()
        };
        let without = FrameMetrics {
            volume_change: None,
            ..with
        };
        let frames = [with, without];
        let columns = MetricColumns::new(Method::Quasistatic, &frames);
        let heads: Vec<String> = columns.heads().collect();
        assert_eq!(
            heads,
            ["quasistatic.violation_m", "quasistatic.volume_change"]
        );
        let line = |frame: usize| {
            let mut text = String::new();
            columns.write(&mut text, frame);
            text
        };
        assert_eq!(line(0), ",5e-1,-2.5e-1");
        assert_eq!([line(1), line(2)], [",5e-1,", ",,"]);
    }
}
