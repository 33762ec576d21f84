//! The state of a tip in a servo loop: its position, the state of the limits, and the largest jump of its force.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfacePoint;

use crate::haptics::contact_force::{ContactForce, ContactMode};
use crate::haptics::device::DeviceSample;
use crate::haptics::servo::meter::PassivityMeter;
use crate::haptics::servo::params::ServoParams;
use crate::haptics::servo::safety::SafetyState;

/// The output of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ServoOutput {
    /// Force for the device, N, world.
    pub force: Vec3,
    /// Force of the contact on the body, N, for the display of the body.
    pub body_force: Vec3,
    /// Tip of the device, m; zeros while it is disconnected.
    pub tip: Vec3,
    /// Whether the device is connected.
    pub connected: bool,
    /// Anchor of a point contact on the resting skin.
    pub anchor: Option<SurfacePoint>,
    /// State of the contact.
    pub mode: ContactMode,
    /// Whether a value that is not finite has stopped the loop; its force stays zero.
    pub fault: bool,
    /// Change of force over the last tick beyond the stiffness times the motion of the tip, N.
    pub jump: f64,
}

/// The motion of the tip in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TipMotion {
    /// Position at the last tick, m; `None` if the device was or is disconnected.
    pub before: Option<Vec3>,
    /// Position now, m.
    pub tip: Vec3,
    /// Difference of the two, m.
    pub step: Vec3,
    /// Whether the step is too large for a hand. A jump ends the contact.
    pub jumped: bool,
    is_finite: bool,
    connected: bool,
}

impl TipMotion {
    /// Last and current position; `None` if a contact cannot continue over this motion.
    pub fn followed(&self) -> Option<(Vec3, Vec3)> {
        self.before
            .filter(|_| !self.jumped)
            .map(|before| (before, self.tip))
    }

    /// The motion of the hand, m: zero in a jump. A hand cannot do the work of a jump, which would dominate the energy account.
    fn hand_motion(&self) -> Vec3 {
        match self.jumped {
            true => Vec3::zeros(),
            false => self.step,
        }
    }
}

/// Damping over stiffness times tick, above the energy gain of a spring whose force is held over a tick (Colgate and Schenkel 1997: `b > K T / 2`).
const DAMPING: f64 = 0.55;
/// Largest damping, N·s/m.
const MAX_DAMPING: f64 = 5.0;

/// Tip and force of a servo loop; small and copied freely.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ServoState {
    safety: SafetyState,
    tip: Option<Vec3>,
    last: ServoOutput,
    stiffness: Mat3,
    largest_jump: f64,
    largest_force: f64,
    jumps: u64,
}

impl ServoState {
    /// Starts a tick with the motion of the tip; [`Self::work`] gives the work of it. More than `max_step` metres in a tick is a jump.
    pub fn start_tick(&mut self, sample: &DeviceSample, max_step: f64) -> TipMotion {
        let tip = sample.tip;
        let is_finite = tip.iter().all(|x| x.is_finite());
        let before = self.tip.filter(|_| sample.connected && is_finite);
        let step = before.map_or_else(Vec3::zeros, |before| tip - before);
        let jumped = step.norm() > max_step;
        self.jumps += u64::from(jumped);
        TipMotion {
            before,
            tip,
            step,
            jumped,
            is_finite,
            connected: sample.connected,
        }
    }

    /// Work that the hand did against the force of the last tick, J; none in a jump.
    pub fn work(&self, motion: &TipMotion) -> f64 {
        -self.last.force.dot(&motion.hand_motion())
    }

    /// Finishes a tick, `elapsed` seconds after the last one: adds damping, applies limits, draws no more energy than the account of the device has left,
    /// and measures the jump of the force.
    pub fn finish_tick(
        &mut self,
        motion: &TipMotion,
        contact: &ContactForce,
        params: &ServoParams,
        elapsed: f64,
        account: &mut PassivityMeter,
    ) -> ServoOutput {
        let (limits, tick) = (&params.limits, params.tick);
        let ContactForce {
            force: body_force,
            stiffness,
            anchor,
            mode,
        } = *contact;
        let size = stiffness.norm();
        let damping = (DAMPING * tick * size).min(MAX_DAMPING);
        let velocity = if elapsed > 0.0 {
            motion.hand_motion() / elapsed.max(tick)
        } else {
            Vec3::zeros()
        };
        let mut target = -body_force - velocity * damping;
        if !motion.is_finite {
            // the position is not finite: the fault stays until a reset
            target = Vec3::repeat(f64::NAN);
        }
        let connected = motion.connected && !motion.jumped;
        let mut force = self.safety.limit(limits, target, connected, elapsed, tick);
        if !self.safety.fault {
            force = account.limit_force(force, &motion.hand_motion());
            self.safety.record(force);
        }
        // the jump is the change beyond the motion of the tip times the larger stiffness, of before or after
        let max_stiffness = size.max(self.stiffness.norm());
        let change = (body_force - self.last.body_force).norm();
        let jump = (change - max_stiffness * motion.step.norm()).max(0.0);
        self.largest_jump = self.largest_jump.max(jump);
        self.largest_force = self.largest_force.max(body_force.norm());
        self.stiffness = stiffness;
        self.tip = (motion.connected && motion.is_finite).then_some(motion.tip);
        self.last = ServoOutput {
            force,
            body_force,
            tip: self.tip.unwrap_or_else(Vec3::zeros),
            connected: self.tip.is_some(),
            anchor,
            mode,
            fault: self.safety.fault,
            jump,
        };
        self.last
    }

    /// Resets to rest and clears a fault. Counts stay.
    pub fn reset(&mut self) {
        self.safety = SafetyState::default();
        self.tip = None;
        self.last = ServoOutput::default();
        self.stiffness = Mat3::zeros();
    }

    /// The last output.
    pub fn last(&self) -> &ServoOutput {
        &self.last
    }

    /// Largest change of force between two ticks beyond stiffness times motion, as a share of the largest force.
    pub fn force_jump(&self) -> f64 {
        if self.largest_force > 0.0 {
            self.largest_jump / self.largest_force
        } else {
            0.0
        }
    }

    /// Largest force on the body so far, N.
    pub fn largest_force(&self) -> f64 {
        self.largest_force
    }

    /// Contacts dropped because the tip jumped.
    pub fn jumps(&self) -> u64 {
        self.jumps
    }
}
