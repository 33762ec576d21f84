//! What a body keeps for frames of co-stepping.

use pliant_core::math::Vec3;
use pliant_core::model::EnergyAccount;

/// What a body remembers for frames of co-stepping.
#[derive(Debug, Clone, Default)]
pub(crate) struct CoStepping {
    pub(crate) frame: Option<CoSteppedFrame>,
    pub(crate) start: FrameStart,
    /// whether the rate of steps belongs to the present state
    pub(crate) is_rated: bool,
    /// kinetic energy that the last frame left, J; what is missing when the next one begins was lost in between
    pub(crate) left: Option<f64>,
    /// energies at the end of the last frame
    pub(crate) account: Option<EnergyAccount>,
    /// whether contact acted once more after the last step of this frame
    pub(crate) is_pushed_last: bool,
    /// step of the last frame in which forces went wrong
    pub(crate) failed: Option<u32>,
}

/// The frame that is under way.
#[derive(Debug, Clone)]
pub(crate) struct CoSteppedFrame {
    /// s
    pub(crate) step: f64,
    pub(crate) duration: f64,
    pub(crate) time: f64,
    /// kinetic energy that counts as an explosion (J): without work, and what a joule of work adds to it
    pub(crate) limit: [f64; 2],
    /// a constraint that cannot be followed
    pub(crate) too_fast: Option<String>,
    /// what went wrong
    pub(crate) cause: Option<String>,
}

/// What a frame changes besides positions and velocities, as it was before.
#[derive(Debug, Clone, Default)]
pub(crate) struct FrameStart {
    pub(crate) gravity: Vec3,
    /// dissipated, work, time, last step
    pub(crate) totals: [f64; 4],
    pub(crate) rate: [f64; 3],
    pub(crate) is_rated: bool,
    pub(crate) left: Option<f64>,
    pub(crate) account: Option<EnergyAccount>,
    pub(crate) reactions: Vec<Vec3>,
    pub(crate) support_reactions: Vec<Vec3>,
}

impl CoStepping {
    /// The state was changed from outside.
    pub(crate) fn outdate(&mut self) {
        self.is_rated = false;
        (self.left, self.account, self.frame) = (None, None, None);
    }

    /// The frame that is under way, if nothing went wrong in it yet.
    pub(crate) fn under_way(&mut self) -> Option<&mut CoSteppedFrame> {
        self.frame.as_mut().filter(|frame| frame.cause.is_none())
    }
}
