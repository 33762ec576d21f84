//! The forces of contacts on a linear body, by projected Gauss–Seidel.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::boundary::{ConstrainedDirections, ConstraintKind, DisplacementConstraint};
use pliant_core::math::{Mat3, Vec3};

/// Most sweeps over all contacts.
const MAX_SWEEPS: usize = 5000;
/// Largest change of a displacement in a sweep, as a share of the largest displacement by contacts, that ends the sweeps. Forces are no measure: those of vertices
/// that repeat each other may change without any motion.
const TOLERANCE: f64 = 1e-10;

/// A contact of a frame.
pub(super) struct ContactRow {
    /// What is prescribed.
    pub(super) constraint: DisplacementConstraint,
    /// Position of the vertex without the forces of contacts, m.
    pub(super) free: Vec3,
    /// Its position at the end of the last frame, m.
    pub(super) last: Vec3,
    /// The force on the body, N: at first that of the last frame.
    pub(super) force: Vec3,
}

/// Solves for the forces of all contacts in a frame of `duration` seconds. `compliance` has the displacement of each of them by a unit force on each, row after row (m/N). Returns
/// whether they have converged.
///
/// # Errors
/// [`Cancelled`] when `progress` says so: many contacts may take thousands of sweeps.
pub(super) fn solve(
    rows: &mut [ContactRow],
    compliance: &[Mat3],
    duration: f64,
    progress: &Progress,
) -> Result<bool, Cancelled> {
    let count = rows.len();
    let mut moved = vec![Vec3::zeros(); count];
    for (k, row) in rows.iter().enumerate() {
        add_force(&mut moved, compliance, k, &row.force);
    }
    for _ in 0..MAX_SWEEPS {
        progress.check()?;
        let mut largest_change = 0.0_f64;
        for (k, row) in rows.iter_mut().enumerate() {
            let own = &compliance[k * count + k];
            let force = row.admissible_force(own, &moved[k], duration);
            let change = force - row.force;
            if change != Vec3::zeros() {
                add_force(&mut moved, compliance, k, &change);
                row.force = force;
                largest_change = largest_change.max((own * change).norm());
            }
        }
        let largest = moved.iter().map(Vec3::norm).fold(0.0, f64::max);
        if largest_change <= TOLERANCE * largest {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Adds the displacements (m) of all contacts by a force (N) on contact `k`.
fn add_force(moved: &mut [Vec3], compliance: &[Mat3], k: usize, force: &Vec3) {
    let count = moved.len();
    for (i, displacement) in moved.iter_mut().enumerate() {
        *displacement += compliance[i * count + k] * force;
    }
}

impl ContactRow {
    /// The force that brings the vertex to its target, projected onto the friction cone, where the other contacts do not change. `own` is its compliance (m/N), `moved` its displacement by
    /// all contacts (m).
    fn admissible_force(&self, own: &Mat3, moved: &Vec3, duration: f64) -> Vec3 {
        let constraint = &self.constraint;
        let position = self.free + moved;
        let gap = constraint.target - position;
        let ConstrainedDirections::Along(n) = constraint.directions else {
            // the trace is at least the largest eigenvalue, so that a step is never too long
            return self.force + constraint.directions.part(&gap) / own.trace();
        };
        let along = n.dot(&(own * n));
        let before = n.dot(&self.force);
        let mut normal = before + n.dot(&gap) / along;
        if constraint.kind == ConstraintKind::Unilateral {
            normal = normal.max(0.0);
        }
        let Some((static_coefficient, kinetic_coefficient)) = constraint.friction.coefficients()
        else {
            return n * normal;
        };
        let tangential = |a: Vec3| a - n * n.dot(&a);
        let position = position + own * n * (normal - before);
        let slip = self.last + constraint.velocity * duration - position;
        // the trace of the tangential part, for the same reason
        let across = own.trace() - along;
        let sticking = tangential(self.force + slip / across);
        let size = sticking.norm();
        let held = static_coefficient * normal.max(0.0);
        if size <= held || size == 0.0 {
            n * normal + sticking
        } else {
            n * normal + sticking * (kinetic_coefficient * normal.max(0.0) / size)
        }
    }
}
