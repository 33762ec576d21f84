//! The servo thread: a tick a millisecond, and what is measured of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::{
    ContactMode, ForceLoop, HapticDevice, LocalModel, LocalModels, ServoOutput,
};
use web_time::Instant;

use super::pace::Pace;
use super::report::{ServoRecord, ServoReport, ServoRun};
use super::tick::ServoTick;
use crate::threads::handover::{HandoverReader, HandoverWriter};

/// Most ticks of a trace: a little more than ten minutes at 1 kHz.
const MAX_RECORDS: usize = 700_000;

/// Local contact models as they come from the slower thread.
pub(super) struct Published(pub HandoverReader<LocalModel>);

impl LocalModels for Published {
    fn update(&mut self) {
        self.0.try_update();
    }

    fn model(&self) -> &LocalModel {
        self.0.value()
    }
}

/// Runs ticks of `servo` until the time of `run` is over or `stop` is set; `writer` passes their outputs to the slower thread.
pub(super) fn servo_thread(
    servo: impl ForceLoop,
    device: &mut (dyn HapticDevice + Send),
    run: &ServoRun,
    writer: HandoverWriter<Vec<ServoOutput>>,
    stop: &AtomicBool,
) -> ServoReport {
    let ticks = (run.seconds / run.tick).ceil().clamp(0.0, 1e12);
    let records = if run.trace {
        (ticks as usize).min(MAX_RECORDS)
    } else {
        0
    };
    let mut report = ServoReport {
        trace: written_memory(records),
        ..ServoReport::default()
    };
    let tips = servo.tips();
    let mut tick = ServoTick::new(servo, device, writer);
    let start = Instant::now();
    let mut pace = Pace::new(start, Duration::from_secs_f64(run.tick));
    let mut last = start;
    // from here on nothing is allocated and the thread waits for the clock alone
    while !stop.load(Ordering::Acquire) {
        let late_before = pace.late();
        let next = last.duration_since(start).as_secs_f64() + run.tick;
        let tick_start = pace.wait_ready(|| tick.warm_up(next));
        let time = tick_start.duration_since(start).as_secs_f64();
        if time >= run.seconds {
            break;
        }
        let elapsed = tick_start.duration_since(last);
        tick.run(time, elapsed.as_secs_f64());
        let work = tick_start.elapsed().as_nanos() as u64;
        report.compute.record(work);
        if pace.late() > late_before {
            report.compute_late.record(work);
        }
        if report.ticks > 0 {
            report.period.record(elapsed.as_nanos() as u64);
        }
        report.ticks += 1;
        let (outputs, sample) = tick.last();
        let any =
            |condition: &dyn Fn(&ServoOutput) -> bool| u64::from(outputs.iter().any(condition));
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
        last = tick_start;
    }
    tick.release();
    let servo = tick.servo();
    report.late_ticks = pace.late();
    report.swallowed_ticks = pace.swallowed();
    // the worst of all tips
    for state in (0..tips).filter_map(|tip| servo.state(tip)) {
        report.force_jump = report.force_jump.max(state.force_jump());
        report.largest_force = report.largest_force.max(state.largest_force());
    }
    report.stale_ticks = servo.stale_ticks();
    report.passivity = *servo.passivity();
    report
}

/// Memory for so many records. Every page of it has been written once, so that no tick waits for the system to provide one.
fn written_memory(records: usize) -> Vec<ServoRecord> {
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
