//! On which side of a line a segment passes.

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
