//! Safety rules between the computed force and the motor: limits, slew, ramp, stale models, missed ticks.

use pliant_core::math::Vec3;

/// Limits of a device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SafetyLimits {
    /// Largest force, N; larger ones keep their direction.
    pub force: f64,
    /// Largest change of force in a tick, N.
    pub slew: f64,
    /// Time over which the force ramps up after (re)connection, s.
    pub ramp: f64,
    /// Age of a model up to which it counts as fresh, s.
    pub fresh: f64,
    /// Time over which the force of an older model fades, s.
    pub fade: f64,
    /// Ticks that may be missed in a row before the force is zero.
    pub missed: u32,
}

impl Default for SafetyLimits {
    /// 10 N, 5 N a tick, 20 ms ramp, fresh for 50 ms, faded in another 100 ms, three missed ticks.
    fn default() -> Self {
        Self {
            force: 10.0,
            slew: 5.0,
            ramp: 0.020,
            fresh: 0.050,
            fade: 0.100,
            missed: 3,
        }
    }
}

impl SafetyLimits {
    /// Share of the force of a model of this age (s).
    pub(crate) fn freshness(&self, age: f64) -> f64 {
        if age <= self.fresh {
            1.0
        } else {
            (1.0 - (age - self.fresh) / self.fade).clamp(0.0, 1.0)
        }
    }
}

/// State of the safety rules; changes with every tick.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SafetyState {
    /// Time since the device was connected, s.
    connected_for: f64,
    /// Force of the last tick, N.
    last: Vec3,
    /// Whether a force that is not finite has stopped the loop. Stays until a reset.
    pub fault: bool,
}

impl SafetyState {
    /// The limited force (N) for a target force, `elapsed` seconds after the last tick. Ticks are due every `tick` seconds.
    pub fn limit(
        &mut self,
        limits: &SafetyLimits,
        target: Vec3,
        connected: bool,
        elapsed: f64,
        tick: f64,
    ) -> Vec3 {
        if !target.iter().all(|x| x.is_finite()) {
            self.fault = true;
        }
        let overdue = elapsed > tick * (f64::from(limits.missed) + 0.5);
        if self.fault || !connected || overdue {
            self.connected_for = 0.0;
            self.last = Vec3::zeros();
            return self.last;
        }
        self.connected_for += elapsed;
        let ramp = (self.connected_for / limits.ramp).clamp(0.0, 1.0);
        let mut force = target * ramp;
        let size = force.norm();
        if size > limits.force {
            force *= limits.force / size;
        }
        let change = force - self.last;
        let change_size = change.norm();
        if change_size > limits.slew {
            force = self.last + change * (limits.slew / change_size);
        }
        self.last = force;
        force
    }

    /// Records the force that the device received in the end, N.
    pub fn record(&mut self, force: Vec3) {
        self.last = force;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_are_clipped_slewed_ramped_and_cut() {
        let limits = SafetyLimits::default();
        let mut state = SafetyState::default();
        let push = Vec3::new(0.0, 40.0, 30.0);
        let mut last = Vec3::zeros();
        for k in 1..=40 {
            let force = state.limit(&limits, push, true, 0.001, 0.001);
            assert!(force.norm() <= 10.0 + 1e-12);
            assert!((force - last).norm() <= 5.0 + 1e-12);
            if k < 3 {
                assert!(force.norm() < 8.0, "the ramp holds it back");
            }
            assert!(force.cross(&push).norm() < 1e-9, "the direction stays");
            last = force;
        }
        assert!((last.norm() - 10.0).abs() < 1e-12);
        // three ticks missed: nothing is pushed, and it comes back by the ramp
        assert_eq!(
            state.limit(&limits, push, true, 0.004, 0.001),
            Vec3::zeros()
        );
        assert!(state.limit(&limits, push, true, 0.001, 0.001).norm() < 3.0);
        assert_eq!(
            state.limit(&limits, push, false, 0.001, 0.001),
            Vec3::zeros()
        );
        // not a number: latched
        let nan = Vec3::new(f64::NAN, 0.0, 0.0);
        assert_eq!(state.limit(&limits, nan, true, 0.001, 0.001), Vec3::zeros());
        assert!(state.fault);
        assert_eq!(
            state.limit(&limits, push, true, 0.001, 0.001),
            Vec3::zeros()
        );
    }

    #[test]
    fn an_old_model_fades() {
        let limits = SafetyLimits::default();
        assert_eq!(limits.freshness(0.049), 1.0);
        assert!((limits.freshness(0.1) - 0.5).abs() < 1e-12);
        assert_eq!(limits.freshness(0.2), 0.0);
    }
}
