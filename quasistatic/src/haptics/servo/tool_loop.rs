//! The servo loop of whole tools: all nodes that they touch, by the local contact model. One tool, or the tips of a hand, which are coupled through
//! the body.

use std::hint::black_box;

use pliant_core::math::{Mat3, Vec3};

use crate::haptics::contact_force::ContactForce;
use crate::haptics::device::DeviceSample;
use crate::haptics::local::{LocalContact, LocalModel};
use crate::haptics::servo::force_loop::{ForceLoop, MAX_STEP_SHARE};
use crate::haptics::servo::meter::PassivityMeter;
use crate::haptics::servo::params::ServoParams;
use crate::haptics::servo::state::{ServoOutput, ServoState, TipMotion};

/// Source of the local models of a loop.
pub trait LocalModels: Send {
    /// Takes the newest model if there is one, without waiting.
    fn update(&mut self);

    /// The current model.
    fn model(&self) -> &LocalModel;
}

#[derive(Debug, Clone, Copy, Default)]
struct Tip {
    contact: LocalContact,
    state: ServoState,
    motion: TipMotion,
}

/// The servo loop of rigid tools that a device translates without rotation. Friction is that of the published models, constant between two of them.
#[derive(Debug)]
pub struct ToolLoop<M> {
    models: M,
    params: ServoParams,
    max_step: f64,
    tips: Vec<Tip>,
    /// of all tips together
    passivity: PassivityMeter,
    /// working memory of a tick
    warm_up_tips: Vec<Tip>,
    positions: Vec<Vec3>,
    forces: Vec<(Vec3, Mat3)>,
    outputs: Vec<ServoOutput>,
    /// whether the models were updated since the last tick
    updated: bool,
}

impl<M: LocalModels> ToolLoop<M> {
    /// A loop of `tools` tools at rest, on a body with a diagonal of `diagonal` metres.
    pub fn new(models: M, tools: usize, params: ServoParams, diagonal: f64) -> Self {
        Self {
            models,
            params,
            max_step: MAX_STEP_SHARE * diagonal,
            tips: vec![Tip::default(); tools],
            passivity: PassivityMeter::default(),
            warm_up_tips: vec![Tip::default(); tools],
            positions: vec![Vec3::zeros(); tools],
            forces: vec![(Vec3::zeros(), Mat3::zeros()); tools],
            outputs: vec![ServoOutput::default(); tools],
            updated: false,
        }
    }

    /// The source of its models.
    pub fn models(&mut self) -> &mut M {
        &mut self.models
    }
}

/// A tick of all tips; `positions` and `forces` are working memory. Never inlined, so that a warm-up loads the same code into the caches.
#[inline(never)]
fn step(
    model: &LocalModel,
    (params, max_step): (&ServoParams, f64),
    (tips, passivity): (&mut [Tip], &mut PassivityMeter),
    (positions, forces): (&mut [Vec3], &mut [(Vec3, Mat3)]),
    (samples, elapsed): (&[DeviceSample], f64),
    out: &mut [ServoOutput],
) {
    let mut work = 0.0;
    let each = tips.iter_mut().zip(samples).zip(positions.iter_mut());
    for (k, ((tip, sample), position)) in each.enumerate() {
        tip.motion = tip.state.start_tick(sample, max_step);
        work += tip.state.work(&tip.motion);
        // a disconnected tool keeps its position in the model until the next model
        let position_in_model = model.origins.get(k).copied().unwrap_or_else(Vec3::zeros);
        *position = tip
            .motion
            .followed()
            .map_or(position_in_model, |(_, tip)| tip);
    }
    passivity.add_work(work);
    model.forces(positions, forces);
    for ((tip, model_force), out) in tips.iter_mut().zip(forces).zip(out) {
        let found = match tip.motion.followed() {
            Some(_) => tip
                .contact
                .step(model.epoch, *model_force, elapsed, &params.limits),
            None => {
                tip.contact.release();
                ContactForce::default()
            }
        };
        *out = tip
            .state
            .finish_tick(&tip.motion, &found, params, elapsed, passivity);
    }
}

impl<M: LocalModels> ForceLoop for ToolLoop<M> {
    fn tips(&self) -> usize {
        self.tips.len()
    }

