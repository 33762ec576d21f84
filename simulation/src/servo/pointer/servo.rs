//! The servo thread of the pointer, which runs while the pointer holds the tool, and the results of its ticks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, bounded};
use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::meter::TimeMeter;
use pliant_quasistatic::haptics::safety::SafetyLimits;
use pliant_quasistatic::haptics::{LocalModel, ServoOutput, ServoParams, ToolLoop};

use super::device::{PointerDevice, TickResult};
use super::place::PointerPlace;
use crate::servo::report::ServoRun;
use crate::servo::thread::{Published, servo_thread};
use crate::threads::handover::{HandoverWriter, handover};

/// Most ticks that wait for the simulation thread; later ones are only counted.
const MAX_QUEUED_TICKS: usize = 4096;
/// Duration of a run that is ended by `stop`, s.
const UNLIMITED_SECONDS: f64 = 1e9;

/// The force on a hand at the pointer, and the timing of the servo loop.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ForceFeedback {
    /// Whether the pointer holds the tool.
    pub held: bool,
    /// Force on the hand, N.
    pub force: Vec3,
    /// Tip, m.
    pub tip: Vec3,
    /// Sizes of the force in the ticks of the last frame, N, oldest first.
    pub recent: Vec<f32>,
    /// Ticks that were due since the scene was opened, and those of them that began more than 0.2 ms late or were swallowed by a stall.
    pub ticks: u64,
    /// See `ticks`.
    pub late_ticks: u64,
    /// Work of a tick, µs: the median and the 99.9th percentile.
    pub work_us: [f64; 2],
    /// Time from a motion of the pointer to the first force after it, ms: the median and the 99th percentile.
    pub latency_ms: [f64; 2],
}

/// The servo thread of the tool that follows the pointer.
pub(crate) struct PointerServo {
    place: PointerPlace,
    diagonal: f64,
    running: Option<Running>,
    epoch: u64,
    work: TimeMeter,
    latency: TimeMeter,
    /// ticks, and late ones, of threads that have ended
    earlier_ticks: (u64, u64),
    force_feedback: ForceFeedback,
    /// sizes of the force since the last frame, N
    sizes: Vec<f32>,
}

struct Running {
    stop: Arc<AtomicBool>,
    models: HandoverWriter<LocalModel>,
    ticks: Receiver<TickResult>,
    thread: JoinHandle<()>,
}

impl PointerServo {
    /// Nothing runs yet; `diagonal` is that of the body, m.
    pub fn new(place: PointerPlace, diagonal: f64) -> Self {
        Self {
            place,
            diagonal,
            running: None,
            epoch: 0,
            work: TimeMeter::default(),
            latency: TimeMeter::default(),
            earlier_ticks: (0, 0),
            force_feedback: ForceFeedback::default(),
            sizes: Vec::new(),
        }
    }

    /// Publishes the local contact model of a frame, which `write` fills in if there is one. The thread runs while the pointer holds the tool.
    pub fn frame(&mut self, held: bool, write: impl FnOnce(&mut LocalModel) -> bool) {
        self.receive_ticks();
        std::mem::swap(&mut self.force_feedback.recent, &mut self.sizes);
        self.sizes.clear();
        if !held {
            self.end();
            return;
        }
        if self.running.is_none() {
            self.begin();
        }
        let Some(running) = &mut self.running else {
            return;
        };
        let model = running.models.buffer();
        if write(model) {
            self.epoch += 1;
            model.epoch = self.epoch;
            running.models.publish();
        }
    }

    fn begin(&mut self) {
        let params = ServoParams {
            // a pointer has no motor to protect; ticks that a busy machine misses are counted
            limits: SafetyLimits {
                force: f64::INFINITY,
                slew: f64::INFINITY,
                missed: u32::MAX,
                ..SafetyLimits::default()
            },
            ..ServoParams::default()
        };
        let (models, published) = handover(LocalModel::default());
        let servo = ToolLoop::new(Published(published), 1, params, self.diagonal);
        let (sender, ticks) = bounded(MAX_QUEUED_TICKS);
        let mut device = PointerDevice::new(self.place.clone(), sender, params.tick);
        let run = ServoRun {
            seconds: UNLIMITED_SECONDS,
            tick: params.tick,
            trace: false,
        };
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::Builder::new()
            .name("servo".into())
            .spawn(move || {
                // what it gives is shown tick by tick
                let (outputs, _shown) = handover(vec![ServoOutput::default(); 1]);
                servo_thread(servo, &mut device, &run, outputs, &stopped);
            });
        // without a thread nothing is felt, and the picture goes on
        self.running = thread.ok().map(|thread| Running {
            stop,
            models,
            ticks,
            thread,
        });
        self.force_feedback.held = self.running.is_some();
    }

    fn end(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        running.stop.store(true, Ordering::Release);
        // at most a tick
        let _ = running.thread.join();
        let last = self.drain(&running.ticks);
        self.force_feedback.held = false;
        self.force_feedback.force = Vec3::zeros();
        if let Some(last) = last {
            self.earlier_ticks.0 += last.ticks;
            self.earlier_ticks.1 += last.late;
        }
    }

    /// Counts the ticks that have come; returns the last of them.
    fn drain(&mut self, ticks: &Receiver<TickResult>) -> Option<TickResult> {
        let mut last = None;
        while let Ok(tick) = ticks.try_recv() {
            self.work.record(tick.work);
            if let Some(latency) = tick.latency {
                self.latency.record(latency);
            }
            self.sizes.push(tick.force.norm() as f32);
            last = Some(tick);
        }
        if let Some(tick) = &last {
            (self.force_feedback.force, self.force_feedback.tip) = (tick.force, tick.tip);
            self.force_feedback.ticks = self.earlier_ticks.0 + tick.ticks;
            self.force_feedback.late_ticks = self.earlier_ticks.1 + tick.late;
        }
        last
    }

    /// Receives pending ticks.
    fn receive_ticks(&mut self) {
        if let Some(running) = self.running.take() {
            self.drain(&running.ticks);
            self.running = Some(running);
        }
    }

    /// The current force on the hand, and the timing so far.
    pub fn force_feedback(&mut self) -> &ForceFeedback {
        self.receive_ticks();
        let quantiles = |meter: &TimeMeter, shares: [f64; 2]| shares.map(|s| meter.quantile_us(s));
        self.force_feedback.work_us = quantiles(&self.work, [0.5, 0.999]);
        self.force_feedback.latency_ms = quantiles(&self.latency, [0.5, 0.99]).map(|us| us * 1e-3);
        &self.force_feedback
    }
}

impl Drop for PointerServo {
    fn drop(&mut self) {
        self.end();
    }
}
