//! The parameters of a servo loop.

use crate::haptics::proxy::PointFriction;
use crate::haptics::servo::safety::SafetyLimits;

/// Parameters of a servo loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServoParams {
    /// Time between ticks, s.
    pub tick: f64,
    /// Friction between tip and skin.
    pub friction: PointFriction,
    /// Limits of the device.
    pub limits: SafetyLimits,
}

impl Default for ServoParams {
    /// 1 kHz.
    fn default() -> Self {
        Self {
            tick: 0.001,
            friction: PointFriction::default(),
            limits: SafetyLimits::default(),
        }
    }
}
