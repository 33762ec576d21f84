//! The pointer of a window as a device of force feedback: it says where the tool is, and shows what a hand would feel.
//!
//! The servo thread runs while the pointer holds the tool. The simulation thread publishes a local contact model after each of its frames, made of the same model and the same contact as the
//! picture; between two of them the force follows the pointer once a millisecond.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::meter::TimeMeter;
use pliant_quasistatic::haptics::safety::SafetyLimits;
use pliant_quasistatic::haptics::{
    DeviceSample, HapticDevice, LocalModel, ServoOutput, ServoParams, ToolLoop,
};

use super::tool_body::Published;
use super::{Pace, ServoRun, servo_thread};
use crate::handover::{HandoverWriter, handover};

/// Time over which the tip goes to where the pointer was seen last, s: a window says so once a frame, and the hand moves in between.
const GLIDE: f64 = 1.0 / 60.0;
/// Ticks that may wait for the simulation thread; what comes after them is only counted.
const MOST_WAITING: usize = 4096;
/// The servo thread ends by itself when it is told to, long before this, s.
const FOREVER: f64 = 1e9;

/// Where the pointer was seen last; clones share it. The window writes, the servo thread reads when nobody else does.
#[derive(Debug, Clone)]
pub struct PointerPlace(Arc<Mutex<Seen>>);

#[derive(Debug, Clone, Copy)]
struct Seen {
    place: Option<Vec3>,
    at: Instant,
    number: u64,
}

impl Default for PointerPlace {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Seen {
            place: None,
            at: Instant::now(),
            number: 0,
        })))
    }
}

