//! Elements whose deformation is beyond any material.

use pliant_core::math::Mat3;

/// Norm of the deformation gradient above which a tetrahedron is torn; at rest it is √3.
const MAX_GRADIENT_NORM: f64 = 10.0;

/// Volume ratio below which it is torn: a mirror image has -1.
const MIN_VOLUME_RATIO: f64 = -2.0;

/// Whether a deformation gradient is that of a torn element.
pub(crate) fn is_torn(gradient: &Mat3) -> bool {
    !(gradient.norm_squared() <= MAX_GRADIENT_NORM * MAX_GRADIENT_NORM
        && gradient.determinant() >= MIN_VOLUME_RATIO)
}
