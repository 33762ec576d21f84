//! What every servo loop is told and has to do.

use crate::haptics::device::DeviceSample;
use crate::haptics::proxy::PointFriction;
use crate::haptics::servo::meter::PassivityMeter;
use crate::haptics::servo::safety::SafetyLimits;
use crate::haptics::servo::state::{ServoOutput, ServoState};

/// What a servo loop is told once.
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

/// Something that answers tips with forces once a millisecond. No clock, no allocation in a tick.
pub trait ForceLoop: Send {
    /// Number of tips.
    fn tips(&self) -> usize {
        1
    }

    /// Takes the tips and gives their forces, `elapsed` seconds after the last tick.
    fn tick(&mut self, samples: &[DeviceSample], elapsed: f64, out: &mut [ServoOutput]);

    /// Goes through a tick to where the tips will be, if they go on as they do, on a copy of the state, and forgets it. Called while the thread waits for a tick that is almost due: after a millisecond of
    /// other programs the code, the constants and the branches of a tick are cold, and warming them takes ten times as long as the tick.
    fn rehearse(&mut self, samples: &[DeviceSample]);

    /// Last output and counts of a tip.
    fn state(&self, tip: usize) -> Option<&ServoState>;

    /// The energy account of the device.
    fn passivity(&self) -> &PassivityMeter;
}

/// Share of the skin's diagonal that a tip cannot jump over in a tick.
pub(crate) const LARGEST_STEP: f64 = 0.2;
