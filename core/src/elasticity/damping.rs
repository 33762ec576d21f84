//! Strain-rate damping of one tetrahedron.

use crate::elasticity::shape_function::ShapeGradients;
use crate::elasticity::strain::strain_rate;
use crate::material::DampingParameters;
use crate::math::{Mat3, Vec3};

/// Viscous forces on the four nodes, N (Debunne et al. 2001, Eqs. 3 and 4, Kelvin–Voigt).
///
/// `S_v = φ tr(Ė) I + 2ψĖ`, `f_i = −V F S_v ∇L^i`. Zero for every rigid velocity of the deformed element; never does positive work.
#[allow(non_snake_case)]
pub fn element_damping_force(
    positions: [Vec3; 4],
    velocities: [Vec3; 4],
    shape: &ShapeGradients,
    damping: &DampingParameters,
) -> [Vec3; 4] {
    let F = shape.gradient_of(positions);
    let rate = strain_rate(&F, &shape.gradient_of(velocities));
    let S = Mat3::identity() * (damping.phi * rate.trace()) + rate * (2.0 * damping.psi);
    let P = F * S;
    let f = [1, 2, 3].map(|i| P * shape.gradients[i] * -shape.volume);
    [-(f[0] + f[1] + f[2]), f[0], f[1], f[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damping_dissipates_energy_and_does_not_act_on_rigid_motion() {
        let x = [
            Vec3::zeros(),
            Vec3::new(1.0, 0.1, 0.0),
            Vec3::new(0.0, 1.2, 0.1),
            Vec3::new(0.1, 0.0, 0.9),
        ];
        let shape = ShapeGradients::new(x).expect("volume");
        let damping = DampingParameters {
            phi: 30.0,
            psi: 20.0,
        };
        let bent = x.map(|p| p * 1.2 + Vec3::new(p.y * 0.3, 0.0, 0.0));
        let omega = Vec3::new(1.0, -2.0, 0.5);
        let rigid = bent.map(|p| omega.cross(&p) + Vec3::x());
        let f = element_damping_force(bent, rigid, &shape, &damping);
        assert!(f.iter().all(|f| f.norm() < 1e-12));
        let shaking = [Vec3::x(), -Vec3::y(), Vec3::z() * 0.3, Vec3::x() * -0.7];
        let f = element_damping_force(bent, shaking, &shape, &damping);
        let power: f64 = f.iter().zip(shaking).map(|(f, v)| f.dot(&v)).sum();
        assert!(power < -1.0);
    }
}
