//! State of a cut for co-stepping.

use crate::step::multirate::{Forecast, SubstepSchedule};

/// State of a cut for co-stepping.
#[derive(Debug, Clone, Default)]
pub(crate) struct CutCoStepping {
    /// nodes of constraints and contacts, ascending
    pub(crate) contact_nodes: Vec<u32>,
    /// fastest step level around a touched node: contact acts at this level
    pub(crate) level: u8,
    /// whether something touched the body when the frame began, and whether that was contact and not only constraints
    pub(crate) is_touched: bool,
    pub(crate) has_contact: bool,
    /// longest time between firings of elements that constraints hold, s
    pub(crate) longest_step: f64,
    /// forecast of the frame with its steps, and whether there is degradation
    pub(crate) forecast: Forecast,
    pub(crate) is_degraded: bool,
    /// whether groups were packed for this frame
    pub(crate) is_repacked: bool,
    pub(crate) schedule: SubstepSchedule,
    /// ticks of a step
    pub(crate) stride: u32,
    /// whether this body failed, so that its elements need shorter steps when the frame is repeated
    pub(crate) needs_shorter_steps: bool,
    /// how often the body had to recover in the present frame
    pub(crate) recovered: u8,
}

impl CutCoStepping {
    /// Resets to the state after a frame in which contact acted at this step level.
    pub(crate) fn reset(&mut self, level: u8) {
        self.contact_nodes.clear();
        self.level = level;
        (self.is_touched, self.needs_shorter_steps, self.is_degraded) = (false, false, false);
    }
}
