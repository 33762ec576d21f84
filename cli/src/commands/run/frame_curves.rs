//! Curves of a run that goes frame by frame: what the body felt, and what each frame cost.

use std::fmt::Write as _;

use pliant_core::scene::Method;
use pliant_simulation::setup::Setup;
use pliant_simulation::world::World;

use crate::report::csv_line;

/// A table with a line for each frame: the time, the force of each tool and grab (N), the active nodes, the work units that were used, and the processor time (ms; 0 where no budget
/// is counted by time).
pub struct FrameCurves {
    text: String,
}

impl FrameCurves {
    /// An empty table for `setup`.
    pub fn new(setup: &Setup, method: Method) -> Self {
        let kind = method.name();
        let tools = setup.tools.iter().map(|t| &t.name);
        let names = tools.chain(setup.grabs.iter().map(|g| &g.name));
        let mut heads = vec!["time_s".to_string()];
        heads.extend(names.map(|name| format!("{kind}.force.{name}_n")));
        heads
            .extend(["active_nodes", "work_units", "busy_ms"].map(|what| format!("{kind}.{what}")));
        Self {
            text: csv_line(&heads),
        }
    }

    /// Adds the frame that `world` just stepped.
    pub fn add(&mut self, world: &World) {
        let out = world.output();
        // writing into a string cannot fail
        let _ = write!(self.text, "{:.6}", out.time);
        let tools = out.wrenches.iter().map(|w| w.force.norm());
        for force in tools.chain(out.grab_forces.iter().map(|f| f.norm())) {
            let _ = write!(self.text, ",{force:e}");
        }
        let nodes = world.model().stats().active_nodes;
        let _ = writeln!(
            self.text,
            ",{nodes},{},{:.4}",
            out.report.work_used, out.busy_ms
        );
    }

    /// The table.
    pub fn csv(&self) -> &str {
        &self.text
    }
}
