//! The work of the impulses of a step.
//!
//! Impulses change the kinetic energy by their dot product with the mean of the velocities before and after a step. Using this mean for each
//! impulse splits the change exactly among pull, damping and contact. A contact at rest then takes no energy from a body at rest, although it cancels
//! the pull in every step.
//!
//! The work of tools and grabs is their impulse times their own velocity ([`VelocityProjection::work`]). What a body gains from contact less than that
//! was dissipated.
//!
//! [`VelocityProjection::work`]: pliant_core::contact::VelocityProjection::work

use pliant_core::math::Vec3;

/// Velocities within a step (m/s), and the energies dissipated and supplied since the last reset (J).
#[derive(Debug, Clone, Default)]
pub(crate) struct Account {
    /// at the beginning of the step
    pub start: Vec<Vec3>,
    /// after damping
    pub damped: Vec<Vec3>,
    /// after pull, gravity and loads, before the impulses between pieces; empty while there are none
    pub before_piece_contact: Vec<Vec3>,
    /// after pull, gravity, loads and impulses between pieces
    pub pulled: Vec<Vec3>,
    pub dissipated: f64,
    pub work: f64,
    /// of the last frame, m/s²
    pub gravity: Vec3,
}

impl Account {
    pub fn new(particles: usize) -> Self {
        let zeros = vec![Vec3::zeros(); particles];
        Self {
            start: zeros.clone(),
            damped: zeros.clone(),
            before_piece_contact: Vec::new(),
            pulled: zeros,
            dissipated: 0.0,
            work: 0.0,
            gravity: Vec3::zeros(),
        }
    }

    /// Stores the velocities after damping, which changed them from `pulled` to `v`.
    pub fn note_damped(&mut self, v: &[Vec3]) {
        let before = self.start.iter().zip(&self.pulled);
        for ((damped, (start, pulled)), v) in self.damped.iter_mut().zip(before).zip(v) {
            *damped = start + (v - pulled);
        }
    }

    /// Counts the step that ends with velocities `v`. The flags say which impulses acted besides the pull: damping, between pieces, contact.
    pub fn close_step(
        &mut self,
        mass: &[f64],
        v: &[Vec3],
        [damping, pieces_touch, contact]: [bool; 3],
    ) {
        if damping {
            self.dissipated -= impulse_work(mass, &self.start, v, &self.start, &self.damped);
        }
        if pieces_touch {
            self.dissipated -= impulse_work(
                mass,
                &self.start,
                v,
                &self.before_piece_contact,
                &self.pulled,
            );
        }
        if contact {
            self.dissipated -= impulse_work(mass, &self.start, v, &self.pulled, v);
        }
    }

    /// Counts the `work` (J) that constraints did in a frame. [`Account::close_step`] has deducted what the body gained from them, so that only the rest counts as dissipated.
    pub fn add_constraint_work(&mut self, work: f64) {
        self.work += work;
        self.dissipated += work;
    }
}

/// Work of the impulses that change velocities from `from` to `to`, in a step from `start` to `end`.
fn impulse_work(mass: &[f64], start: &[Vec3], end: &[Vec3], from: &[Vec3], to: &[Vec3]) -> f64 {
    let mut work = 0.0;
    for (p, m) in mass.iter().enumerate() {
        work += m * (to[p] - from[p]).dot(&(start[p] + end[p]));
    }
    0.5 * work
}
