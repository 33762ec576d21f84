//! Directions orthogonal to a given one.

use super::Vec3;

/// Two unit vectors that are orthogonal to the unit vector `normal` and to each other; the second is `normal` × the first. Zero where `normal` is zero.
pub fn tangents(normal: &Vec3) -> [Vec3; 2] {
    let helper = Vec3::ith(normal.iamin(), 1.0);
    let first = normal.cross(&helper).try_normalize(0.0).unwrap_or_default();
    [first, normal.cross(&first)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_and_normal_are_an_orthonormal_right_handed_frame() {
        for normal in [Vec3::x(), -Vec3::z(), Vec3::new(1.0, -2.0, 0.5).normalize()] {
            let [first, second] = tangents(&normal);
            assert!((first.norm() - 1.0).abs() < 1e-15 && first.dot(&normal).abs() < 1e-15);
            assert!((first.cross(&second) - normal).norm() < 1e-15);
        }
        assert_eq!(tangents(&Vec3::zeros()), [Vec3::zeros(); 2]);
    }
}
