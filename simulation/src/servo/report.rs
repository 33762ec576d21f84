//! Options and measurements of a run of the servo loop.

use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::ContactMode;
use pliant_quasistatic::haptics::meter::{PassivityMeter, TimeMeter};

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

/// Measurements of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ServoReport {
    /// Ticks that ran.
    pub ticks: u64,
    /// Ticks that began more than 0.2 ms after they were due, with those that a stall swallowed.
    pub late_ticks: u64,
    /// Those of them that never began.
    pub swallowed_ticks: u64,
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
    /// Ticks in which the model of the body was older than 50 ms, so that its force faded; of all tips together.
    pub stale_ticks: u64,
    /// Largest displacement of a boundary node, m.
    pub displacement: f64,
    /// Whether the loop stopped at a number that is not finite.
    pub fault: bool,
    /// Ticks of the first tip, from first to last, of a wanted trace; ends when its memory is full.
    pub trace: Vec<ServoRecord>,
}

/// Options of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServoRun {
    /// Wall time, s.
    pub seconds: f64,
    /// Time between ticks, s.
    pub tick: f64,
    /// Whether to keep every tick; 80 bytes each.
    pub trace: bool,
}
