//! The interface of a servo loop, and its parameters.

use crate::haptics::device::DeviceSample;
use crate::haptics::proxy::PointFriction;
use crate::haptics::servo::meter::PassivityMeter;
use crate::haptics::servo::safety::SafetyLimits;
use crate::haptics::servo::state::{ServoOutput, ServoState};

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

/// Something that answers tips with forces once a millisecond. No clock, no allocation in a tick.
pub trait ForceLoop: Send {
    /// Number of tips.
    fn tips(&self) -> usize {
        1
    }

    /// Takes the tips and gives their forces, `elapsed` seconds after the last tick.
    fn tick(&mut self, samples: &[DeviceSample], elapsed: f64, out: &mut [ServoOutput]);

    /// Computes the coming tick on a copy of the state, with the tips extrapolated, and drops the result: a warm-up of caches and branch prediction.
    ///
    /// Called while the thread waits for a tick that is almost due. After a millisecond of other programs the code and the constants of a tick have left
    /// the caches, and the first tick would take ten times as long.
    fn rehearse(&mut self, samples: &[DeviceSample]);

    /// Last output and counts of a tip.
    fn state(&self, tip: usize) -> Option<&ServoState>;

    /// Ticks in which the model of the body was too old to press with all of its force, of all tips together; none where the model does not age.
    fn stale_ticks(&self) -> u64 {
        0
    }

    /// The energy account of the device.
    fn passivity(&self) -> &PassivityMeter;
}

/// A tip that moves by more than this share of the skin's diagonal in a tick has jumped.
pub(crate) const LARGEST_STEP: f64 = 0.2;
