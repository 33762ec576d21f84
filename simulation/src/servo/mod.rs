//! The servo thread: force feedback once a millisecond, beside a slower thread that computes the body.
//!
//! The servo thread allocates nothing and never waits for the other: what crosses over is swapped under a lock that is only tried.

mod pace;
mod script;
mod udp;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_quasistatic::capacitance::nodal::NodalForces;
use pliant_quasistatic::haptics::meter::{PassivityMeter, TimeMeter};
use pliant_quasistatic::haptics::{
    ContactMode, HapticDevice, HapticSurface, ServoLoop, ServoOutput,
};

use crate::handover::{HandoverReader, HandoverWriter, handover};
pub use pace::Pace;
pub use script::scripted_slide;
pub use udp::UdpDevice;

/// One tick as a trace keeps it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServoRecord {
    /// Time since the loop began, s.
    pub time: f64,
    /// Tip of the device, m.
    pub tip: Vec3,
    /// Force that the device got, N.
    pub force: Vec3,
    /// What the contact did.
    pub mode: ContactMode,
}

/// What a run measured.
#[derive(Debug, Clone, PartialEq)]
pub struct ServoReport {
    /// Ticks that ran.
    pub ticks: u64,
    /// Ticks that began more than 0.2 ms after they were due, with those that a stall swallowed.
    pub late_ticks: u64,
    /// Work of a tick.
    pub compute: TimeMeter,
    /// From tick to tick.
    pub period: TimeMeter,
    /// Most nodes that carried the force of the contact at once, as the slower thread saw it.
    pub contact_nodes: usize,
    /// Ticks in contact, and those of them in which the anchor slid.
    pub touching: u64,
    /// See `touching`.
    pub sliding: u64,
    /// Largest unexplained change of force over the largest force.
    pub force_jump: f64,
    /// Largest force on the body, N.
    pub largest_force: f64,
    /// Energy account of the device.
    pub passivity: PassivityMeter,
    /// Frames in which the slower thread computed the body, and its worst time for one, s.
    pub frames: u64,
    /// See `frames`.
    pub slowest_frame: f64,
    /// Largest displacement of a boundary node, m.
    pub displacement: f64,
    /// Whether a number that is none stopped the loop.
    pub fault: bool,
    /// Ticks, from first to last, of a wanted trace; ends when its memory is full.
    pub trace: Vec<ServoRecord>,
}

/// What a run is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServoRun {
    /// Wall time, s.
    pub seconds: f64,
    /// Time between ticks, s.
    pub tick: f64,
    /// Whether to keep every tick; 80 bytes each.
    pub trace: bool,
}

/// Frames a second of the slower thread.
const FRAME_RATE: f64 = 60.0;
/// Most ticks of a trace: ten minutes at 1 kHz and some.
const MOST_RECORDS: usize = 700_000;

/// Runs `servo` with `device` on a thread of its own for a while; this thread computes the body meanwhile, 60 times a second.
///
/// # Errors
/// [`Cancelled`] by the owner of `progress`.
pub fn run_servo(
    servo: ServoLoop,
    device: &mut (dyn HapticDevice + Send),
    run: &ServoRun,
    progress: &Progress,
) -> Result<ServoReport, Cancelled> {
    let surface = servo.surface().clone();
    let (writer, mut reader) = handover(ServoOutput::default());
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    progress.stage("force feedback");
    let (thread, body) = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let measured = servo_thread(servo, device, run, writer, &stop);
            done.store(true, Ordering::Release);
            measured
        });
        let body = body_frames(&surface, &mut reader, &done, run.seconds, progress);
        // whatever ended this side ends the other
        stop.store(true, Ordering::Release);
        (thread.join(), body)
    });
    progress.check()?;
    // a panic of ours is a fault of the program, not of the input
    let mut report = thread.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    report.contact_nodes = body.contact_nodes;
    report.frames = body.frames;
    report.slowest_frame = body.slowest;
    report.displacement = body.displacement;
    Ok(report)
}

