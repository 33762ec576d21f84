//! Continuous collision detection: contact along the motion of a frame.
//!
//! For a point that moves by more than half a spacing within a frame, contact is looked for along its motion, so that it does not pass through something thin. The first
//! place where it touches gives the row, with the gap from where the point begins the frame.

use pliant_core::contact::Tool;
use pliant_core::math::Vec3;

use crate::detection::detection_body::{DetectionBody, near_distance, reachable_place};
use crate::detection::near_list::NearList;
use crate::surface::Nearest;

/// Distance travelled within a frame, over the contact spacing, from which on contact is looked for along the motion as well. It is also the distance between the
/// samples along the motion.
pub(crate) const FAST_TRAVEL: f64 = 0.5;

/// Most samples along the motion of a frame: a point that travels farther may miss something thin.
const MAX_SAMPLES: u32 = 12;

/// Where a point at `x` (m) that moves with `relative` (m/s) past a tool touches it within `duration` seconds: distance (m, along the gradient that
/// comes with it), and how far the point has moved by then relative to the tool's surface, m. The body around it may accelerate it by
/// `max_relative_speed`, m/s.
pub(crate) fn tool_along_motion(
    tool: &Tool,
    x: &Vec3,
    (relative, max_relative_speed): (&Vec3, f64),
    spacing: f64,
    duration: f64,
) -> Option<(f64, Vec3, Vec3)> {
    let travel = relative * duration;
    // where the point begins the frame, as seen from the tool's last pose
    let from = x + tool.velocity_at(x, duration) * duration;
    let count = samples(travel.norm(), spacing.min(tool.shape.inner_radius()));
    if count <= 1 {
        // slow: the tool at the end of the frame, the point at its beginning
        let (distance, gradient) = tool.signed_distance(x);
        let limit = near_distance(
            spacing,
            // a tool that leaves touched the point when the frame began
            gradient.dot(relative).abs().max(max_relative_speed),
            duration,
        );
        return (distance <= limit).then_some((distance, gradient, x - from));
    }
    (0..=count).find_map(|k| {
        let moved = travel * (f64::from(k) / f64::from(count));
        let (distance, gradient) = tool.signed_distance(&(from + moved));
        let closing = -gradient.dot(relative);
        let limit = near_distance(spacing, closing.max(0.0), duration / f64::from(count));
        let touched = distance <= limit && (k == 0 || closing > 0.0);
        touched.then_some((distance, gradient, moved))
    })
}

/// The search of a contact point for the surface of another body.
pub(crate) struct PointSearch<'a> {
    pub body: DetectionBody<'a>,
    pub other: DetectionBody<'a>,
    pub list: &'a NearList,
    pub point: usize,
}

impl PointSearch<'_> {
    /// The place that the point touches within `duration` seconds when it is at `x` (m), and its velocity relative to it, m/s.
    #[inline]
    pub fn at(&self, x: &Vec3, duration: f64) -> Option<(Nearest, Vec3)> {
        let (body, other) = (self.body, self.other);
        let (squared, center) = self.list.nearest(x);
        if squared >= other.shape.reach * other.shape.reach {
            return None;
        }
        let speed = self.velocity().norm() + other.deformed.max_relative_speed;
        let near = near_distance(body.shape.spacing, speed, duration);
        let facing = &body.deformed.normals[self.point];
        let place = other
            .deformed
            .nearest_around(other.shape, center as usize, x, facing, near)?;
        reachable_place(body, other, self.point, place, duration)
    }

    /// Velocity of the point relative to the mean of the other body, m/s.
    fn velocity(&self) -> Vec3 {
        self.body.deformed.velocities[self.point] - self.other.deformed.mean_velocity
    }

    /// The same for the first place that the point touches when it moves on for `duration` seconds, with the gap at its present position.
    pub fn along_motion(&self, duration: f64) -> Option<(Nearest, Vec3)> {
        let travel = self.velocity() * duration;
        let count = samples(travel.norm(), self.other.shape.spacing);
        (1..=count).find_map(|k| {
            let part = travel * (f64::from(k) / f64::from(count));
            let x = self.body.deformed.positions[self.point] + part;
            let (mut place, relative) = self.at(&x, duration / f64::from(count))?;
            place.gap -= place.normal.dot(&part);
            (place.normal.dot(&travel) < 0.0 && place.gap >= 0.0).then_some((place, relative))
        })
    }
}

/// Number of samples along a motion of `length` (m) past something of `size` (m).
fn samples(length: f64, size: f64) -> u32 {
    ((length / (FAST_TRAVEL * size)).ceil() as u32).min(MAX_SAMPLES)
}
