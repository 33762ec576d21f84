//! Curves of a run that goes frame by frame: forces, cost and metrics of each frame.

use std::fmt::Write as _;

use pliant_core::scene::Method;
use pliant_recording::export::csv_line;
use pliant_simulation::setup::Setup;
use pliant_simulation::world::{FrameMetrics, World};

use crate::report::MetricColumns;

/// A table with a line for each frame: the time, the force of each tool and grab (N), the active nodes, the work units that were used, the processor time (ms; 0 where no budget
/// is counted by time), and the metrics that the method has.
pub struct FrameCurves {
    method: Method,
    heads: Vec<String>,
    /// all columns except metrics, without the line break
    lines: Vec<String>,
    metrics: Vec<FrameMetrics>,
}

impl FrameCurves {
    /// An empty table for `setup`.
    pub fn new(setup: &Setup, method: Method) -> Self {
        let kind = method.name();
        let mut heads = vec!["time_s".to_string()];
        let names = setup.force_names();
        heads.extend(names.map(|name| format!("{kind}.force.{name}_n")));
        heads
            .extend(["active_nodes", "work_units", "busy_ms"].map(|what| format!("{kind}.{what}")));
        Self {
            method,
            heads,
            lines: Vec::new(),
            metrics: Vec::new(),
        }
    }

    /// Adds the frame that `world` just stepped.
    pub fn add(&mut self, world: &World) {
        let out = world.output();
        let mut line = format!("{:.6}", out.time);
        // writing into a string cannot fail
        for force in out.force_norms() {
            let _ = write!(line, ",{force:e}");
        }
        let nodes = world.model().stats().active_nodes;
        let _ = write!(line, ",{nodes},{},{:.4}", out.report.work_used, out.busy_ms);
        self.lines.push(line);
        self.metrics.push(world.metrics());
    }

    /// The table.
    pub fn csv(&self) -> String {
        let columns = MetricColumns::new(self.method, &self.metrics);
        let mut heads = self.heads.clone();
        heads.extend(columns.heads());
        let mut text = csv_line(&heads);
        for (frame, line) in self.lines.iter().enumerate() {
            text.push_str(line);
            columns.write(&mut text, frame);
            text.push('\n');
        }
        text
    }
}
