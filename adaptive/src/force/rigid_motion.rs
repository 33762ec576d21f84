//! The rigid part of a motion, on which drag does not act.

use pliant_core::math::{Mat3, Vec3};

/// A velocity field `v + ω × (x − c)`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RigidMotion {
    centre: Vec3,
    velocity: Vec3,
    angular_velocity: Vec3,
}

impl RigidMotion {
    /// No motion.
    pub fn none() -> Self {
        Self::default()
    }

    /// The rigid motion with the momentum and angular momentum of these points, each with position (m), velocity (m/s) and mass (kg). The remaining motion has neither.
    pub fn of(points: impl Iterator<Item = (Vec3, Vec3, f64)> + Clone) -> Self {
        let mut mass = 0.0;
        let (mut first, mut momentum) = (Vec3::zeros(), Vec3::zeros());
        for (x, v, m) in points.clone() {
            mass += m;
            first += x * m;
            momentum += v * m;
        }
        let centre = first / mass;
        let velocity = momentum / mass;
        let mut inertia = Mat3::zeros();
        let mut angular = Vec3::zeros();
        for (x, v, m) in points {
            let r = x - centre;
            inertia += (Mat3::identity() * r.norm_squared() - r * r.transpose()) * m;
            angular += r.cross(&v) * m;
        }
        Self {
            centre,
            velocity,
            angular_velocity: inertia
                .try_inverse()
                .map_or_else(Vec3::zeros, |i| i * angular),
        }
    }

    /// The rigid motion of `points` (position, mass) with a given momentum (kg m/s) and angular momentum about the origin (kg m²/s).
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
            angular_velocity: inertia
                .try_inverse()
                .map_or_else(Vec3::zeros, |i| i * about_centre),
        }
    }

    /// Velocity at a point, m/s.
    pub fn at(&self, x: &Vec3) -> Vec3 {
        self.velocity + self.angular_velocity.cross(&(x - self.centre))
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
        let rigid = RigidMotion::of((0..9).map(|k| (x[k], v[k], masses[k])));
        let (mut p, mut l) = (Vec3::zeros(), Vec3::zeros());
        for k in 0..9 {
            let rest = (v[k] - rigid.at(&x[k])) * masses[k];
            p += rest;
            l += x[k].cross(&rest);
        }
        assert!(p.norm() < 1e-12 && l.norm() < 1e-11);
    }
}
