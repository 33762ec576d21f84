//! The frame of a body that is stepped together with others.

use pliant_core::math::Vec3;

use crate::step::frame_plan::FramePlan;

/// The frame that is under way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoStep {
    pub plan: FramePlan,
    /// s
    pub duration: f64,
    /// the one that was kicked last
    pub step: u32,
    /// s since the frame began
    pub time: f64,
    pub gravity: Vec3,
}
