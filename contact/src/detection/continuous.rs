//! Continuous collision detection: contact along the motion of a frame.
//!
//! What moves by more than half a spacing within a frame is looked for where it passes, so that it does not pass through something thin. The first place where a point
//! touches gives the row, with the gap that it has to close from where it is when the frame begins.

use pliant_core::contact::Tool;
use pliant_core::math::Vec3;

use crate::detection::near_list::NearList;
use crate::detection::touching::{Touching, near_distance, touching};
use crate::surface::Nearest;

/// Distance travelled within a frame, over the contact spacing, from which on contact is looked for along the motion as well. It is also the distance between the
/// places where contact is looked for.
pub(crate) const FAST: f64 = 0.5;

/// Most places along the motion of a frame: what travels farther may miss something thin.
const SAMPLES: u32 = 12;

/// Where a point at `x` (m) that moves with `relative` (m/s) past a tool touches it within `duration` seconds: distance (m, along the gradient that
/// comes with it), and how far the point has moved by then relative to the tool's surface, m. The body around it may hasten it by `wobble`, m/s.
pub(crate) fn tool_along_motion(
    tool: &Tool,
    x: &Vec3,
    (relative, wobble): (&Vec3, f64),
    spacing: f64,
    duration: f64,
) -> Option<(f64, Vec3, Vec3)> {
    let travel = relative * duration;
    // where the point begins the frame, as seen from the tool's last pose
    let from = x + tool.velocity_at(x, duration) * duration;
    let count = samples(travel.norm(), spacing.min(tool.shape.inner_radius()));
    if count <= 1 {
        // slow: the tool counts where it ends the frame, the point where it begins it
        let (distance, gradient) = tool.signed_distance(x);
        let limit = near_distance(spacing, (-gradient.dot(relative)).max(wobble), duration);
        return (distance <= limit).then_some((distance, gradient, x - from));
    }
    (0..=count).find_map(|k| {
        let gone = travel * (f64::from(k) / f64::from(count));
        let (distance, gradient) = tool.signed_distance(&(from + gone));
        let closing = -gradient.dot(relative);
        let limit = near_distance(spacing, closing.max(0.0), duration / f64::from(count));
        let touched = distance <= limit && (k == 0 || closing > 0.0);
        touched.then_some((distance, gradient, gone))
    })
}

/// A contact point that looks for the surface of another body.
pub(crate) struct PointSearch<'a> {
    pub body: Touching<'a>,
    pub other: Touching<'a>,
    pub list: &'a NearList,
    pub point: usize,
}

impl PointSearch<'_> {
    /// What the point touches within `duration` seconds when it is at `x` (m).
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
        touching(body, other, self.point, place, duration)
    }

    /// Velocity of the point relative to the mean of the other body, m/s.
    fn velocity(&self) -> Vec3 {
        self.body.deformed.velocities[self.point] - self.other.deformed.mean_velocity
    }

    /// What the point touches first when it moves on for `duration` seconds, with the gap where it is now.
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

/// Number of places along a motion of `length` (m) at which contact with something of `size` (m) is looked for.
fn samples(length: f64, size: f64) -> u32 {
    ((length / (FAST * size)).ceil() as u32).min(SAMPLES)
}
