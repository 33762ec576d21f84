//! What a cut keeps for frames of co-stepping.

use crate::step::multirate::{Forecast, SubstepSchedule};

/// What a cut keeps for frames of co-stepping.
#[derive(Debug, Clone, Default)]
pub(crate) struct CutCoStepping {
    /// nodes behind constraints and touched places, ascending
    pub(crate) contact_nodes: Vec<u32>,
    /// fastest step level around a touched node: contact acts as often
    pub(crate) level: u8,
    /// whether something touched the body when the frame began, and whether that was contact and not only constraints
    pub(crate) is_touched: bool,
    pub(crate) meets: bool,
    /// longest time between firings of elements that constraints hold, s
    pub(crate) longest_step: f64,
    /// what the frame costs with its settled steps, and whether something is given up
    pub(crate) forecast: Forecast,
    pub(crate) is_degraded: bool,
    /// whether groups were packed anew for it
    pub(crate) is_repacked: bool,
    pub(crate) schedule: SubstepSchedule,
    /// ticks of a step
    pub(crate) stride: u32,
    /// whether this body failed, so that its elements have to be faster when the frame is taken again
    pub(crate) hurries: bool,
    /// how often the body had to recover in the present frame
    pub(crate) recovered: u8,
}

impl CutCoStepping {
    /// Numbers of a snapshot: the level.
    pub(crate) const SAVED: usize = 1;

    pub(crate) fn reset(&mut self) {
        self.restore(&[0.0]);
    }

    /// Takes back what a frame left.
    pub(crate) fn restore(&mut self, saved: &[f64]) {
        self.contact_nodes.clear();
        self.level = saved.first().map_or(0, |level| *level as u8);
        (self.is_touched, self.hurries, self.is_degraded) = (false, false, false);
    }
}
