//! Directions across a given one.

use pliant_core::math::Vec3;

/// Two unit vectors across `normal`.
pub(super) fn tangents(normal: &Vec3) -> [Vec3; 2] {
    let helper = Vec3::ith(normal.iamin(), 1.0);
    let first = normal.cross(&helper).normalize();
    [first, normal.cross(&first)]
}
