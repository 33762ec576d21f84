//! The servo thread: force feedback once a millisecond, beside a slower thread that computes the body.
//!
//! The servo thread allocates nothing and never waits for the other: what crosses over is swapped under a lock that is only tried.

mod pace;
mod pointer;
mod script;
mod tool_body;
mod turn;
mod udp;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_quasistatic::capacitance::nodal::NodalForces;
use pliant_quasistatic::haptics::meter::{PassivityMeter, TimeMeter};
use pliant_quasistatic::haptics::{
    ContactMode, ForceLoop, HapticDevice, HapticSurface, LocalModel, ServoLoop, ServoOutput,
    ServoParams, ToolLoop,
};

use crate::handover::{HandoverReader, HandoverWriter, handover};
pub use pace::Pace;
pub use pointer::{Felt, PointerPlace, PointerServo};
pub use script::{PathDevice, scripted_slide};
pub use tool_body::ToolBody;
use turn::Turn;
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
    /// Work of those that began late.
    pub compute_late: TimeMeter,
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
    /// Energy account of the device, with several tips of all together.
    pub passivity: PassivityMeter,
    /// Frames in which the slower thread computed the body, and its worst time for one, s.
    pub frames: u64,
    /// See `frames`.
    pub slowest_frame: f64,
    /// Frames that the model refused; the force fades when they last.
    pub failed_frames: u64,
    /// Largest displacement of a boundary node, m.
    pub displacement: f64,
    /// Whether a number that is none stopped the loop.
    pub fault: bool,
    /// Ticks of the first tip, from first to last, of a wanted trace; ends when its memory is full.
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
    beside(servo, device, run, progress, |reader, done| {
        body_frames(&surface, reader, done, run.seconds, progress)
    })
}

/// As [`run_servo`] for whole tools, one a tip of the device: this thread finds contact and solves the body 120 times a second, the servo thread has all nodes that touch from the
/// local contact model.
///
/// # Errors
/// [`Cancelled`] by the owner of `progress`.
pub fn run_tool(
    body: &mut ToolBody,
    params: ServoParams,
    device: &mut (dyn HapticDevice + Send),
    run: &ServoRun,
    progress: &Progress,
) -> Result<ServoReport, Cancelled> {
    let (writer, models) = handover(LocalModel::default());
    let (models, tools) = (tool_body::Published(models), body.tools());
    let servo = ToolLoop::new(models, tools, params, body.diagonal());
    beside(servo, device, run, progress, |reader, done| {
        body.run(reader, writer, done, run.seconds, progress)
    })
}

/// A servo thread, and `slower` on this one.
fn beside(
    servo: impl ForceLoop,
    device: &mut (dyn HapticDevice + Send),
    run: &ServoRun,
    progress: &Progress,
    slower: impl FnOnce(&mut HandoverReader<Vec<ServoOutput>>, &AtomicBool) -> BodyFrames,
) -> Result<ServoReport, Cancelled> {
    let (writer, mut reader) = handover(vec![ServoOutput::default(); servo.tips()]);
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    progress.stage("force feedback");
    let (thread, body) = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let measured = servo_thread(servo, device, run, writer, &stop);
            done.store(true, Ordering::Release);
            measured
        });
        let body = slower(&mut reader, &done);
        // whatever ended this side ends the other
        stop.store(true, Ordering::Release);
        (thread.join(), body)
    });
    progress.check()?;
    // a panic of ours is a fault of the program, not of the input
    let mut report = thread.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    report.contact_nodes = body.contact_nodes;
    report.frames = body.frames;
    report.failed_frames = body.failed;
    report.slowest_frame = body.slowest;
    report.displacement = body.displacement;
    Ok(report)
}

fn servo_thread(
    servo: impl ForceLoop,
    device: &mut (dyn HapticDevice + Send),
    run: &ServoRun,
    writer: HandoverWriter<Vec<ServoOutput>>,
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
        compute_late: TimeMeter::default(),
        period: TimeMeter::default(),
        contact_nodes: 0,
        touching: 0,
        sliding: 0,
        force_jump: 0.0,
        largest_force: 0.0,
        passivity: PassivityMeter::default(),
        frames: 0,
        slowest_frame: 0.0,
        failed_frames: 0,
        displacement: 0.0,
        fault: false,
        trace: touched(records),
    };
    let tips = servo.tips();
    let mut turn = Turn::new(servo, device, writer);
    let start = Instant::now();
    let mut pace = Pace::new(start, Duration::from_secs_f64(run.tick));
    let mut last = start;
    // from here on nothing is allocated and nobody is waited for but the clock
    while !stop.load(Ordering::Acquire) {
        let late_before = pace.late();
        let next = last.duration_since(start).as_secs_f64() + run.tick;
        let begun = pace.wait_ready(|| turn.rehearse(next));
        let time = begun.duration_since(start).as_secs_f64();
        if time >= run.seconds {
            break;
        }
        let elapsed = begun.duration_since(last);
        turn.take(time, elapsed.as_secs_f64());
        let work = begun.elapsed().as_nanos() as u64;
        report.compute.record(work);
        if pace.late() > late_before {
            report.compute_late.record(work);
        }
        if report.ticks > 0 {
            report.period.record(elapsed.as_nanos() as u64);
        }
        report.ticks += 1;
        let (outputs, sample) = turn.last();
        let any = |is: &dyn Fn(&ServoOutput) -> bool| u64::from(outputs.iter().any(is));
        report.touching += any(&|output| output.mode != ContactMode::Open);
        report.sliding += any(&|output| output.mode == ContactMode::Slip);
        report.fault |= outputs.iter().any(|output| output.fault);
        if let (Some(sample), Some(output)) = (sample, outputs.first())
            && report.trace.len() < records
        {
            report.trace.push(ServoRecord {
                time,
                tip: sample.tip,
                force: output.force,
                mode: output.mode,
            });
        }
        last = begun;
    }
    turn.let_go();
    let servo = turn.servo();
    report.late_ticks = pace.late();
    // of several tips the worst
    for state in (0..tips).filter_map(|tip| servo.state(tip)) {
        report.force_jump = report.force_jump.max(state.force_jump());
        report.largest_force = report.largest_force.max(state.largest_force());
    }
    report.passivity = *servo.passivity();
    report
}

/// Memory for so many records, every page of it touched: no tick shall wait for one.
fn touched(records: usize) -> Vec<ServoRecord> {
    let nothing = ServoRecord {
        time: 0.0,
        tip: Vec3::zeros(),
        force: Vec3::zeros(),
        mode: ContactMode::Open,
    };
    let mut memory = vec![nothing; records];
    memory.clear();
    memory
}

/// What the slower thread saw.
#[derive(Debug, Default)]
struct BodyFrames {
    frames: u64,
    failed: u64,
    contact_nodes: usize,
    slowest: f64,
    displacement: f64,
}

/// Computes the whole body under the newest contact until the servo thread is done.
fn body_frames(
    surface: &HapticSurface,
    reader: &mut HandoverReader<Vec<ServoOutput>>,
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
        let Some(contact) = reader.value().first() else {
            continue;
        };
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
