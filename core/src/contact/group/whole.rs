//! The share of an impulse that a body takes as a whole.
//!
//! A contact gives its impulse to the few nodes around it, and the body's own forces hand it on, step by step. What closes a good part of a node
//! spacing within one step is through its neighbour before that happens. So the impulses `j` of fast contacts change velocities by `A M⁻¹ wᵀ j`,
//! `A = (1 − β) 1 + β P`, where P projects on rigid motions: symmetric with respect to mass, so that the solver converges, and without a change of
//! linear or angular momentum. Bodies at rest have β = 0 and feel contact where it is.
//!
//! With β = 1 the same numbers are displacements, by which penetrations are taken back: a body that moves as a whole gains neither speed nor
//! strain.

use crate::math::{Mat3, Vec3};

/// Closing distance of a step, over the contact spacing, from which on a body takes its whole share.
const FAST: f64 = 0.2;

/// What of a body's motion is rigid.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RigidMotion {
    /// m/s
    pub velocity: Vec3,
    /// rad/s
    pub spin: Vec3,
}

/// A body's rigid motion, as far as contact has changed it in this step.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Whole {
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
    spin: Vec3,
}

impl Whole {
    /// A body that closes gaps at `closing` (m/s) at most and spreads `most` of an impulse within one step of `step` seconds.
    pub fn share(most: f64, closing: f64, step: f64, spacing: f64) -> f64 {
        most * (closing * step / (FAST * spacing)).clamp(0.0, 1.0)
    }

    /// The body of share `share` with nodes at `x` (m) and inverse masses (1/kg).
    pub fn new(share: f64, x: &[Vec3], inverse_masses: &[f64]) -> Self {
        if share <= 0.0 {
            return Self::default();
        }
        let (mass, center) = mass_and_center(x, inverse_masses);
        let mut inertia = Mat3::zeros();
        for (x, m) in x.iter().zip(inverse_masses.iter().map(mass_of)) {
            let r = x - center;
            inertia += (Mat3::identity() * r.norm_squared() - r * r.transpose()) * m;
        }
        match inertia.try_inverse() {
            Some(inverse) => Self {
                share,
                center,
                inverse_mass: share / mass,
                inverse_inertia: inverse * share,
                velocity: Vec3::zeros(),
                spin: Vec3::zeros(),
            },
            None => Self::default(),
        }
    }

    /// The rigid motion with the momenta of nodes at `x` (m) with velocities `v` (m/s), for a body of share one.
    pub fn motion(&self, x: &[Vec3], v: &[Vec3], inverse_masses: &[f64]) -> RigidMotion {
        let (mut momentum, mut spin) = (Vec3::zeros(), Vec3::zeros());
        for ((x, v), m) in x.iter().zip(v).zip(inverse_masses.iter().map(mass_of)) {
            momentum += v * m;
            spin += (x - self.center).cross(v) * m;
        }
        RigidMotion {
            velocity: momentum * self.inverse_mass,
            spin: self.inverse_inertia * spin,
        }
    }

    /// The same body, which takes `share` of what it took.
    pub fn scaled(&self, share: f64) -> Self {
        Self {
            share: self.share * share,
            inverse_mass: self.inverse_mass * share,
            inverse_inertia: self.inverse_inertia * share,
            ..*self
        }
    }

    /// No change yet.
    pub fn stop(&mut self) {
        (self.velocity, self.spin) = (Vec3::zeros(), Vec3::zeros());
    }

    pub fn moves(&self) -> bool {
        self.velocity != Vec3::zeros() || self.spin != Vec3::zeros()
    }

    /// Adds the rigid motion to the velocities of nodes at `x`; about their present centre, so that their momentum is the impulse.
    pub fn add_to(&self, v: &mut [Vec3], x: &[Vec3], inverse_masses: &[f64]) {
        let center = mass_and_center(x, inverse_masses).1;
        for (v, x) in v.iter_mut().zip(x) {
            *v += self.velocity_at(&(x - center));
        }
    }

    /// Change of velocity (m/s), or displacement (m), of the point at `r` from the centre.
    #[inline(always)]
    pub fn velocity_at(&self, r: &Vec3) -> Vec3 {
        self.velocity + self.spin.cross(r)
    }

    /// Takes the impulse `j` (N s) at `r` from the centre.
    #[inline(always)]
    pub fn push(&mut self, r: &Vec3, j: &Vec3) {
        self.velocity += j * self.inverse_mass;
        self.spin += self.inverse_inertia * r.cross(j);
    }

    /// Velocity change at `r` per impulse there, 1/kg: along `normal`, and at most along any direction across it.
    pub fn compliance(&self, r: &Vec3, normal: &Vec3) -> [f64; 2] {
        let lever = r.cross_matrix();
        let turn = lever.transpose() * self.inverse_inertia * lever;
        let along = normal.dot(&(turn * normal));
        [
            self.inverse_mass + along,
            self.inverse_mass + (turn.trace() - along).max(0.0),
        ]
    }
}

/// Nodes that something holds do not count.
fn mass_of(inverse: &f64) -> f64 {
    if *inverse > 0.0 { 1.0 / inverse } else { 0.0 }
}

fn mass_and_center(x: &[Vec3], inverse_masses: &[f64]) -> (f64, Vec3) {
    let mut mass = 0.0;
    let mut moment = Vec3::zeros();
    for (x, m) in x.iter().zip(inverse_masses.iter().map(mass_of)) {
        mass += m;
        moment += x * m;
    }
    (mass, moment / mass)
}