impl PointerPlace {
    /// The tool that follows the pointer is at `place` (m) now; `None` where nobody holds it.
    pub fn set(&self, place: Option<Vec3>) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.place = place;
        seen.at = Instant::now();
        seen.number += 1;
    }

    /// The newest, unless it is being written.
    fn look(&self) -> Option<Seen> {
        match self.0.try_lock() {
            Ok(seen) => Some(*seen),
            Err(TryLockError::Poisoned(poisoned)) => Some(*poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// What a tick gave.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FeltTick {
    tip: Vec3,
    force: Vec3,
    /// ns
    work: u64,
    /// from the pointer to this force where it is the first that knows of a new place, ns
    latency: Option<u64>,
    ticks: u64,
    late: u64,
}

/// The pointer: the tip glides to where it was seen last, and the force goes to whoever shows it.
struct PointerDevice {
    place: PointerPlace,
    sender: Sender<FeltTick>,
    seen: u64,
    /// begin of the present glide: when, from where, and where to
    glide: Option<(f64, Vec3, Vec3)>,
    tip: Option<Vec3>,
    fresh: Option<Instant>,
    begun: Instant,
    pace: Pace,
    ticks: u64,
}

impl PointerDevice {
    fn new(place: PointerPlace, sender: Sender<FeltTick>, tick: f64) -> Self {
        let now = Instant::now();
        Self {
            place,
            sender,
            seen: 0,
            glide: None,
            tip: None,
            fresh: None,
            begun: now,
            pace: Pace::new(now, Duration::from_secs_f64(tick)),
            ticks: 0,
        }
    }
}

impl HapticDevice for PointerDevice {
    fn sample(&mut self, time: f64) -> DeviceSample {
        self.begun = Instant::now();
        if self.ticks == 0 {
            self.pace = self.pace.clone().starting_at(self.begun);
        } else {
            self.pace.begins(self.begun);
        }
        self.ticks += 1;
        if let Some(seen) = self.place.look().filter(|seen| seen.number != self.seen) {
            self.seen = seen.number;
            self.fresh = Some(seen.at);
            self.glide = seen
                .place
                .map(|goal| (time, self.tip.unwrap_or(goal), goal));
        }
        self.tip = self.glide.map(|(since, from, goal)| {
            let share = ((time - since) / GLIDE).clamp(0.0, 1.0);
            from + (goal - from) * share
        });
        self.tip.map_or(DeviceSample::AWAY, |tip| DeviceSample {
            tip,
            connected: true,
        })
    }

    fn apply(&mut self, force: &Vec3) {
        let now = Instant::now();
        let nanoseconds = |since: Instant| now.saturating_duration_since(since).as_nanos() as u64;
        // a full channel belongs to a window that stands still: the count of ticks tells
        let _ = self.sender.try_send(FeltTick {
            tip: self.tip.unwrap_or_else(Vec3::zeros),
            force: *force,
            work: nanoseconds(self.begun),
            latency: self.fresh.take().map(nanoseconds),
            ticks: self.ticks,
            late: self.pace.late(),
        });
    }
}

/// What a hand at the pointer would feel, and how punctually.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Felt {
    /// Whether the pointer holds the tool.
    pub held: bool,
    /// Force on the hand, N.
    pub force: Vec3,
    /// Tip, m.
    pub tip: Vec3,
    /// Sizes of the force in the ticks of the last frame, N, oldest first.
    pub recent: Vec<f32>,
    /// Ticks since the scene was opened, and those of them that began more than 0.2 ms late or were swallowed by a stall.
    pub ticks: u64,
    /// See `ticks`.
    pub late_ticks: u64,
    /// Work of a tick that half of them, and all but one in a thousand, stay within, µs.
    pub work_us: [f64; 2],
    /// From a motion of the pointer to the first force that knows of it: half of them, and all but one in a hundred, stay within this, ms.
    pub latency_ms: [f64; 2],
}

/// The servo thread of the tool that follows the pointer.
pub struct PointerServo {
    place: PointerPlace,
    diagonal: f64,
    running: Option<Running>,
    epoch: u64,
    work: TimeMeter,
    latency: TimeMeter,
    /// ticks, and late ones, of threads that have ended
    before: (u64, u64),
    felt: Felt,
    /// sizes of the force since the last frame, N
    sizes: Vec<f32>,
}

struct Running {
    stop: Arc<AtomicBool>,
    models: HandoverWriter<LocalModel>,
    ticks: Receiver<FeltTick>,
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
            before: (0, 0),
            felt: Felt::default(),
            sizes: Vec::new(),
        }
    }

    /// A frame is done: `write` fills in its local contact model, if there is one. The thread is begun where the pointer holds the tool and ended where it does not.
    pub fn frame(&mut self, held: bool, write: impl FnOnce(&mut LocalModel) -> bool) {
        self.look();
        std::mem::swap(&mut self.felt.recent, &mut self.sizes);
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
        let (sender, ticks) = bounded(MOST_WAITING);
        let mut device = PointerDevice::new(self.place.clone(), sender, params.tick);
        let run = ServoRun {
            seconds: FOREVER,
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
        self.felt.held = self.running.is_some();
    }

    fn end(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        running.stop.store(true, Ordering::Release);
        // at most a tick
        let _ = running.thread.join();
        let last = self.drain(&running.ticks);
        self.felt.held = false;
        self.felt.force = Vec3::zeros();
        if let Some(last) = last {
            self.before.0 += last.ticks;
            self.before.1 += last.late;
        }
    }

    /// Books the ticks that are there; the last of them.
    fn drain(&mut self, ticks: &Receiver<FeltTick>) -> Option<FeltTick> {
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
            (self.felt.force, self.felt.tip) = (tick.force, tick.tip);
            self.felt.ticks = self.before.0 + tick.ticks;
            self.felt.late_ticks = self.before.1 + tick.late;
        }
        last
    }

    /// Takes in the ticks that are there.
    fn look(&mut self) {
        if let Some(running) = self.running.take() {
            self.drain(&running.ticks);
            self.running = Some(running);
        }
    }

    /// What is felt now, and how punctually so far.
    pub fn felt(&mut self) -> &Felt {
        self.look();
        let of = |meter: &TimeMeter, shares: [f64; 2]| shares.map(|s| meter.quantile_us(s));
        self.felt.work_us = of(&self.work, [0.5, 0.999]);
        self.felt.latency_ms = of(&self.latency, [0.5, 0.99]).map(|us| us * 1e-3);
        &self.felt
    }
}

