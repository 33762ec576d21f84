//! The rotation nearest to a matrix, by singular value decomposition: the reference for tests of fast methods.

use super::Mat3;

/// The rotation `R` (determinant +1) that maximises `tr(Rᵀ A)`, for any `A`, also with a reflection or singular.
///
/// Singular value decomposition; the direction of the smallest singular value is flipped where the determinant would be negative.
/// Exact but slow (about a microsecond); solvers use warm-started iterations and are tested against this.
pub fn nearest_rotation(a: &Mat3) -> Mat3 {
    let svd = a.svd(true, true);
    let (Some(mut u), Some(v_t)) = (svd.u, svd.v_t) else {
        return Mat3::identity();
    };
    if (u * v_t).determinant() < 0.0 {
        let smallest = svd.singular_values.imin();
        let flipped = -u.column(smallest);
        u.set_column(smallest, &flipped);
    }
    u * v_t
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    #[test]
    fn a_stretched_rotation_gives_the_rotation_back() {
        let rotation = Rotation3::from_euler_angles(0.3, -1.2, 2.0).into_inner();
        let stretch = Mat3::new(2.0, 0.3, 0.1, 0.3, 1.5, 0.2, 0.1, 0.2, 0.8);
        assert!((nearest_rotation(&(rotation * stretch)) - rotation).norm() < 1e-12);
    }

    #[test]
    fn a_mirrored_matrix_still_gives_a_proper_rotation() {
        let mirrored = Mat3::from_diagonal(&nalgebra::Vector3::new(3.0, 2.0, -1.0));
        let r = nearest_rotation(&mirrored);
        assert!((r.determinant() - 1.0).abs() < 1e-12);
        assert!((r - Mat3::identity()).norm() < 1e-12);
    }
}
