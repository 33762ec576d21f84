//! One constraint of a frame and the impulse that satisfies it.

use crate::boundary::{ConstrainedDirections, ConstraintKind};
use crate::math::Vec3;

/// A vertex counts as held where its weights on free nodes have less than this share of the Euclidean norm of all its weights.
const MIN_FREE_SHARE: f64 = 0.3;
/// Share of a position error that one substep corrects (Baumgarte stabilisation).
const POSITION_CORRECTION: f64 = 0.3;

#[derive(Debug, Clone)]
pub(super) struct Row {
    /// kg; see the function [`effective_mass`]
    pub(super) effective_mass: f64,
    pub(super) directions: ConstrainedDirections,
    pub(super) kind: ConstraintKind,
    /// static and kinetic coefficient
    pub(super) friction: Option<(f64, f64)>,
    /// where the target is when the frame begins and when it ends, m
    pub(super) start: Vec3,
    pub(super) target: Vec3,
    /// (target − start) / duration, m/s
    pub(super) path_velocity: Vec3,
    /// velocity of the touching surface, for friction and work, m/s
    pub(super) velocity: Vec3,
    /// whether [`super::held_rows`] solves it directly, together with others
    pub(super) is_solved_directly: bool,
    /// force that the frame is expected to begin with, N
    pub(super) expected_force: Vec3,
    /// impulse of the last substep, world, N·s
    pub(super) impulse: Vec3,
    /// from the vertex to its target at the end of the substep, m
    pub(super) gap: Vec3,
    /// target velocity along the normal in the next substep, m/s; only for a row along a normal
    pub(super) target_normal_velocity: f64,
}

/// Whether constraints can move a vertex with these `nodes` and `weights`. `is_free` says of a node that no support holds it.
///
/// They cannot where all its nodes are held, or where held nodes have nearly all of its weight. Where the free weights are w, the free nodes would have to move `1/w` times as far as
/// the vertex. On the coarse elements at a support, a millimetre would throw a node out of the body. As small weights have either sign, neighbouring vertices would throw it in
/// opposite directions.
pub fn can_move(nodes: &[u32], weights: &[f64], is_free: impl Fn(u32) -> bool) -> bool {
    let (mut free, mut all) = (0.0, 0.0);
    for (&n, w) in nodes.iter().zip(weights) {
        all += w * w;
        free += if is_free(n) { w * w } else { 0.0 };
    }
    free > 0.0 && free >= MIN_FREE_SHARE * MIN_FREE_SHARE * all
}

/// `1 / Σ w² / m` of a vertex with these `nodes` and `weights`, kg; zero for a vertex that cannot move. `inverse_masses` (1/kg) are zero for held nodes.
pub(super) fn effective_mass(nodes: &[u32], weights: &[f64], inverse_masses: &[f64]) -> f64 {
    let mut inverse_effective_mass = 0.0;
    for (&n, w) in nodes.iter().zip(weights) {
        inverse_effective_mass += w * w * inverse_masses[n as usize];
    }
    let is_free = |n: u32| inverse_masses[n as usize] > 0.0;
    if inverse_effective_mass > 0.0 && can_move(nodes, weights, is_free) {
        1.0 / inverse_effective_mass
    } else {
        0.0
    }
}

impl Row {
    /// Whether it pushes and pulls.
    pub(super) fn is_held(&self) -> bool {
        self.directions.is_held(self.kind)
    }

    /// Total impulse of the row in this substep (N·s), given the velocity `v` (m/s) under its present impulse: the one that reaches the target velocity, projected onto the
    /// friction cone.
    pub(super) fn admissible_impulse(&self, v: &Vec3, step: f64) -> Vec3 {
        match self.directions {
            ConstrainedDirections::All | ConstrainedDirections::Across(_) => {
                let change = self.target_velocity(step) - v;
                self.impulse + self.directions.part(&change) * self.effective_mass
            }
            ConstrainedDirections::Along(n) => {
                let change = self.target_normal_velocity - n.dot(v);
                let mut normal = n.dot(&self.impulse) + change * self.effective_mass;
                if self.kind == ConstraintKind::Unilateral {
                    normal = normal.max(0.0);
                    if normal == 0.0 {
                        // without a normal impulse there is no friction
                        return Vec3::zeros();
                    }
                }
                n * normal + self.friction_impulse(&n, normal, v)
            }
        }
    }

    /// Begins a frame whose first substep takes `step` seconds: a contact starts from the force that is expected of it.
    pub(super) fn warm_start(&mut self, step: f64) {
        let (ConstrainedDirections::Along(n), ConstraintKind::Unilateral) =
            (self.directions, self.kind)
        else {
            return;
        };
        if self.effective_mass > 0.0 && n.dot(&self.expected_force) > 0.0 {
            self.impulse = self.expected_force * step;
        }
    }

    /// Begins a substep of `step` seconds, at whose end the target is `gap` (m) away from where the vertex is now.
    pub(super) fn begin_substep(&mut self, gap: Vec3, step: f64) {
        self.gap = gap;
        if let ConstrainedDirections::Along(n) = self.directions {
            let distance = n.dot(&gap);
            let is_in_front = self.kind == ConstraintKind::Unilateral && distance <= 0.0;
            // in front of the constraint: only the motion that would pass it is stopped
            self.target_normal_velocity = match is_in_front {
                true => distance / step,
                false => n.dot(&self.velocity_over(n * distance, step)),
            };
        }
    }

    /// Target velocity of a held vertex, m/s; it counts in the directions in which the vertex is held.
    pub(super) fn target_velocity(&self, step: f64) -> Vec3 {
        self.velocity_over(self.gap, step)
    }

    /// Velocity (m/s) that follows the moving constraint and corrects a share of the position error; `gap` (m) is measured to the end of the substep.
    fn velocity_over(&self, gap: Vec3, step: f64) -> Vec3 {
        // the error at the beginning of the substep is gap − motion
        let motion = self.path_velocity * step;
        (motion + (gap - motion) * POSITION_CORRECTION) / step
    }

    /// Tangential impulse by Coulomb's law (N·s), for a `normal` impulse along `n` and the velocity `v` (m/s) under the present impulse.
    fn friction_impulse(&self, n: &Vec3, normal: f64, v: &Vec3) -> Vec3 {
        let Some((static_coefficient, kinetic_coefficient)) = self.friction else {
            return Vec3::zeros();
        };
        let tangential = |a: Vec3| a - n * n.dot(&a);
        let sticking = tangential(self.impulse + (self.velocity - v) * self.effective_mass);
        let norm = sticking.norm();
        if norm <= static_coefficient * normal || norm == 0.0 {
            sticking
        } else {
            sticking * (kinetic_coefficient * normal / norm)
        }
    }
}
