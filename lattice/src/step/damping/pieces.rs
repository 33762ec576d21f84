//! Damping of each piece as a whole (Müller, Heidelberger, Teschner and Gross 2005; Müller et al. 2006, section 3.5): velocities move towards the rigid motion
//! of the piece, which keeps both momenta.
//!
//! All elastic motions are damped alike, whatever their wavelength, so that slow ones decay faster beside quick ones than with the damping of regions.
//! What a support holds moves towards rest, since its piece cannot move rigidly.

use pliant_core::math::{Mat3, Vec3};

use crate::numerics::inertia::inverse_inertia;

/// Motion of one piece.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Motion {
    mass: f64,
    /// mean position (m) and velocity (m/s), sums while they are found
    middle: Vec3,
    velocity: Vec3,
    /// angular momentum about the middle, later the angular velocity (rad/s)
    angular_velocity: Vec3,
    second: Mat3,
}

/// Moves velocities `v` (m/s) of particles of some `mass` (kg) at `x` (m) by the share `gain` towards the rigid motions of their pieces, or towards rest where
/// one `is_supported`. There are `count` pieces, and `piece` tells that of a particle. `motions` is a buffer.
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
        motion.middle += x[p] * *m;
        motion.velocity += v[p] * *m;
    }
    for motion in motions.iter_mut() {
        motion.middle /= motion.mass;
        motion.velocity /= motion.mass;
    }
    for (p, m) in mass.iter().enumerate() {
        let motion = &mut motions[piece(p)];
        let r = x[p] - motion.middle;
        motion.angular_velocity += r.cross(&v[p]) * *m;
        motion.second += r * r.transpose() * *m;
    }
    for motion in motions.iter_mut() {
        motion.angular_velocity = inverse_inertia(&motion.second) * motion.angular_velocity;
    }
    for (p, v) in v.iter_mut().enumerate() {
        let motion = &motions[piece(p)];
        let rigid = match is_supported(p) {
            true => Vec3::zeros(),
            false => motion.velocity + motion.angular_velocity.cross(&(x[p] - motion.middle)),
        };
        *v += (rigid - *v) * gain;
    }
}
