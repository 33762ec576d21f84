//! One tick of the servo loop: sample the device, compute the force, give it to the device, tell the slower thread.
//!
//! A warm-up runs the same code without effects outside. After a millisecond of other programs the first pass through this code takes several times as
//! long as the second, because code, constants and branches have left the near caches.

use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::{DeviceSample, ForceLoop, HapticDevice, ServoOutput};

use crate::threads::handover::HandoverWriter;

/// What a tick works on.
pub(super) struct ServoTick<'a, L> {
    servo: L,
    device: &'a mut (dyn HapticDevice + Send),
    writer: HandoverWriter<Vec<ServoOutput>>,
    /// Of this tick and of the one before.
    samples: Vec<DeviceSample>,
    before: Vec<DeviceSample>,
    /// Positions of the tips at the next tick, extrapolated.
    predicted: Vec<DeviceSample>,
    outputs: Vec<ServoOutput>,
    forces: Vec<Vec3>,
}

impl<'a, L: ForceLoop> ServoTick<'a, L> {
    /// Before the first tick; the device is sampled once.
    pub fn new(
        servo: L,
        device: &'a mut (dyn HapticDevice + Send),
        writer: HandoverWriter<Vec<ServoOutput>>,
    ) -> Self {
        let tips = servo.tips();
        let mut samples = vec![DeviceSample::AWAY; tips];
        device.sample_all(0.0, &mut samples);
        Self {
            servo,
            device,
            writer,
            before: samples.clone(),
            predicted: samples.clone(),
            samples,
            outputs: vec![ServoOutput::default(); tips],
            forces: vec![Vec3::zeros(); tips],
        }
    }

    /// The tick at `time` (s since the loop began), `elapsed` seconds after the last.
    pub fn run(&mut self, time: f64, elapsed: f64) {
        self.pass(time, elapsed, true);
    }

    /// Runs the code of the tick at `time` without effects.
    pub fn warm_up(&mut self, time: f64) {
        self.pass(time, 0.0, false);
    }

    /// One pass through the code of a tick. Never inlined: a warm-up in a copy of the code would warm the copy.
    #[inline(never)]
    fn pass(&mut self, time: f64, elapsed: f64, is_real: bool) {
        if is_real {
            self.before.copy_from_slice(&self.samples);
            self.device.sample_all(time, &mut self.samples);
            self.servo.tick(&self.samples, elapsed, &mut self.outputs);
        } else {
            self.device.warm_up(time);
            let steps = self.samples.iter().zip(&self.before);
            for (next, (now, before)) in self.predicted.iter_mut().zip(steps) {
                *next = *now;
                if before.connected {
                    next.tip += now.tip - before.tip;
                }
            }
            self.servo.warm_up(&self.predicted);
        }
        for (force, output) in self.forces.iter_mut().zip(&self.outputs) {
            *force = output.force;
        }
        if is_real {
            self.device.apply_all(&self.forces);
        }
        self.writer.buffer().copy_from_slice(&self.outputs);
        if is_real {
            self.writer.try_publish();
        }
    }

    /// The outputs of the last tick, and the sample of the first tip.
    pub fn last(&self) -> (&[ServoOutput], Option<&DeviceSample>) {
        (&self.outputs, self.samples.first())
    }

    /// The loop behind it, for its counts.
    pub fn servo(&self) -> &L {
        &self.servo
    }

    /// Sets the forces of the device to zero.
    pub fn release(&mut self) {
        self.forces.fill(Vec3::zeros());
        self.device.apply_all(&self.forces);
    }
}

#[cfg(test)]
mod tests {
    use pliant_quasistatic::haptics::ServoState;
    use pliant_quasistatic::haptics::meter::PassivityMeter;

    use super::*;
    use crate::threads::handover::handover;

    /// A spring that knows what it was asked.
    #[derive(Default)]
    struct Spring {
        ticks: Vec<(Vec3, f64)>,
        warmed_up: Vec<Vec3>,
        passivity: PassivityMeter,
    }

    impl ForceLoop for Spring {
        fn tick(&mut self, samples: &[DeviceSample], elapsed: f64, out: &mut [ServoOutput]) {
            self.ticks.push((samples[0].tip, elapsed));
            out[0].force = samples[0].tip * -10.0;
        }

        fn warm_up(&mut self, samples: &[DeviceSample]) {
            self.warmed_up.push(samples[0].tip);
        }

        fn state(&self, _: usize) -> Option<&ServoState> {
            None
        }

        fn passivity(&self) -> &PassivityMeter {
            &self.passivity
        }
    }

    /// A tip that goes along x, and remembers its forces.
    #[derive(Default)]
    struct Moving {
        sampled_at: Vec<f64>,
        warmed_up: Vec<f64>,
        forces: Vec<Vec3>,
    }

    impl HapticDevice for Moving {
        fn sample(&mut self, time: f64) -> DeviceSample {
            self.sampled_at.push(time);
            DeviceSample::at(Vec3::x() * time)
        }

        fn apply(&mut self, force: &Vec3) {
            self.forces.push(*force);
        }

        fn warm_up(&mut self, time: f64) {
            self.warmed_up.push(time);
        }
    }

    #[test]
    fn a_warm_up_extrapolates_and_has_no_effects() {
        let (writer, mut reader) = handover(vec![ServoOutput::default()]);
        let mut device = Moving::default();
        let mut tick = ServoTick::new(Spring::default(), &mut device, writer);
        tick.run(1.0, 0.5);
        assert!(reader.try_update());
        tick.warm_up(2.0);
        tick.warm_up(2.0);
        assert!(!reader.try_update(), "a warm-up published");
        assert_eq!(tick.last().0[0].force.x, -10.0);
        tick.run(2.0, 1.0);
        assert!(reader.try_update() && reader.value()[0].force.x == -20.0);
        let servo = tick.servo();
        assert_eq!(servo.ticks, [(Vec3::x(), 0.5), (Vec3::x() * 2.0, 1.0)]);
        // where the tip goes on to
        assert_eq!(servo.warmed_up, [Vec3::x() * 2.0; 2]);
        tick.release();
        assert_eq!(device.sampled_at, [0.0, 1.0, 2.0]);
        assert_eq!(device.warmed_up, [2.0, 2.0]);
        let forces: Vec<f64> = device.forces.iter().map(|force| force.x).collect();
        assert_eq!(forces, [-10.0, -20.0, 0.0]);
    }
}
