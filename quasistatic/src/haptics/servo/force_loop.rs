//! The interface of a servo loop.

use crate::haptics::device::DeviceSample;
use crate::haptics::servo::meter::PassivityMeter;
use crate::haptics::servo::state::{ServoOutput, ServoState};

/// A loop that computes forces from tips once a millisecond. It has no clock, and a tick allocates nothing.
pub trait ForceLoop: Send {
    /// Number of tips.
    fn tips(&self) -> usize {
        1
    }

    /// Computes the forces of the tips, `elapsed` seconds after the last tick.
    fn tick(&mut self, samples: &[DeviceSample], elapsed: f64, out: &mut [ServoOutput]);

    /// Computes the next tick on a copy of the state, with the tips extrapolated, and drops the result: a warm-up of caches and branch prediction.
    ///
    /// Called while the thread waits for a tick that is almost due. After a millisecond of other programs the caches no longer hold the code and the constants of a tick,
    /// and the tick would take ten times as long.
    fn warm_up(&mut self, samples: &[DeviceSample]);

    /// Last output and counts of a tip.
    fn state(&self, tip: usize) -> Option<&ServoState>;

    /// Number of ticks in which the force was reduced because the model of the body was too old, of all tips together; 0 for a constant model.
    fn stale_ticks(&self) -> u64 {
        0
    }

    /// The energy account of the device.
    fn passivity(&self) -> &PassivityMeter;
}

/// Largest motion of a tip in a tick, as a share of the skin's diagonal; more is a jump.
pub(crate) const MAX_STEP_SHARE: f64 = 0.2;
