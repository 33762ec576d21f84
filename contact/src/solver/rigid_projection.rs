//! The share of an impulse that moves a body as a rigid one.
//!
//! A contact acts on the few nodes around it, and the body's own forces spread the impulse, step by step. A point that closes a good part of a node spacing within one
//! step has passed its neighbour before that happens. So the impulses `j` of fast contacts change velocities by `A M⁻¹ wᵀ j` with `A = (1 − β) 1 + β P`, where P
//! projects on rigid motions. `A` is symmetric with respect to mass, so that the solver converges, and changes neither linear nor angular momentum. Bodies at rest have
//! β = 0, so that contact acts locally.
//!
//! With β = 1 the same numbers are the displacements that correct penetrations. A body that is displaced rigidly gains neither velocity nor strain.

use pliant_core::math::{Mat3, Vec3};

/// Closing distance of a step, over the contact spacing, from which on a body has its full share of rigid motion.
const FULL_SHARE_CLOSING: f64 = 0.2;

/// The rigid part of a body's motion.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RigidMotion {
    /// m/s
    pub velocity: Vec3,
    /// rad/s
    pub angular_velocity: Vec3,
}

/// The change of a body's rigid motion by contact in this step, with its mass and inertia.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RigidProjection {
    /// β, from 0 to 1
    pub share: f64,
    /// m
    pub center: Vec3,
    /// β over the mass, 1/kg
    inverse_mass: f64,
    /// β times the inverse inertia about the centre, 1/(kg m²)
    inverse_inertia: Mat3,
    /// m/s
    velocity: Vec3,
    /// rad/s
    angular_velocity: Vec3,
}

impl RigidProjection {
    /// β of a body that closes gaps at `closing` (m/s) at most, spreads `max_share` of an impulse within one step of contact of `step` seconds, and has contact points `spacing` (m) apart.
    pub fn share(max_share: f64, closing: f64, step: f64, spacing: f64) -> f64 {
        max_share * (closing * step / (FULL_SHARE_CLOSING * spacing)).clamp(0.0, 1.0)
    }

    /// The body of share `share` with nodes at `x` (m) of masses `masses` (kg); nodes that something holds have none.
    pub fn new(share: f64, x: &[Vec3], masses: &[f64]) -> Self {
        let Some(&origin) = x.first().filter(|_| share > 0.0) else {
            return Self::default();
        };
        // all sums in one pass, about a point of the body so that no digits are lost
        let (mut mass, mut moment, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        for (x, m) in x.iter().zip(masses) {
            let r = x - origin;
            mass += m;
            moment += r * *m;
            second += r * (r * *m).transpose();
        }
        let offset = moment / mass;
        second -= offset * moment.transpose();
        let inertia = Mat3::identity() * second.trace() - second;
        match inertia.try_inverse() {
            Some(inverse) => Self {
                share,
                center: origin + offset,
                inverse_mass: share / mass,
                inverse_inertia: inverse * share,
                velocity: Vec3::zeros(),
                angular_velocity: Vec3::zeros(),
            },
            None => Self::default(),
        }
    }

    /// The rigid motion with the momenta of nodes at `x` (m) with velocities `v` (m/s), for a body of share one.
    pub fn motion(&self, x: &[Vec3], v: &[Vec3], masses: &[f64]) -> RigidMotion {
        let (mut momentum, mut angular_momentum) = (Vec3::zeros(), Vec3::zeros());
        for ((x, v), m) in x.iter().zip(v).zip(masses) {
            let p = v * *m;
            momentum += p;
            angular_momentum += (x - self.center).cross(&p);
        }
        RigidMotion {
            velocity: momentum * self.inverse_mass,
            angular_velocity: self.inverse_inertia * angular_momentum,
        }
    }

    /// The same body with `share` times its β.
    pub fn scaled(&self, share: f64) -> Self {
        Self {
            share: self.share * share,
            inverse_mass: self.inverse_mass * share,
            inverse_inertia: self.inverse_inertia * share,
            ..*self
        }
    }

    /// Sets the change of motion to zero.
    pub fn clear(&mut self) {
        (self.velocity, self.angular_velocity) = (Vec3::zeros(), Vec3::zeros());
    }

    /// Whether an impulse has changed the motion.
    pub fn is_changed(&self) -> bool {
        self.velocity != Vec3::zeros() || self.angular_velocity != Vec3::zeros()
    }

    /// Adds the rigid motion to the velocities of nodes at `x`, which are where [`Self::new`] found them: their momentum is the impulse.
    pub fn add_to(&self, v: &mut [Vec3], x: &[Vec3]) {
        for (v, x) in v.iter_mut().zip(x) {
            *v += self.velocity_at(&(x - self.center));
        }
    }

    /// Change of velocity (m/s), or displacement (m), of the point at `r` from the centre.
    #[inline(always)]
    pub fn velocity_at(&self, r: &Vec3) -> Vec3 {
        self.velocity + self.angular_velocity.cross(r)
    }

    /// Changes the motion by the impulse `j` (N s) at `r` from the centre.
    #[inline(always)]
    pub fn apply_impulse(&mut self, r: &Vec3, j: &Vec3) {
        self.velocity += j * self.inverse_mass;
        self.angular_velocity += self.inverse_inertia * r.cross(j);
    }

    /// Velocity change at `r` per impulse there, 1/kg: along `normal`, and at most along any direction across it.
    pub fn compliance(&self, r: &Vec3, normal: &Vec3) -> [f64; 2] {
        let arm = r.cross(normal);
        let along = arm.dot(&(self.inverse_inertia * arm));
        // the trace of Rᵀ I⁻¹ R with the cross matrix R of r
        let all =
            self.inverse_inertia.trace() * r.norm_squared() - r.dot(&(self.inverse_inertia * r));
        [
            self.inverse_mass + along,
            self.inverse_mass + (all - along).max(0.0),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impulse_changes_velocities_by_the_compliance_and_momenta_by_itself() {
        let x: Vec<Vec3> = (0..9)
            .map(|k| {
                let t = f64::from(k);
                Vec3::new((t * 0.9).sin() + 50.0, t.cos(), (t * 1.7).sin())
            })
            .collect();
        let masses: Vec<f64> = (0..9).map(|k| f64::from(k % 4)).collect();
        let mut projection = RigidProjection::new(1.0, &x, &masses);
        let total: f64 = masses.iter().sum();
        let center = x.iter().zip(&masses).map(|(x, m)| x * *m).sum::<Vec3>() / total;
        assert!((projection.center - center).norm() < 1e-12);
        let (at, normal) = (Vec3::new(0.3, -0.4, 0.5), Vec3::new(0.6, 0.0, 0.8));
        let [along, across] = projection.compliance(&at, &normal);
        projection.apply_impulse(&at, &normal);
        let change = projection.velocity_at(&at);
        assert!((change.dot(&normal) - along).abs() < 1e-12);
        let side = Vec3::new(0.8, 0.0, -0.6);
        assert!(across > 0.0 && across >= change.dot(&side).abs());
        let mut v = vec![Vec3::zeros(); 9];
        projection.add_to(&mut v, &x);
        let motion = projection.motion(&x, &v, &masses);
        assert!((motion.velocity * total - normal).norm() < 1e-12);
        assert!((motion.angular_velocity - projection.angular_velocity).norm() < 1e-12);
    }
}
