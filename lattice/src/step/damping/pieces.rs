//! Damping of each piece as a whole (Müller, Heidelberger, Teschner and Gross 2005; Müller et al. 2006, section 3.5): velocities move towards the rigid motion
//! of the piece, which conserves both momenta.
//!
//! All elastic motions are damped alike, whatever their wavelength. Relative to fast motions, slow ones therefore decay faster than with region damping.
//! Supported pieces cannot move rigidly, so that their velocities move towards zero.

use pliant_core::math::{Mat3, Vec3};

use crate::numerics::inertia::inverse_inertia;

/// Motion of one piece.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Motion {
    mass: f64,
    /// mean position (m) and velocity (m/s); sums until they are divided by the mass
    center: Vec3,
    velocity: Vec3,
    /// angular momentum about the centre, later the angular velocity (rad/s)
    angular_velocity: Vec3,
    second_moments: Mat3,
}

/// Moves velocities `v` (m/s) of particles with masses `mass` (kg) at `x` (m) by the share `gain` towards the rigid motions of their pieces, or towards zero where
/// a particle `is_supported`. There are `count` pieces, and `piece` is that of a particle. `motions` is a buffer.
pub(crate) fn damp_pieces(
    (mass, x): (&[f64], &[Vec3]),
    (count, piece): (usize, impl Fn(usize) -> usize),
    is_supported: impl Fn(usize) -> bool,
    gain: f64,
    motions: &mut Vec<Motion>,
    v: &mut [Vec3],
) {
    motions.clear();
    motions.resize(count, Motion::default());
    for (p, m) in mass.iter().enumerate() {
        let motion = &mut motions[piece(p)];
        motion.mass += m;
        motion.center += x[p] * *m;
        motion.velocity += v[p] * *m;
    }
    for motion in motions.iter_mut() {
        motion.center /= motion.mass;
        motion.velocity /= motion.mass;
    }
    for (p, m) in mass.iter().enumerate() {
        let motion = &mut motions[piece(p)];
        let r = x[p] - motion.center;
        motion.angular_velocity += r.cross(&v[p]) * *m;
        motion.second_moments += r * r.transpose() * *m;
    }
    for motion in motions.iter_mut() {
        motion.angular_velocity = inverse_inertia(&motion.second_moments) * motion.angular_velocity;
    }
    for (p, v) in v.iter_mut().enumerate() {
        let motion = &motions[piece(p)];
        let rigid = match is_supported(p) {
            true => Vec3::zeros(),
            false => motion.velocity + motion.angular_velocity.cross(&(x[p] - motion.center)),
        };
        *v += (rigid - *v) * gain;
    }
}
