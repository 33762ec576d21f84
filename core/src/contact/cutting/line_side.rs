//! On which side of a line or a plane something lies.

use crate::math::Vec3;

/// On which side of the line from `u` to `v` the segment from `p` to `q` passes; to the bit the opposite for the line from `v` to `u`. `None` where that is not
/// finite.
pub(super) fn passes([p, q]: [Vec3; 2], [u, v]: [Vec3; 2]) -> Option<bool> {
    let volume = (q - p).dot(&(u - p).cross(&(v - p)));
    match volume == 0.0 {
        true => Some(u.as_slice() < v.as_slice()),
        false => (!volume.is_nan()).then_some(volume > 0.0),
    }
}

/// On which side of the plane through `corner` across `normal` the place `x` lies. `None` where that is not finite.
pub(super) fn lies(x: &Vec3, corner: &Vec3, normal: &Vec3) -> Option<bool> {
    let height = normal.dot(&(x - corner));
    (!height.is_nan()).then_some(height > 0.0)
}
