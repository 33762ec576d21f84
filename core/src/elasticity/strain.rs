//! Strain measures.

use crate::math::Mat3;

/// Green strain `E = ½(FᵀF − I)`, zero for every rotation. Debunne et al. 2001, Eq. 1 writes ε = 2E.
#[allow(non_snake_case)]
pub fn green_strain(deformation_gradient: &Mat3) -> Mat3 {
    let F = deformation_gradient;
    // with H = F - I: E = ½(H + Hᵀ + HᵀH), which avoids cancellation in small strains
    let H = F - Mat3::identity();
    (H + H.transpose() + H.transpose() * H) * 0.5
}

/// Infinitesimal strain `½(F + Fᵀ) − I`, which is not invariant under rotation.
pub fn infinitesimal_strain(deformation_gradient: &Mat3) -> Mat3 {
    let h = deformation_gradient - Mat3::identity();
    (h + h.transpose()) * 0.5
}

/// Rate of the Green strain `Ė = sym(Fᵀ Ḟ)`, 1/s; Debunne et al. 2001, Eq. 3 writes ν = 2Ė.
pub fn strain_rate(deformation_gradient: &Mat3, rate: &Mat3) -> Mat3 {
    let product = deformation_gradient.transpose() * rate;
    (product + product.transpose()) * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    #[test]
    fn rotation_has_green_strain_zero_and_infinitesimal_strain_not() {
        let r = Rotation3::from_euler_angles(0.4, 1.1, -0.7).into_inner();
        assert!(green_strain(&r).norm() < 1e-15);
        assert!(infinitesimal_strain(&r).norm() > 0.1);
        let spin = Mat3::new(0.0, -3.0, 2.0, 3.0, 0.0, -1.0, -2.0, 1.0, 0.0);
        assert!(strain_rate(&r, &(spin * r)).norm() < 1e-14);
    }
}
