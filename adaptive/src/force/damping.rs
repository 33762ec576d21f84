//! From what a material asks for to what a level does: viscous constants and drag.

use pliant_core::material::{Damping, DampingParameters, LameParameters};
use pliant_core::math::{Mat3, Vec3};

use crate::hierarchy::Level;
use crate::params::DampingRule;

/// Critical fraction that [`DampingRule::Rayleigh`] lets strain damping reach at the highest frequency: it costs a quarter of the step.
const STRAIN_SHARE: f64 = 0.3;

/// Damping of one level.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LevelDamping {
    /// φ and ψ, Pa·s.
    pub viscous: DampingParameters,
    /// β (s): `β(λ, μ)` bounds the viscous constants; springs have dashpots of β times their stiffness.
    pub time: f64,
    /// α (1/s): force `−α m (v − v_rigid)` on every node.
    pub drag: f64,
}

impl LevelDamping {
    /// Damping of `level` for a body whose lowest frequency is `lowest` (rad/s).
    ///
    /// A ratio ζ under [`DampingRule::Strain`]: `β = 2ζ/ω₁`, `φ = βλ`, `ψ = βμ`. Under [`DampingRule::Rayleigh`] β is at most what the step affords,
    /// and a drag `α = 2ω₁ (ζ − βω₁/2)` makes up the ratio of the lowest mode. Given φ and ψ are taken as they are, with the smallest β that
    /// bounds them: the larger of `ψ/μ` and `(φ + 2ψ/3)/(λ + 2μ/3)`.
    pub fn new(
        damping: Damping,
        rule: DampingRule,
        lame: &LameParameters,
        lowest: f64,
        level: &Level,
    ) -> Self {
        match damping {
            Damping::Ratio(zeta) => {
                let wanted = 2.0 * zeta / lowest;
                let time = match rule {
                    DampingRule::Strain => wanted,
                    DampingRule::Rayleigh => {
                        let highest = level.frequencies.iter().copied().fold(0.0, f64::max);
                        wanted.min(2.0 * STRAIN_SHARE / highest)
                    }
                };
                Self {
                    viscous: DampingParameters {
                        phi: time * lame.lambda,
                        psi: time * lame.mu,
                    },
                    time,
                    drag: (2.0 * lowest * zeta - time * lowest * lowest).max(0.0),
                }
                .without_dust()
            }
            Damping::Parameters(viscous) => {
                let shear = viscous.psi / lame.mu;
                let bulk =
                    (viscous.phi + viscous.psi * 2.0 / 3.0) / (lame.lambda + lame.mu * 2.0 / 3.0);
                Self {
                    viscous,
                    time: shear.max(bulk).max(0.0),
                    drag: 0.0,
                }
            }
        }
    }

    /// A drag that is only round-off of the difference is none.
    fn without_dust(mut self) -> Self {
        if self.drag < 1e-9 * self.time {
            self.drag = 0.0;
        }
        self
    }
}

/// A velocity field `v + ω × (x − c)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidMotion {
    centre: Vec3,
    velocity: Vec3,
    spin: Vec3,
}

impl RigidMotion {
    /// No motion.
    pub fn none() -> Self {
        Self {
            centre: Vec3::zeros(),
            velocity: Vec3::zeros(),
            spin: Vec3::zeros(),
        }
    }

    /// The rigid motion with the momentum and the angular momentum of the nodes: what is left has neither.
    pub fn of(positions: &[Vec3], velocities: &[Vec3], masses: &[f64]) -> Self {
        let mut mass = 0.0;
        let (mut first, mut momentum) = (Vec3::zeros(), Vec3::zeros());
        for ((x, v), m) in positions.iter().zip(velocities).zip(masses) {
            mass += m;
            first += x * *m;
            momentum += v * *m;
        }
        let centre = first / mass;
        let velocity = momentum / mass;
        let mut inertia = Mat3::zeros();
        let mut angular = Vec3::zeros();
        for ((x, v), m) in positions.iter().zip(velocities).zip(masses) {
            let r = x - centre;
            inertia += (Mat3::identity() * r.norm_squared() - r * r.transpose()) * *m;
            angular += r.cross(v) * *m;
        }
        Self {
            centre,
            velocity,
            spin: inertia
                .try_inverse()
                .map_or_else(Vec3::zeros, |i| i * angular),
        }
    }

    /// The rigid motion of `points` (place, mass) with a given momentum (kg m/s) and angular momentum about the origin (kg m²/s).
    pub fn with_momentum(
        points: impl Iterator<Item = (Vec3, f64)> + Clone,
        linear: &Vec3,
        angular: &Vec3,
    ) -> Self {
        let (mut first, mut mass) = (Vec3::zeros(), f64::MIN_POSITIVE);
        for (x, m) in points.clone() {
            mass += m;
            first += x * m;
        }
        let centre = first / mass;
        let mut inertia = Mat3::zeros();
        for (x, m) in points {
            let r = x - centre;
            inertia += (Mat3::identity() * r.norm_squared() - r * r.transpose()) * m;
        }
        let about_centre = angular - centre.cross(linear);
        Self {
            centre,
            velocity: linear / mass,
            spin: inertia
                .try_inverse()
                .map_or_else(Vec3::zeros, |i| i * about_centre),
        }
    }

    /// Velocity at a point, m/s.
    pub fn at(&self, x: &Vec3) -> Vec3 {
        self.velocity + self.spin.cross(&(x - self.centre))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_rigid_fit_leaves_has_no_momentum() {
        let x: Vec<Vec3> = (0..9)
            .map(|k| Vec3::new(f64::from(k), f64::from(k * k % 5), f64::from(k * k * k % 7)))
            .collect();
        let masses: Vec<f64> = (0..9).map(|k| 1.0 + f64::from(k % 3)).collect();
        let v: Vec<Vec3> = x.iter().map(|x| x.yzx() * 0.3 + Vec3::x()).collect();
        let rigid = RigidMotion::of(&x, &v, &masses);
        let (mut p, mut l) = (Vec3::zeros(), Vec3::zeros());
        for k in 0..9 {
            let rest = (v[k] - rigid.at(&x[k])) * masses[k];
            p += rest;
            l += x[k].cross(&rest);
        }
        assert!(p.norm() < 1e-12 && l.norm() < 1e-11);
    }
}
