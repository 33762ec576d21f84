//! One tick of force feedback: tip in, force out.

use std::sync::Arc;

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SurfacePoint, TriangleTree};

use crate::haptics::device::DeviceSample;
use crate::haptics::error::HapticError;
use crate::haptics::meter::PassivityMeter;
use crate::haptics::proxy::{ContactMode, PointContact, PointFriction};
use crate::haptics::safety::{SafetyLimits, SafetyState};
use crate::haptics::surface::HapticSurface;

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

/// What a tick gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServoOutput {
    /// Force for the device, N, world.
    pub force: Vec3,
    /// Force of the contact on the body, N: what the body is drawn with.
    pub body_force: Vec3,
    /// Anchor of the contact on the resting skin.
    pub anchor: Option<SurfacePoint>,
    /// What the contact does.
    pub mode: ContactMode,
    /// Whether a number that is none has stopped the loop; it stays at zero force.
    pub fault: bool,
    /// Change of force over the last tick that the motion of the tip does not explain, N.
    pub jump: f64,
}

impl Default for ServoOutput {
    fn default() -> Self {
        Self {
            force: Vec3::zeros(),
            body_force: Vec3::zeros(),
            anchor: None,
            mode: ContactMode::Open,
            fault: false,
            jump: 0.0,
        }
    }
}

/// Share of the skin's diagonal that a tip cannot jump over in a tick.
const TELEPORT: f64 = 0.2;
/// Damping above what a held spring gives back in a tick (Colgate and Schenkel 1997: `b > K T / 2`).
const DAMPING: f64 = 0.55;
/// Largest damping, N·s/m.
const MOST_DAMPING: f64 = 5.0;

/// The servo loop of one tip on one body: constant model, small state, no clock, no allocation in a tick.
#[derive(Debug, Clone)]
pub struct ServoLoop {
    surface: Arc<HapticSurface>,
    tree: TriangleTree,
    params: ServoParams,
    contact: PointContact,
    safety: SafetyState,
    passivity: PassivityMeter,
    tip: Option<Vec3>,
    last: ServoOutput,
    stiffness: Mat3,
    largest_jump: f64,
    largest_force: f64,
    teleport: f64,
    /// Contacts dropped because the tip jumped.
    pub teleports: u64,
}

impl ServoLoop {
    /// A loop at rest.
    ///
    /// # Errors
    /// [`HapticError::Friction`].
    pub fn new(surface: Arc<HapticSurface>, params: ServoParams) -> Result<Self, HapticError> {
        params.friction.checked()?;
        let skin = surface.skin();
        Ok(Self {
            tree: TriangleTree::new(&skin.positions, &skin.triangles),
            teleport: TELEPORT * skin.bounds().diagonal(),
            params,
            contact: PointContact::default(),
            safety: SafetyState::default(),
            passivity: PassivityMeter::default(),
            tip: None,
            last: ServoOutput::default(),
            stiffness: Mat3::zeros(),
            largest_jump: 0.0,
            largest_force: 0.0,
            teleports: 0,
            surface,
        })
    }

    /// Takes the tip and gives the force, `elapsed` seconds after the last tick.
    pub fn tick(&mut self, sample: &DeviceSample, elapsed: f64) -> ServoOutput {
        let tip = sample.tip;
        let is_number = tip.iter().all(|x| x.is_finite());
        let before = self.tip.filter(|_| sample.connected && is_number);
        let step = before.map_or_else(Vec3::zeros, |before| tip - before);
        if before.is_some() {
            self.passivity.observe(&self.last.force, &step);
        }
        let jumped = step.norm() > self.teleport;
        self.teleports += u64::from(jumped);
        if before.is_none() || jumped {
            self.contact = PointContact::default();
        }
        let (body_force, stiffness) = match before {
            Some(before) if !jumped => self.contact.step(
                &self.surface,
                &self.tree,
                self.params.friction,
                &before,
                &tip,
            ),
            _ => (Vec3::zeros(), Mat3::zeros()),
        };
        let damping = (DAMPING * self.params.tick * stiffness.norm()).min(MOST_DAMPING);
        let velocity = if elapsed > 0.0 {
            step / elapsed.max(self.params.tick)
        } else {
            Vec3::zeros()
        };
        let mut wanted = -body_force - velocity * damping;
        if !is_number {
            // the device says nonsense: latch
            wanted = Vec3::repeat(f64::NAN);
        }
        let limits = &self.params.limits;
        let is_there = sample.connected && !jumped;
        let mut force = self
            .safety
            .limit(limits, wanted, is_there, elapsed, self.params.tick);
        if !self.safety.fault {
            force = self.passivity.controlled(force, &step);
            self.safety.note(force);
        }
        // what stiffness, before or after, times the motion of the tip explains
        let most = stiffness.norm().max(self.stiffness.norm());
        let change = (body_force - self.last.body_force).norm();
        let jump = (change - most * step.norm()).max(0.0);
        self.largest_jump = self.largest_jump.max(jump);
        self.largest_force = self.largest_force.max(body_force.norm());
        self.stiffness = stiffness;
        self.tip = (sample.connected && is_number).then_some(tip);
        self.last = ServoOutput {
            force,
            body_force,
            anchor: self.contact.anchor,
            mode: self.contact.mode,
            fault: self.safety.fault,
            jump,
        };
        self.last
    }

    /// Back to rest; a fault is forgotten.
    pub fn reset(&mut self) {
        self.contact = PointContact::default();
        self.safety = SafetyState::default();
        self.tip = None;
        self.last = ServoOutput::default();
        self.stiffness = Mat3::zeros();
    }

    /// The energy account of the device.
    pub fn passivity(&self) -> &PassivityMeter {
        &self.passivity
    }

    /// Limits, ramp and watchdog.
    pub fn safety(&self) -> &SafetyState {
        &self.safety
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

    /// The body.
    pub fn surface(&self) -> &Arc<HapticSurface> {
        &self.surface
    }
}
