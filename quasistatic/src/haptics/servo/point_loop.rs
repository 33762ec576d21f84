//! The servo loop of a point contact: tip in, force out.

use std::hint::black_box;
use std::sync::Arc;

use pliant_core::mesh::TriangleTree;

use crate::haptics::contact_force::ContactForce;
use crate::haptics::device::DeviceSample;
use crate::haptics::error::HapticError;
use crate::haptics::proxy::PointContact;
use crate::haptics::servo::force_loop::{ForceLoop, MAX_STEP_SHARE};
use crate::haptics::servo::meter::PassivityMeter;
use crate::haptics::servo::params::ServoParams;
use crate::haptics::servo::state::{ServoOutput, ServoState};
use crate::haptics::surface::HapticSurface;

/// The servo loop of one tip on one body: constant model, small state, no clock, no allocation in a tick.
#[derive(Debug, Clone)]
pub struct ServoLoop {
    surface: Arc<HapticSurface>,
    tree: TriangleTree,
    params: ServoParams,
    max_step: f64,
    now: PointState,
}

/// The state that a tick changes.
#[derive(Debug, Clone, Copy, Default)]
struct PointState {
    contact: PointContact,
    tip: ServoState,
    passivity: PassivityMeter,
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
            max_step: MAX_STEP_SHARE * skin.bounds().diagonal(),
            params,
            now: PointState::default(),
            surface,
        })
    }

    /// A tick on the given state. Never inlined, so that a warm-up loads the same code into the caches.
    #[inline(never)]
    fn step(&self, now: &mut PointState, sample: &DeviceSample, elapsed: f64) -> ServoOutput {
        let PointState {
            contact,
            tip: state,
            passivity,
        } = now;
        let motion = state.start_tick(sample, self.max_step);
        passivity.add_work(state.work(&motion));
        let found = match motion.followed() {
            Some((before, tip)) => {
                let friction = self.params.friction;
                let (force, stiffness) =
                    contact.step(&self.surface, &self.tree, friction, &before, &tip);
                ContactForce {
                    force,
                    stiffness,
                    anchor: contact.anchor,
                    mode: contact.mode,
                }
            }
            None => {
                *contact = PointContact::default();
                ContactForce::default()
            }
        };
        state.finish_tick(&motion, &found, &self.params, elapsed, passivity)
    }

    /// Computes the force of the tip, `elapsed` seconds after the last tick.
    pub fn tick(&mut self, sample: &DeviceSample, elapsed: f64) -> ServoOutput {
        let mut now = self.now;
        let output = self.step(&mut now, sample, elapsed);
        self.now = now;
        output
    }

    /// Resets to rest and clears a fault.
    pub fn reset(&mut self) {
        self.now.contact = PointContact::default();
        self.now.tip.reset();
    }

    /// Last output and counts.
    pub fn state(&self) -> &ServoState {
        &self.now.tip
    }

    /// The body.
    pub fn surface(&self) -> &Arc<HapticSurface> {
        &self.surface
    }
}

impl ForceLoop for ServoLoop {
    fn tick(&mut self, samples: &[DeviceSample], elapsed: f64, out: &mut [ServoOutput]) {
        if let (Some(sample), Some(out)) = (samples.first(), out.first_mut()) {
            *out = Self::tick(self, sample, elapsed);
        }
    }

    fn warm_up(&mut self, samples: &[DeviceSample]) {
        let mut now = self.now;
        if let Some(sample) = samples.first() {
            black_box(self.step(&mut now, sample, self.params.tick));
        }
    }

    fn state(&self, tip: usize) -> Option<&ServoState> {
        (tip == 0).then_some(&self.now.tip)
    }

    fn passivity(&self) -> &PassivityMeter {
        &self.now.passivity
    }
}
