//! What a cut keeps for frames of co-stepping.

use crate::step::multirate::{Forecast, SubstepSchedule};

/// What a cut keeps for frames of co-stepping.
#[derive(Debug, Clone, Default)]
pub(crate) struct CutCoStepping {
    /// nodes behind constraints and touched places, ascending
    pub(crate) quick: Vec<u32>,
    /// fastest step level around a touched node: contact acts as often
    pub(crate) level: u8,
    /// whether something touched the body when the frame began, and whether contact is among it and not only constraints
    pub(crate) is_touched: bool,
    pub(crate) meets: bool,
    /// longest time between firings of elements that constraints hold, s
    pub(crate) longest: f64,
    /// what the frame takes as its steps are settled, and whether something is given up then
    pub(crate) forecast: Forecast,
    pub(crate) is_degraded: bool,
    /// whether groups were packed anew for it
    pub(crate) is_repacked: bool,
    pub(crate) schedule: SubstepSchedule,
    /// ticks of a step
    pub(crate) stride: u32,
    /// whether its own frame failed and elements have to be faster when it is taken again
    pub(crate) hurries: bool,
    /// how often the body was to recover from the present frame
    pub(crate) recovered: u8,
}

impl CutCoStepping {
    /// Numbers of a snapshot: the level.
    pub(crate) const SAVED: usize = 1;

    pub(crate) fn reset(&mut self) {
        self.restore(&[0.0]);
    }

    /// As a frame ended that left these numbers.
    pub(crate) fn restore(&mut self, saved: &[f64]) {
        self.quick.clear();
        self.level = saved.first().map_or(0, |level| *level as u8);
        (self.is_touched, self.hurries, self.is_degraded) = (false, false, false);
    }
}
