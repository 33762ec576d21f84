//! A servo thread beside the thread that computes the body.

use std::sync::atomic::{AtomicBool, Ordering};

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_quasistatic::capacitance::nodal::NodalForces;
use pliant_quasistatic::haptics::{
    ForceLoop, HapticDevice, LocalModel, ServoLoop, ServoOutput, ServoParams, ToolLoop,
};

use super::body_frames::{BodyFrames, body_frames};
use super::report::{ServoReport, ServoRun};
use super::thread::{Published, servo_thread};
use super::tool_body::{FRAME_RATE, ToolBody};
use crate::threads::handover::handover;

/// Frames a second of the body under a point force.
const POINT_FRAME_RATE: f64 = 60.0;

/// Runs `servo` with `device` on a thread of its own for as long as `run` says. The calling thread computes the body meanwhile, 60 times a second.
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
    let asset = surface.asset();
    let mut nodal = NodalForces::default();
    let mut field = vec![0.0; 3 * asset.nodes()];
    let compute = |outputs: &[ServoOutput], frames: &mut BodyFrames| {
        let contact = outputs.first()?;
        let anchor = contact.anchor?;
        nodal.clear(asset.nodes());
        surface.spread(&anchor, contact.body_force, &mut nodal);
        let forces = nodal.list();
        field.fill(0.0);
        asset.matrix.add_columns(forces, &mut field);
        frames.frames += 1;
        frames.contact_nodes = frames.contact_nodes.max(forces.len());
        let displacements = field.as_chunks::<3>().0.iter();
        Some(
            displacements
                .map(|u| Vec3::from(*u).norm())
                .fold(0.0, f64::max),
        )
    };
    run_beside(servo, device, run, progress, POINT_FRAME_RATE, compute)
}

/// As [`run_servo`] for whole tools, one a tip of the device. The calling thread finds contact and solves the body 120 times a second; the servo thread has all nodes that touch from
/// the local contact model.
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
    let (mut writer, models) = handover(LocalModel::default());
    let (models, tools) = (Published(models), body.tools());
    let servo = ToolLoop::new(models, tools, params, body.diagonal());
    run_beside(servo, device, run, progress, FRAME_RATE, |tips, frames| {
        body.follow(tips, &mut writer, frames)
    })
}

/// Runs a servo thread, and `compute` with its newest outputs on the calling thread, `rate` times a second, until both are done.
fn run_beside(
    servo: impl ForceLoop,
    device: &mut (dyn HapticDevice + Send),
    run: &ServoRun,
    progress: &Progress,
    rate: f64,
    compute: impl FnMut(&[ServoOutput], &mut BodyFrames) -> Option<f64>,
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
        let body = body_frames(rate, &mut reader, &done, run.seconds, progress, compute);
        // whatever ended this thread ends the other
        stop.store(true, Ordering::Release);
        (thread.join(), body)
    });
    progress.check()?;
    // a panic in the servo thread is a fault of the program: it goes on here
    let mut report = thread.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    report.contact_nodes = body.contact_nodes;
    report.frames = body.frames;
    report.failed_frames = body.failed;
    report.slowest_frame = body.slowest;
    report.displacement = body.displacement;
    Ok(report)
}
