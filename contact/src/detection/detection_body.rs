//! A body in the search for contacts, and the test whether a point of it may touch a surface.

use pliant_core::math::Vec3;

use crate::surface::{ContactShape, DeformedSurface, Nearest};

/// Contacts are found up to this distance beyond what may be closed within the frame, over the contact spacing.
const MARGIN: f64 = 0.1;

/// A body in the search for contacts.
#[derive(Clone, Copy)]
pub(crate) struct DetectionBody<'a> {
    pub index: u32,
    pub shape: &'a ContactShape,
    pub deformed: &'a DeformedSurface,
}

/// The place, and the velocity of the point relative to it (m/s), if the gap may be closed within `duration` seconds.
pub(crate) fn reachable_place(
    body: DetectionBody<'_>,
    other: DetectionBody<'_>,
    point: usize,
    place: Nearest,
    duration: f64,
) -> Option<(Nearest, Vec3)> {
    let mut relative = body.deformed.velocities[point];
    for (&p, w) in place.triangle.iter().zip(place.weights) {
        relative -= other.deformed.velocities[p as usize] * w;
    }
    let closing = -place.normal.dot(&relative);
    // points that separated in the last frame count as well: sleep has to know of them
    let limit = near_distance(body.shape.spacing, closing.abs(), duration);
    let touches = !(place.gap > 0.0 && place.distance > limit || place.gap < -other.shape.reach);
    touches.then_some((place, relative))
}

/// Distance that may be closed within a frame at `speed` (m/s), and a little more, m.
pub(crate) fn near_distance(spacing: f64, speed: f64, duration: f64) -> f64 {
    MARGIN * spacing + speed * duration
}
