//! A servo thread beside the thread that computes the body.

use std::sync::atomic::{AtomicBool, Ordering};

use pliant_core::asset::{Cancelled, Progress};
use pliant_quasistatic::haptics::{
    ForceLoop, HapticDevice, LocalModel, ServoLoop, ServoOutput, ServoParams, ToolLoop,
};

use super::body_frames::{BodyFrames, body_frames};
use super::report::{ServoReport, ServoRun};
use super::thread::{Published, servo_thread};
use super::tool_body::ToolBody;
use crate::threads::handover::{HandoverReader, handover};

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
    run_beside(servo, device, run, progress, |reader, done| {
        body_frames(&surface, reader, done, run.seconds, progress)
    })
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
    let (writer, models) = handover(LocalModel::default());
    let (models, tools) = (Published(models), body.tools());
    let servo = ToolLoop::new(models, tools, params, body.diagonal());
    run_beside(servo, device, run, progress, |reader, done| {
        body.run(reader, writer, done, run.seconds, progress)
    })
}

/// Runs a servo thread, and `slower` on the calling thread until both are done.
fn run_beside(
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