    fn tick(&mut self, samples: &[DeviceSample], elapsed: f64, out: &mut [ServoOutput]) {
        if !self.updated {
            self.models.update();
        }
        self.updated = false;
        step(
            self.models.model(),
            (&self.params, self.max_step),
            (&mut self.tips, &mut self.passivity),
            (&mut self.positions, &mut self.forces),
            (samples, elapsed),
            out,
        );
    }

    /// Also takes a new model, which comes from another core, because there is time for it here.
    fn warm_up(&mut self, samples: &[DeviceSample]) {
        self.models.update();
        self.updated = true;
        self.warm_up_tips.copy_from_slice(&self.tips);
        let mut passivity = self.passivity;
        step(
            self.models.model(),
            (&self.params, self.max_step),
            (&mut self.warm_up_tips, &mut passivity),
            (&mut self.positions, &mut self.forces),
            (samples, self.params.tick),
            &mut self.outputs,
        );
        black_box(&mut self.outputs);
    }

    fn state(&self, tip: usize) -> Option<&ServoState> {
        self.tips.get(tip).map(|tip| &tip.state)
    }

    fn stale_ticks(&self) -> u64 {
        self.tips.iter().map(|tip| tip.contact.stale_ticks()).sum()
    }

    fn passivity(&self) -> &PassivityMeter {
        &self.passivity
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;

    use super::*;

    /// A wall of 1000 N/m below zero, published anew every 16 ticks with another stiffness.
    struct Wall {
        updates: u64,
        model: LocalModel,
    }

    impl LocalModels for Wall {
        fn update(&mut self) {
            self.updates += 1;
            if self.updates % 16 == 1 {
                let stiffness = 1000.0 + 20.0 * (self.updates / 16 % 5) as f64;
                self.model = LocalModel {
                    epoch: self.updates,
                    origins: vec![Vec3::zeros()],
                    directions: vec![-Vec3::y()],
                    owners: vec![0],
                    forces: vec![0.0],
                    responses: vec![-Vec3::y() * stiffness],
                    friction: vec![Vec3::zeros()],
                };
            }
        }

        fn model(&self) -> &LocalModel {
            &self.model
        }
    }

    fn wall() -> ToolLoop<Wall> {
        let models = Wall {
            updates: 0,
            model: LocalModel::default(),
        };
        ToolLoop::new(models, 1, ServoParams::default(), 0.3)
    }

    fn tick_output(servo: &mut ToolLoop<Wall>, sample: DeviceSample) -> ServoOutput {
        let mut out = [ServoOutput::default()];
        servo.tick(&[sample], 1e-3, &mut out);
        out[0]
    }

    fn at(y: f64) -> DeviceSample {
        DeviceSample::at(Vec3::new(0.0, y, 0.0))
    }

    #[test]
    fn a_wall_that_changes_is_felt_without_jumps_and_gives_no_energy() {
        let mut servo = wall();
        for tick in 0..3_000 {
            let phase = f64::from(tick) * 0.004;
            tick_output(&mut servo, at(0.001 * phase.cos()));
        }
        let state = servo.state(0).expect("one tip");
        assert!((0.9..1.1).contains(&state.largest_force()), "{state:?}");
        assert!(state.force_jump() < 0.02, "{}", state.force_jump());
        assert_eq!(servo.passivity().violation, 0.0);
    }

    #[test]
    fn a_warm_up_changes_nothing_but_the_model() {
        let (mut plain, mut warmed_up) = (wall(), wall());
        for tick in 0..200 {
            let sample = at(0.001 * (f64::from(tick) * 0.03).cos());
            warmed_up.warm_up(&[sample]);
            let (a, b) = (
                tick_output(&mut plain, sample),
                tick_output(&mut warmed_up, sample),
            );
            assert_eq!(a, b, "tick {tick}");
        }
    }

    #[test]
    fn a_tool_that_jumps_or_goes_is_released() {
        let mut servo = wall();
        for _ in 0..50 {
            tick_output(&mut servo, at(-0.001));
        }
        let last = servo.state(0).expect("one tip").last();
        assert!(last.force.y > 0.5);
        assert_eq!(tick_output(&mut servo, at(0.2)).force, Vec3::zeros());
        tick_output(&mut servo, at(-0.001));
        let gone = DeviceSample {
            connected: false,
            ..at(-0.001)
        };
        assert_eq!(tick_output(&mut servo, gone).force, Vec3::zeros());
        let nan = tick_output(&mut servo, at(f64::NAN));
        assert!(nan.fault && nan.force == Vec3::zeros());
    }
}
