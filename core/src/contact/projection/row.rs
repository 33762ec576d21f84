//! One constraint of a frame and the impulse that it wants.

use crate::boundary::{ConstrainedDirections, ConstraintKind};
use crate::math::Vec3;

/// Least part of a vertex that is free, as the root of the sum of squares of its weights: below it the vertex counts as held.
const LEAST_FREE: f64 = 0.3;
/// Share of a position error that one substep takes back.
const CORRECTION: f64 = 0.3;

#[derive(Debug, Clone)]
pub(super) struct Row {
    /// see [`effective_mass`]
    pub(super) mass: f64,
    pub(super) directions: ConstrainedDirections,
    pub(super) kind: ConstraintKind,
    pub(super) friction: Option<(f64, f64)>,
    pub(super) start: Vec3,
    pub(super) target: Vec3,
    /// (target − start) / duration
    pub(super) path_velocity: Vec3,
    /// of the touching surface, for friction
    pub(super) velocity: Vec3,
    /// whether it is solved together with others, as [`super::held_rows`] says
    pub(super) is_solved: bool,
    /// world impulse of the last substep
    pub(super) impulse: Vec3,
    /// from where the vertex is to where it should be at the end of the substep
    pub(super) gap: Vec3,
    /// velocity along the normal that the next substep wants, m/s; of a row along a normal
    pub(super) wanted: f64,
}

/// `1 / Σ w² / m` of a vertex with these `nodes` and `weights`, kg; zero for one that cannot give way.
///
/// That is one whose nodes are all held (inverse mass 0, 1/kg), and one that they carry all but for a little: where the free weights are w the free nodes would have to go
/// `1/w` times as far as the vertex. On the coarse elements at a support a millimetre would throw a node out of the body, and as small weights have any sign
/// vertices side by side throw it in opposite directions.
pub(super) fn effective_mass(nodes: &[u32], weights: &[f64], inverse_masses: &[f64]) -> f64 {
    let (mut free, mut all, mut compliance) = (0.0, 0.0, 0.0);
    for (&n, w) in nodes.iter().zip(weights) {
        let inverse_mass = inverse_masses[n as usize];
        all += w * w;
        free += if inverse_mass > 0.0 { w * w } else { 0.0 };
        compliance += w * w * inverse_mass;
    }
    if compliance > 0.0 && free >= LEAST_FREE * LEAST_FREE * all {
        1.0 / compliance
    } else {
        0.0
    }
}

impl Row {
    /// Whether it pushes and pulls.
    pub(super) fn is_held(&self) -> bool {
        self.directions.is_held(self.kind)
    }

    /// Total impulse of this substep that the row wants, given the velocity `v` under the present one.
    pub(super) fn admissible_impulse(&self, v: &Vec3, step: f64) -> Vec3 {
        match self.directions {
            ConstrainedDirections::All | ConstrainedDirections::Across(_) => {
                let change = self.held_velocity(step) - v;
                self.impulse + self.directions.part(&change) * self.mass
            }
            ConstrainedDirections::Along(n) => {
                let mut normal = n.dot(&self.impulse) + (self.wanted - n.dot(v)) * self.mass;
                if self.kind == ConstraintKind::Unilateral {
                    normal = normal.max(0.0);
                    if normal == 0.0 {
                        // what does not press does not rub
                        return Vec3::zeros();
                    }
                }
                n * normal + self.friction_impulse(&n, normal, v)
            }
        }
    }

    /// Takes over where the vertex should be at the end of the substep, from where it is.
    pub(super) fn begin_substep(&mut self, gap: Vec3, step: f64) {
        self.gap = gap;
        if let ConstrainedDirections::Along(n) = self.directions {
            let distance = n.dot(&gap);
            let is_in_front = self.kind == ConstraintKind::Unilateral && distance <= 0.0;
            // in front of the constraint: only the part of the step that would pass it is stopped
            self.wanted = match is_in_front {
                true => distance / step,
                false => n.dot(&self.wanted_velocity(n * distance, step)),
            };
        }
    }

    /// Velocity that a held vertex is to have, m/s, in the directions in which it is held.
    pub(super) fn held_velocity(&self, step: f64) -> Vec3 {
        self.wanted_velocity(self.gap, step)
    }

    /// Velocity that follows the moving constraint and takes back a share of the position error.
    fn wanted_velocity(&self, gap: Vec3, step: f64) -> Vec3 {
        // gap is measured to the end of the substep: the error at its beginning is gap − motion
        let motion = self.path_velocity * step;
        (motion + (gap - motion) * CORRECTION) / step
    }

    fn friction_impulse(&self, n: &Vec3, normal: f64, v: &Vec3) -> Vec3 {
        let Some((static_coefficient, kinetic_coefficient)) = self.friction else {
            return Vec3::zeros();
        };
        let tangential = |a: Vec3| a - n * n.dot(&a);
        let stick = tangential(self.impulse + (self.velocity - v) * self.mass);
        let size = stick.norm();
        if size <= static_coefficient * normal || size == 0.0 {
            stick
        } else {
            stick * (kinetic_coefficient * normal / size)
        }
    }
}
