//! Stepping worlds, going back

use pliant::World;

use super::memory::Out;
use super::objects::{access_world, make, with_world};
use super::types::{PliantEnergy, PliantFrameReport};
use crate::failure::Failure;
use crate::guard::entry;
use crate::handles::{Handle, PliantSnapshot, PliantWorld};
use crate::status::PliantStatus;

/// Advances by one frame of pliant_world_frame_duration. The same calls give the same bits, for any number of threads.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_step(world: PliantWorld) -> PliantStatus {
    with_world(world, |world| Ok(world.step().map(drop)?))
}

/// Advances by as many frames as fit into seconds of a game's clock, and keeps the rest for the next call; their number goes to frames, which may be null. It never takes more than four
/// at once and lets go of what is left then, so that a slow game slows down instead of standing still.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_advance(
    world: PliantWorld,
    seconds: f64,
    frames: Out<usize>,
) -> PliantStatus {
    with_world(world, |world| {
        let frames_taken = world.advance(seconds)?;
        frames.put_if_given(frames_taken, "frames")
    })
}

/// Back to rest at time zero.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_reset(world: PliantWorld) -> PliantStatus {
    with_world(world, |world| {
        world.reset();
        Ok(())
    })
}

/// Physical time, s.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_time(world: PliantWorld, seconds: Out<f64>) -> PliantStatus {
    with_world(world, |world| seconds.put(world.time(), "seconds"))
}

/// Length of a frame, s.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_frame_duration(
    world: PliantWorld,
    seconds: Out<f64>,
) -> PliantStatus {
    with_world(world, |world| {
        seconds.put(world.frame_duration(), "seconds")
    })
}

/// What the last frame did: steps, work, what was given up, deepest violation.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_report(
    world: PliantWorld,
    report: Out<PliantFrameReport>,
) -> PliantStatus {
    with_world(world, |world| {
        let last = world.report();
        let values = PliantFrameReport {
            work_units: last.work_used,
            max_violation: last.max_violation,
            cost_ms: world.output().cost_ms,
            substeps: last.substeps,
            is_degraded: i32::from(last.degraded.is_some()),
        };
        report.put(values, "report")
    })
}

/// Energies after the last frame, J. PLIANT_STATUS_NOT_AVAILABLE for the quasistatic method and before the first frame.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_energy(
    world: PliantWorld,
    energy: Out<PliantEnergy>,
) -> PliantStatus {
    with_world(world, |world: &mut World| {
        let account = world.energy().ok_or_else(|| {
            let words = format!(
                "`{}` has no energies now\n  remedy: step an adaptive or a lattice world",
                world.kind()
            );
            Failure::new(PliantStatus::NotAvailable, "NotAvailable", words)
        })?;
        let values = PliantEnergy {
            kinetic: account.kinetic,
            elastic: account.elastic,
            potential: account.potential,
            dissipated: account.dissipated,
            work: account.work,
            balance: account.balance(),
        };
        energy.put(values, "energy")
    })
}

/// Takes a snapshot of everything that changes from frame to frame, for undo and for rollback.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_snapshot(
    world: PliantWorld,
    snapshot: Out<PliantSnapshot>,
) -> PliantStatus {
    make(&snapshot, "snapshot", || {
        access_world(world, |world| Ok(world.snapshot()))
    })
}

/// Back to a snapshot of this world, or of one that was built in the same way. The same calls then give the same bits.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_restore(
    world: PliantWorld,
    snapshot: PliantSnapshot,
) -> PliantStatus {
    with_world(world, |world| Ok(world.restore(&*snapshot.get()?)?))
}

/// Frees a snapshot. A null handle frees nothing.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_snapshot_free(snapshot: PliantSnapshot) -> PliantStatus {
    entry(|| snapshot.free())
}

/// Frees a world; a call of another thread that uses it ends first. A null handle frees nothing.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_free(world: PliantWorld) -> PliantStatus {
    entry(|| world.free())
}
