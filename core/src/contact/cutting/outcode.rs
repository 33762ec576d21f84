//! Outcodes: which segments are too far from a sweep to be crossed by it.

use crate::math::Vec3;
use crate::math::bounds::Aabb;

/// The outcode of a point that moves from `from` to `to` (m), after Cohen and Sutherland: a bit for each side of the box beyond which it stays. A segment whose ends have a bit in common does not meet the box.
pub fn outcode(bounds: &Aabb, from: &Vec3, to: &Vec3) -> u8 {
    let mut bits = 0;
    for axis in 0..3 {
        let below = from[axis].max(to[axis]) < bounds.min[axis];
        let above = from[axis].min(to[axis]) > bounds.max[axis];
        bits |= (u8::from(below) | u8::from(above) << 1) << (2 * axis);
    }
    bits
}
