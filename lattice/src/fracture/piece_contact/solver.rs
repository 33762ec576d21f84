//! Impulses that keep balls apart, by projected Gauss–Seidel.

use pliant_core::math::Vec3;

use crate::fracture::piece_contact::energy_bound::bound_energy;
use crate::fracture::piece_contact::pair::{ContactPair, NormalRule};
use crate::fracture::piece_contact::{MARGIN, PieceContact};

/// Coefficient of friction between pieces.
const FRICTION: f64 = 0.3;
/// Penetration that is tolerated, cells.
const SLOP: f64 = 0.01;
/// Share of a penetration that one step corrects.
const CORRECTION: f64 = 0.2;
/// Largest correction of a penetration in a frame, cells, so that pieces are not thrown apart.
const MAX_CORRECTION_PER_FRAME: f64 = 0.1;
/// Number of sweeps in a step.
const SWEEPS: usize = 8;

impl PieceContact {
    /// Applies the impulses of a step of `h` seconds to the velocities `v` (m/s) of particles at `x` (m).
    pub fn solve(&mut self, x: &[Vec3], v: &mut [Vec3], inverse_mass: &[f64], h: f64) {
        if self.is_idle() {
            return;
        }
        let cell = self.cell;
        let max_speed = MAX_CORRECTION_PER_FRAME * cell / self.duration;
        self.velocities_before.clear();
        self.velocities_before.extend_from_slice(v);
        for pair in &mut self.pairs {
            pair.update_gap(x, cell);
            (pair.friction, pair.friction_impulse) = (None, Vec3::zeros());
            if pair.gap < MARGIN * cell {
                pair.friction = pair.friction_point(x, inverse_mass);
                if pair.normal_rule == NormalRule::OfLips {
                    let Some(point) = &pair.friction else {
                        // a single layer of particles does not tell where its lip is
                        (pair.gap, pair.impulse) = (f64::INFINITY, 0.0);
                        continue;
                    };
                    pair.effective_mass = point.effective_mass;
                }
                apply_along_normal(pair, v, inverse_mass, pair.impulse);
            } else {
                pair.impulse = 0.0;
            }
        }
        for sweep in 0..SWEEPS {
            let mut update_impulses = |pair: &mut ContactPair| {
                let relative = pair.relative_velocity(v);
                let depth = (-pair.gap - SLOP * cell).max(0.0);
                let target = if pair.gap > 0.0 {
                    -pair.gap / h
                } else {
                    (CORRECTION * depth / h).min(max_speed)
                };
                let speed = pair.normal.dot(&relative);
                let impulse = (pair.impulse + (target - speed) * pair.effective_mass).max(0.0);
                let change = impulse - pair.impulse;
                if change != 0.0 {
                    pair.impulse = impulse;
                    apply_along_normal(pair, v, inverse_mass, change);
                }
                apply_friction(pair, v, inverse_mass);
            };
            // sweeps alternate their direction, so that no end of a heap is preferred
            if sweep % 2 == 0 {
                self.pairs.iter_mut().for_each(&mut update_impulses);
            } else {
                self.pairs.iter_mut().rev().for_each(&mut update_impulses);
            }
        }
        // where lips press on each other in many places, the separation of one place presses others together: they make no energy at all
        let has_lips = |pair: &ContactPair| pair.normal_rule == NormalRule::OfLips;
        let allowed_speed = match self.pairs.iter().any(has_lips) {
            true => 0.0,
            false => max_speed,
        };
        bound_energy(&self.velocities_before, v, inverse_mass, allowed_speed);
    }
}

/// Updates the impulse of friction within Coulomb's cone.
fn apply_friction(pair: &mut ContactPair, v: &mut [Vec3], inverse_mass: &[f64]) {
    let Some(point) = &pair.friction else {
        return;
    };
    let ([a, b], [weights_a, weights_b]) = (&pair.balls, &point.weights);
    let relative = a.velocity_at(weights_a, v) - b.velocity_at(weights_b, v);
    let tangential = relative - pair.normal * pair.normal.dot(&relative);
    let impulse = pair.friction_impulse - tangential * point.effective_mass;
    let impulse = impulse.cap_magnitude(FRICTION * pair.impulse);
    let change = impulse - pair.friction_impulse;
    if change != Vec3::zeros() {
        a.apply_impulse_at(weights_a, v, inverse_mass, &change);
        b.apply_impulse_at(weights_b, v, inverse_mass, &-change);
        pair.friction_impulse = impulse;
    }
}

/// Applies `impulse` (N s) along the normal to the first ball, and its opposite to the second.
///
/// The normal of lips is not the line between the centers. Their impulses therefore act at one place between the balls, as friction does.
fn apply_along_normal(pair: &ContactPair, v: &mut [Vec3], inverse_mass: &[f64], impulse: f64) {
    let impulse = pair.normal * impulse;
    if let (NormalRule::OfLips, Some(point)) = (pair.normal_rule, &pair.friction) {
        let [a, b] = &point.weights;
        pair.balls[0].apply_impulse_at(a, v, inverse_mass, &impulse);
        pair.balls[1].apply_impulse_at(b, v, inverse_mass, &-impulse);
        return;
    }
    pair.balls[0].apply_impulse(v, inverse_mass, &impulse);
    pair.balls[1].apply_impulse(v, inverse_mass, &-impulse);
}
