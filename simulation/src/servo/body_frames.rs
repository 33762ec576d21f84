//! Frames of the slower thread under a point force.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_quasistatic::capacitance::nodal::NodalForces;
use pliant_quasistatic::haptics::{HapticSurface, ServoOutput};
use web_time::Instant;

use super::pace::Pace;
use crate::threads::handover::HandoverReader;

/// Frames a second of the slower thread.
const FRAME_RATE: f64 = 60.0;

/// Statistics of the slower thread.
#[derive(Debug, Default)]
pub(super) struct BodyFrames {
    /// frames that were computed, and those that the model refused
    pub frames: u64,
    pub failed: u64,
    /// most nodes in contact
    pub contact_nodes: usize,
    /// longest frame, s
    pub slowest: f64,
    /// largest displacement of a node, m
    pub displacement: f64,
}

/// Computes the whole body under the newest contact until the servo thread is done.
pub(super) fn body_frames(
    surface: &HapticSurface,
    reader: &mut HandoverReader<Vec<ServoOutput>>,
    done: &AtomicBool,
    seconds: f64,
    progress: &Progress,
) -> BodyFrames {
    let asset = surface.asset();
    let mut result = BodyFrames::default();
    let mut nodal = NodalForces::default();
    let mut field = vec![0.0; 3 * asset.nodes()];
    let start = Instant::now();
    let mut pace = Pace::new(start, Duration::from_secs_f64(1.0 / FRAME_RATE)).without_spinning();
    while !done.load(Ordering::Acquire) && progress.check().is_ok() {
        let frame_start = pace.wait();
        progress.set_fraction(frame_start.duration_since(start).as_secs_f64() / seconds.max(1e-9));
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
        result.frames += 1;
        result.contact_nodes = result.contact_nodes.max(forces.len());
        result.displacement = result.displacement.max(largest);
        result.slowest = result.slowest.max(frame_start.elapsed().as_secs_f64());
    }
    result
}
