//! Inverses of inertias that may lack an axis, as six numbers: xx, xy, xz, yy, yz, zz.

use nalgebra::SymmetricEigen;
use pliant_core::math::{Mat3, Vec3};

/// Eigenvalue of an inertia, as a share of the largest, below which a body has no extent about that axis.
const FLAT: f64 = 1e-9;

/// Inverse of the inertia of a body with the second moments `second`, without the axes about which it has no extent.
pub(crate) fn inverse_inertia(second: &Mat3) -> Mat3 {
    let inertia = Mat3::identity() * second.trace() - second;
    let [xx, xy, xz, yy, yz, zz] = pseudo_inverse(&inertia, FLAT);
    Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

#[inline(always)]
pub(crate) fn multiply(m: &[f64; 6], v: &Vec3) -> Vec3 {
    Vec3::new(
        m[0] * v.x + m[1] * v.y + m[2] * v.z,
        m[1] * v.x + m[3] * v.y + m[4] * v.z,
        m[2] * v.x + m[4] * v.y + m[5] * v.z,
    )
}

/// Inverse without the axes whose eigenvalue is below the share `noise` of the largest.
#[cold]
#[inline(never)]
pub(crate) fn pseudo_inverse(inertia: &Mat3, noise: f64) -> [f64; 6] {
    if !inertia.iter().all(|x| x.is_finite()) {
        return [0.0; 6];
    }
    let eigen = SymmetricEigen::new(*inertia);
    let largest = eigen.eigenvalues.max();
    let mut sum = Mat3::zeros();
    for k in 0..3 {
        if eigen.eigenvalues[k] > noise * largest {
            let axis = eigen.eigenvectors.column(k);
            sum += axis * axis.transpose() / eigen.eigenvalues[k];
        }
    }
    [
        sum[(0, 0)],
        sum[(0, 1)],
        sum[(0, 2)],
        sum[(1, 1)],
        sum[(1, 2)],
        sum[(2, 2)],
    ]
}
