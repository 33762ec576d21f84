//! State of a body, and of its cut, for co-stepping.

use pliant_core::math::Vec3;
use pliant_core::model::EnergyAccount;

use crate::step::multirate::{Forecast, SubstepSchedule};

/// State of a body for co-stepping.
#[derive(Debug, Clone, Default)]
pub(crate) struct CoStepping {
    pub(crate) frame: Option<CoSteppedFrame>,
    pub(crate) start: FrameStart,
    pub(crate) last: LastFrame,
    /// work of contact since the present frame began, J; a part of the work of the body
    pub(crate) contact_work: f64,
    /// whether contact acted once more after the last step of this frame
    pub(crate) has_final_contact: bool,
    /// step of the last frame in which forces became invalid
    pub(crate) failed_step: Option<u32>,
}

/// What is known of the end of the last frame, unless the state was changed from outside since.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LastFrame {
    /// whether the rate of steps belongs to the present state
    pub(crate) is_rated: bool,
    /// kinetic energy, J; a difference when the next frame begins was dissipated in between
    pub(crate) kinetic_energy: Option<f64>,
    pub(crate) account: Option<EnergyAccount>,
}

/// The present frame.
#[derive(Debug, Clone)]
pub(crate) struct CoSteppedFrame {
    /// duration of a step, duration of the frame, and time since it began, s
    pub(crate) step: f64,
    pub(crate) duration: f64,
    pub(crate) time: f64,
    /// kinetic energy above which the frame has failed (J): without work, and the increase for a joule of work
    pub(crate) limit: [f64; 2],
    /// a sentence about a constraint that moves too fast
    pub(crate) too_fast: Option<String>,
    /// why the frame has failed
    pub(crate) cause: Option<String>,
}

/// State before the frame, without positions and velocities.
#[derive(Debug, Clone, Default)]
pub(crate) struct FrameStart {
    pub(crate) gravity: Vec3,
    /// dissipated, work, lost in contact, time, last step
    pub(crate) totals: [f64; 5],
    pub(crate) rate: [f64; 3],
    pub(crate) last: LastFrame,
    pub(crate) reactions: Vec<Vec3>,
    pub(crate) support_reactions: Vec<Vec3>,
}

impl CoStepping {
    /// Invalidates the data of the last frame, because the state was changed from outside.
    pub(crate) fn invalidate(&mut self) {
        (self.last, self.frame) = (LastFrame::default(), None);
    }

    /// Clears what belongs to a single frame.
    pub(crate) fn begin_frame(&mut self) {
        (self.failed_step, self.contact_work, self.has_final_contact) = (None, 0.0, false);
    }

    /// The present frame, if it has not failed.
    pub(crate) fn running_frame(&mut self) -> Option<&mut CoSteppedFrame> {
        self.frame.as_mut().filter(|frame| frame.cause.is_none())
    }
}

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