impl Drop for PointerServo {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(device: &mut PointerDevice, tick: u64) -> DeviceSample {
        let sample = device.sample(tick as f64 * 1e-3);
        device.apply(&Vec3::zeros());
        sample
    }

    #[test]
    fn the_tip_glides_to_the_pointer_and_goes_with_it() {
        let place = PointerPlace::default();
        let (sender, ticks) = bounded(1000);
        let mut device = PointerDevice::new(place.clone(), sender, 1e-3);
        assert!(!moved(&mut device, 0).connected);
        place.set(Some(Vec3::x()));
        assert_eq!(moved(&mut device, 1).tip, Vec3::x());
        place.set(Some(Vec3::x() * 2.0));
        let way: Vec<f64> = (2..40).map(|t| moved(&mut device, t).tip.x).collect();
        // no step is larger than a tick's share of the way, and it arrives
        let mut last = 1.0;
        for x in &way {
            assert!(*x >= last && x - last < 0.061, "{way:?}");
            last = *x;
        }
        assert!((last - 2.0).abs() < 1e-12);
        place.set(None);
        assert!(!moved(&mut device, 41).connected);
        let latencies = ticks.try_iter().filter(|tick| tick.latency.is_some());
        assert_eq!(latencies.count(), 3, "one for each place that was new");
    }

    /// A wall of 1000 N/m below zero.
    fn wall(model: &mut LocalModel) -> bool {
        *model = LocalModel {
            epoch: 0,
            origins: vec![Vec3::zeros()],
            directions: vec![-Vec3::y()],
            owners: vec![0],
            forces: vec![0.0],
            responses: vec![-Vec3::y() * 1000.0],
            friction: vec![Vec3::zeros()],
        };
        true
    }

    #[test]
    fn a_pointer_that_presses_is_pushed_back_until_it_lets_go() {
        let place = PointerPlace::default();
        let mut servo = PointerServo::new(place.clone(), 1.0);
        servo.frame(false, wall);
        assert!(!servo.felt().held && servo.felt().ticks == 0);
        place.set(Some(Vec3::zeros()));
        for frame in 0..200 {
            servo.frame(true, wall);
            std::thread::sleep(Duration::from_millis(10));
            if frame == 3 {
                place.set(Some(-Vec3::y() * 2e-3));
            }
            // a busy machine takes longer
            if frame > 10 && (servo.felt().force.y - 2.0).abs() < 1e-6 {
                break;
            }
        }
        servo.frame(true, wall);
        let felt = servo.felt().clone();
        assert!(felt.held && felt.ticks > 10, "{felt:?}");
        assert!(
            felt.recent.iter().any(|f| (f - 2.0).abs() < 1e-5),
            "{felt:?}"
        );
        assert!((felt.force - Vec3::y() * 2.0).norm() < 1e-6, "{felt:?}");
        assert!((felt.tip.y + 2e-3).abs() < 1e-9);
        assert!(felt.work_us[0] > 0.0 && felt.latency_ms[0] > 0.0);
        servo.frame(false, wall);
        let after = servo.felt().clone();
        assert!(after.recent.len() < 1000);
        assert!(!after.held && after.force == Vec3::zeros());
        assert!(after.ticks >= felt.ticks);
    }

    #[test]
    fn a_body_that_stops_answering_fades() {
        let place = PointerPlace::default();
        let mut servo = PointerServo::new(place.clone(), 1.0);
        place.set(Some(-Vec3::y() * 2e-3));
        let mut fades = false;
        servo.frame(true, wall);
        for _ in 0..300 {
            std::thread::sleep(Duration::from_millis(10));
            let felt = servo.felt();
            fades = felt.ticks > 160 && felt.force == Vec3::zeros();
            if fades {
                break;
            }
        }
        assert!(fades, "{:?}", servo.felt());
    }
}
