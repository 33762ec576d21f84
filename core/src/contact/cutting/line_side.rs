//! The side of a line on which a segment passes.

use crate::math::Vec3;

/// Whether the segment from `p` to `q` passes the line from `u` to `v` on its positive side. The line from `v` to `u` has the opposite answer, also where round-off decides. `None` where
/// that is not finite.
pub(super) fn is_on_positive_side([p, q]: [Vec3; 2], [u, v]: [Vec3; 2]) -> Option<bool> {
    let volume = (q - p).dot(&(u - p).cross(&(v - p)));
    match volume == 0.0 {
        true => Some(u.as_slice() < v.as_slice()),
        false => (!volume.is_nan()).then_some(volume > 0.0),
    }
}
