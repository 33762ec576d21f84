//! What every servo loop keeps of a tip from tick to tick: its place, the state of the limits, and the largest jump of its force.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfacePoint;

use crate::haptics::contact_force::{ContactForce, ContactMode};
use crate::haptics::device::DeviceSample;
use crate::haptics::servo::meter::PassivityMeter;
use crate::haptics::servo::safety::{SafetyLimits, SafetyState};

/// What a tick gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServoOutput {
    /// Force for the device, N, world.
    pub force: Vec3,
    /// Force of the contact on the body, N: what the body is drawn with.
    pub body_force: Vec3,
    /// Tip of the device, m; zeros while it is away.
    pub tip: Vec3,
    /// Whether the device is there.
    pub connected: bool,
    /// Anchor of a point contact on the resting skin.
    pub anchor: Option<SurfacePoint>,
    /// What the contact does.
    pub mode: ContactMode,
    /// Whether a value that is not finite has stopped the loop; its force stays zero.
    pub fault: bool,
    /// Change of force over the last tick that the motion of the tip does not explain, N.
    pub jump: f64,
}

impl Default for ServoOutput {
    fn default() -> Self {
        Self {
            force: Vec3::zeros(),
            body_force: Vec3::zeros(),
            tip: Vec3::zeros(),
            connected: false,
            anchor: None,
            mode: ContactMode::Open,
            fault: false,
            jump: 0.0,
        }
    }
}

/// How the tip came to where it is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TipMotion {
    /// Where it was at the last tick, m; `None` when it was not there or is not now.
    pub before: Option<Vec3>,
    /// Where it is, m.
    pub tip: Vec3,
    /// The motion between, m.
    pub step: Vec3,
    /// Whether that is too far for a hand: contact is lost.
    pub jumped: bool,
    is_number: bool,
    connected: bool,
}

impl TipMotion {
    /// From where to where, if a contact can be followed.
    pub fn followed(&self) -> Option<(Vec3, Vec3)> {
        self.before
            .filter(|_| !self.jumped)
            .map(|before| (before, self.tip))
    }

    /// The motion of a hand, m: a jump is none. No hand does the work of a jump, which would outweigh all that was felt.
    fn by_hand(&self) -> Vec3 {
        match self.jumped {
            true => Vec3::zeros(),
            false => self.step,
        }
    }
}

/// Damping above what a held spring gives back in a tick (Colgate and Schenkel 1997: `b > K T / 2`).
const DAMPING: f64 = 0.55;
/// Largest damping, N·s/m.
const MOST_DAMPING: f64 = 5.0;

/// Tip and force of a servo loop; small and copied freely.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ServoState {
    safety: SafetyState,
    tip: Option<Vec3>,
    last: ServoOutput,
    stiffness: Mat3,
    largest_jump: f64,
    largest_force: f64,
    teleports: u64,
}

impl ServoState {
    /// Begins a tick: takes the tip, see [`Self::work`] for the work of its motion. More than `largest_step` metres at once is a jump.
    pub fn begin(&mut self, sample: &DeviceSample, largest_step: f64) -> TipMotion {
        let tip = sample.tip;
        let is_number = tip.iter().all(|x| x.is_finite());
        let before = self.tip.filter(|_| sample.connected && is_number);
        let step = before.map_or_else(Vec3::zeros, |before| tip - before);
        let jumped = step.norm() > largest_step;
        self.teleports += u64::from(jumped);
        TipMotion {
            before,
            tip,
            step,
            jumped,
            is_number,
            connected: sample.connected,
        }
    }

    /// Work that the hand did against the force of the last tick, J; none in a jump.
    pub fn work(&self, motion: &TipMotion) -> f64 {
        -self.last.force.dot(&motion.by_hand())
    }

    /// Ends a tick of `tick` seconds, `elapsed` seconds after the last one: adds damping, applies limits, takes no more than the energy `left` (J) on
    /// the device's account, and measures how far the force jumped.
    pub fn finish(
        &mut self,
        motion: &TipMotion,
        contact: &ContactForce,
        (limits, tick): (&SafetyLimits, f64),
        elapsed: f64,
        (account, left): (&mut PassivityMeter, &mut f64),
    ) -> ServoOutput {
        let ContactForce {
            force: body_force,
            stiffness,
            anchor,
            mode,
        } = *contact;
        let size = stiffness.norm();
        let damping = (DAMPING * tick * size).min(MOST_DAMPING);
        let velocity = if elapsed > 0.0 {
            motion.by_hand() / elapsed.max(tick)
        } else {
            Vec3::zeros()
        };
        let mut wanted = -body_force - velocity * damping;
        if !motion.is_number {
            // the device gives no number: stop for good
            wanted = Vec3::repeat(f64::NAN);
        }
        let is_there = motion.connected && !motion.jumped;
        let mut force = self.safety.limit(limits, wanted, is_there, elapsed, tick);
        if !self.safety.fault {
            force = account.within(force, &motion.by_hand(), left);
            self.safety.note(force);
        }
        // what stiffness, before or after, times the motion of the tip explains
        let most = size.max(self.stiffness.norm());
        let change = (body_force - self.last.body_force).norm();
        let jump = (change - most * motion.step.norm()).max(0.0);
        self.largest_jump = self.largest_jump.max(jump);
        self.largest_force = self.largest_force.max(body_force.norm());
        self.stiffness = stiffness;
        self.tip = (motion.connected && motion.is_number).then_some(motion.tip);
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

    /// Back to rest; a fault is forgotten, counts are kept.
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

    /// Largest change of force between two ticks beyond what stiffness times motion explains, as a share of the largest force.
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
    pub fn teleports(&self) -> u64 {
        self.teleports
    }
}
