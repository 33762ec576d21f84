//! Force samples of a body that lives through a part of the frame.

use pliant_core::math::Vec3;
use pliant_core::model::ForceTap;

/// Samples of a body that lives more slowly than the hand that feels them.
pub(crate) struct TimeScaledTap<'a> {
    pub(crate) tap: &'a mut dyn ForceTap,
    /// time of the frame over that of the body
    pub(crate) stretch: f64,
}

impl ForceTap for TimeScaledTap<'_> {
    fn sample(&mut self, time: f64, reactions: &[Vec3]) {
        self.tap.sample(self.stretch * time, reactions);
    }
}
