//! The servo loop of whole tools: all nodes that they touch, by the local contact model. One tool, or the tips of a hand, which feel each other through
//! the body.

use std::hint::black_box;

use pliant_core::math::{Mat3, Vec3};

use crate::haptics::contact_force::ContactForce;
use crate::haptics::device::DeviceSample;
use crate::haptics::local::{LocalContact, LocalModel};
use crate::haptics::servo::force_loop::{ForceLoop, LARGEST_STEP, ServoParams};
use crate::haptics::servo::meter::PassivityMeter;
use crate::haptics::servo::state::{ServoOutput, ServoState, TipMotion};

/// Where a loop gets local models from.
pub trait LocalModels: Send {
    /// Takes over the newest model if there is one, without waiting.
    fn update(&mut self);

    /// The model taken over last.
    fn model(&self) -> &LocalModel;
}

#[derive(Debug, Clone, Copy, Default)]
struct Tip {
    contact: LocalContact,
    state: ServoState,
    motion: TipMotion,
}

/// The servo loop of rigid tools that are shifted, not turned, by a device. Friction is that of the published models, constant between two of them.
#[derive(Debug)]
pub struct ToolLoop<M> {
    models: M,
    params: ServoParams,
    largest_step: f64,
    tips: Vec<Tip>,
    /// of all tips together
    passivity: PassivityMeter,
    /// memory of a tick
    rehearsed: Vec<Tip>,
    positions: Vec<Vec3>,
    forces: Vec<(Vec3, Mat3)>,
    outputs: Vec<ServoOutput>,
    /// the models were looked at since the last tick
    updated: bool,
}

impl<M: LocalModels> ToolLoop<M> {
    /// A loop of `tools` tools at rest, beside a body with a diagonal of `diagonal` metres.
    pub fn new(models: M, tools: usize, params: ServoParams, diagonal: f64) -> Self {
        Self {
            models,
            params,
            largest_step: LARGEST_STEP * diagonal,
            tips: vec![Tip::default(); tools],
            passivity: PassivityMeter::default(),
            rehearsed: vec![Tip::default(); tools],
            positions: vec![Vec3::zeros(); tools],
            forces: vec![(Vec3::zeros(), Mat3::zeros()); tools],
            outputs: vec![ServoOutput::default(); tools],
            updated: false,
        }
    }

    /// Where its models come from.
    pub fn models(&mut self) -> &mut M {
        &mut self.models
    }
}

/// A tick of all tips; `positions` and `forces` are memory. Never inlined, so that a rehearsal warms what the tick runs through.
#[inline(never)]
fn step(
    model: &LocalModel,
    (params, largest_step): (&ServoParams, f64),
    (tips, passivity): (&mut [Tip], &mut PassivityMeter),
    (positions, forces): (&mut [Vec3], &mut [(Vec3, Mat3)]),
    (samples, elapsed): (&[DeviceSample], f64),
    out: &mut [ServoOutput],
) {
    let mut work = 0.0;
    let each = tips.iter_mut().zip(samples).zip(positions.iter_mut());
    for (k, ((tip, sample), position)) in each.enumerate() {
        tip.motion = tip.state.begin(sample, largest_step);
        work += tip.state.work(&tip.motion);
        // a tool that is not there presses as it did when the model was made, until the next one
        let rest = model.origins.get(k).copied().unwrap_or_else(Vec3::zeros);
        *position = tip.motion.followed().map_or(rest, |(_, tip)| tip);
    }
    passivity.add_work(work);
    let mut left = passivity.energy.max(0.0);
    model.forces(positions, forces);
    for ((tip, said), out) in tips.iter_mut().zip(forces).zip(out) {
        let found = match tip.motion.followed() {
            Some(_) => tip
                .contact
                .step(model.epoch, *said, elapsed, &params.limits),
            None => {
                tip.contact.release();
                ContactForce::NONE
            }
        };
        *out = tip.state.finish(
            &tip.motion,
            &found,
            (&params.limits, params.tick),
            elapsed,
            (passivity, &mut left),
        );
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
            (&self.params, self.largest_step),
            (&mut self.tips, &mut self.passivity),
            (&mut self.positions, &mut self.forces),
            (samples, elapsed),
            out,
        );
    }

    /// A new model comes from another core: it is fetched here, where there is time.
    fn rehearse(&mut self, samples: &[DeviceSample]) {
        self.models.update();
        self.updated = true;
        self.rehearsed.copy_from_slice(&self.tips);
        let mut passivity = self.passivity;
        step(
            self.models.model(),
            (&self.params, self.largest_step),
            (&mut self.rehearsed, &mut passivity),
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
        looks: u64,
        model: LocalModel,
    }

    impl LocalModels for Wall {
        fn update(&mut self) {
            self.looks += 1;
            if self.looks % 16 == 1 {
                let stiffness = 1000.0 + 20.0 * (self.looks / 16 % 5) as f64;
                self.model = LocalModel {
                    epoch: self.looks,
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
            looks: 0,
            model: LocalModel::default(),
        };
        ToolLoop::new(models, 1, ServoParams::default(), 0.3)
    }

    fn felt(servo: &mut ToolLoop<Wall>, sample: DeviceSample) -> ServoOutput {
        let mut out = [ServoOutput::default()];
        servo.tick(&[sample], 1e-3, &mut out);
        out[0]
    }

    fn at(y: f64) -> DeviceSample {
        DeviceSample {
            tip: Vec3::new(0.0, y, 0.0),
            connected: true,
        }
    }

    #[test]
    fn a_wall_that_changes_is_felt_without_jumps_and_gives_no_energy() {
        let mut servo = wall();
        for tick in 0..3_000 {
            let phase = f64::from(tick) * 0.004;
            felt(&mut servo, at(0.001 * phase.cos()));
        }
        let state = servo.state(0).expect("one tip");
        assert!((0.9..1.1).contains(&state.largest_force()), "{state:?}");
        assert!(state.force_jump() < 0.02, "{}", state.force_jump());
        assert_eq!(servo.passivity().violation, 0.0);
    }

    #[test]
    fn a_rehearsal_changes_nothing_but_the_model() {
        let (mut plain, mut rehearsed) = (wall(), wall());
        for tick in 0..200 {
            let sample = at(0.001 * (f64::from(tick) * 0.03).cos());
            rehearsed.rehearse(&[sample]);
            let (a, b) = (felt(&mut plain, sample), felt(&mut rehearsed, sample));
            assert_eq!(a, b, "tick {tick}");
        }
    }

    #[test]
    fn a_tool_that_jumps_or_goes_is_released() {
        let mut servo = wall();
        for _ in 0..50 {
            felt(&mut servo, at(-0.001));
        }
        let last = servo.state(0).expect("one tip").last();
        assert!(last.force.y > 0.5);
        assert_eq!(felt(&mut servo, at(0.2)).force, Vec3::zeros());
        felt(&mut servo, at(-0.001));
        let gone = DeviceSample {
            connected: false,
            ..at(-0.001)
        };
        assert_eq!(felt(&mut servo, gone).force, Vec3::zeros());
        let nan = felt(&mut servo, at(f64::NAN));
        assert!(nan.fault && nan.force == Vec3::zeros());
    }
}