fn servo_thread(
    mut servo: ServoLoop,
    device: &mut (dyn HapticDevice + Send),
    run: &ServoRun,
    mut writer: HandoverWriter<ServoOutput>,
    stop: &AtomicBool,
) -> ServoReport {
    let ticks = (run.seconds / run.tick).ceil().clamp(0.0, 1e12);
    let records = if run.trace {
        (ticks as usize).min(MOST_RECORDS)
    } else {
        0
    };
    let mut report = ServoReport {
        ticks: 0,
        late_ticks: 0,
        compute: TimeMeter::default(),
        period: TimeMeter::default(),
        contact_nodes: 0,
        touching: 0,
        sliding: 0,
        force_jump: 0.0,
        largest_force: 0.0,
        passivity: PassivityMeter::default(),
        frames: 0,
        slowest_frame: 0.0,
        displacement: 0.0,
        fault: false,
        trace: Vec::with_capacity(records),
    };
    let start = Instant::now();
    let mut pace = Pace::new(start, Duration::from_secs_f64(run.tick));
    let mut last = start;
    // from here on nothing is allocated and nobody is waited for but the clock
    while !stop.load(Ordering::Acquire) {
        let begun = pace.wait();
        let time = begun.duration_since(start).as_secs_f64();
        if time >= run.seconds {
            break;
        }
        let elapsed = begun.duration_since(last);
        let sample = device.sample(time);
        let output = servo.tick(&sample, elapsed.as_secs_f64());
        device.apply(&output.force);
        *writer.buffer() = output;
        writer.try_publish();
        report.compute.record(begun.elapsed().as_nanos() as u64);
        if report.ticks > 0 {
            report.period.record(elapsed.as_nanos() as u64);
        }
        report.ticks += 1;
        report.touching += u64::from(output.mode != ContactMode::Open);
        report.sliding += u64::from(output.mode == ContactMode::Slip);
        report.fault |= output.fault;
        if report.trace.len() < records {
            report.trace.push(ServoRecord {
                time,
                tip: sample.tip,
                force: output.force,
                mode: output.mode,
            });
        }
        last = begun;
    }
    device.apply(&Vec3::zeros());
    report.late_ticks = pace.late();
    report.force_jump = servo.force_jump();
    report.largest_force = servo.largest_force();
    report.passivity = *servo.passivity();
    report
}

/// What the slower thread saw.
#[derive(Debug, Default)]
struct BodyFrames {
    frames: u64,
    contact_nodes: usize,
    slowest: f64,
    displacement: f64,
}

/// Computes the whole body under the newest contact until the servo thread is done.
fn body_frames(
    surface: &HapticSurface,
    reader: &mut HandoverReader<ServoOutput>,
    done: &AtomicBool,
    seconds: f64,
    progress: &Progress,
) -> BodyFrames {
    let asset = surface.asset();
    let mut seen = BodyFrames::default();
    let mut nodal = NodalForces::default();
    let mut field = vec![0.0; 3 * asset.nodes()];
    let start = Instant::now();
    let mut pace = Pace::new(start, Duration::from_secs_f64(1.0 / FRAME_RATE)).without_spinning();
    while !done.load(Ordering::Acquire) && progress.check().is_ok() {
        let begun = pace.wait();
        progress.set_fraction(begun.duration_since(start).as_secs_f64() / seconds.max(1e-9));
        if !reader.try_update() {
            continue;
        }
        let contact = reader.value();
        let Some(anchor) = contact.anchor else {
            continue;
        };
        nodal.clear(asset.nodes());
        surface.spread(&anchor, contact.body_force, &mut nodal);
        let forces = nodal.list();
        field.fill(0.0);
        asset.matrix.add_columns(forces, &mut field);
        let largest = field.as_chunks::<3>().0.iter();
        let largest = largest.map(|u| Vec3::from(*u).norm()).fold(0.0, f64::max);
        seen.frames += 1;
        seen.contact_nodes = seen.contact_nodes.max(forces.len());
        seen.displacement = seen.displacement.max(largest);
        seen.slowest = seen.slowest.max(begun.elapsed().as_secs_f64());
    }
    seen
}

#[cfg(test)]
mod tests;
