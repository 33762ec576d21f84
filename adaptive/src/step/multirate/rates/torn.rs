//! Elements that no material explains any more.

use pliant_core::math::Mat3;

/// Norm of the deformation gradient from which a tetrahedron is torn; at rest it is √3.
const TORN: f64 = 10.0;

/// Volume ratio from which it is thrown through itself: a mirror image has -1.
const THROWN: f64 = -2.0;

/// Whether a deformation gradient is none of a material any more.
pub(crate) fn is_torn(gradient: &Mat3) -> bool {
    !(gradient.norm_squared() <= TORN * TORN && gradient.determinant() >= THROWN)
}
