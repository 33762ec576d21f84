//! The contact point at servo rate: a god object on the resting skin that sticks and slips by Coulomb's law.
//!
//! The anchor `x^C` lies on the undeformed skin, and `x^H` is the tip of the device; `u = x^H − x^C` is both the displacement of the
//! contact and the penetration (James and Pai, haptics chapter; Zilles and Salisbury 1995 for the god object). One 3×3 stiffness gives the force.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfacePoint;
use pliant_core::mesh::triangle_tree::TriangleTree;

use crate::haptics::contact_force::ContactMode;
use crate::haptics::error::HapticError;
use crate::haptics::geodesic_step::geodesic_step;
use crate::haptics::surface::HapticSurface;

/// Coulomb's law for a point contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointFriction {
    /// Coefficient while sticking.
    pub sticking: f64,
    /// Coefficient while sliding, at most that while sticking.
    pub sliding: f64,
}

impl Default for PointFriction {
    /// 0.4 while sticking, 0.3 while sliding.
    fn default() -> Self {
        Self {
            sticking: 0.4,
            sliding: 0.3,
        }
    }
}

impl PointFriction {
    /// Checks the coefficients.
    ///
    /// # Errors
    /// [`HapticError::Friction`] when one is negative or sliding is above sticking.
    pub fn checked(self) -> Result<Self, HapticError> {
        if self.sliding >= 0.0 && self.sticking >= self.sliding && self.sticking.is_finite() {
            Ok(self)
        } else {
            Err(HapticError::Friction {
                static_coefficient: self.sticking,
                kinetic_coefficient: self.sliding,
            })
        }
    }
}

/// One contact between a tip and the skin.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PointContact {
    /// Anchor on the resting skin; `None` without contact.
    pub anchor: Option<SurfacePoint>,
    /// State after the last tick.
    pub mode: ContactMode,
    /// Current coefficient: that of sticking while the anchor stays, then falling to that of sliding.
    coefficient: f64,
    /// Distance that the tip can move before the next query of the skin, m.
    clearance: f64,
}

/// Most moves of the anchor in one tick: stiffness and normal change along its step.
const MAX_PASSES: usize = 3;
/// Relative tolerance of the friction cone.
const CONE_TOLERANCE: f64 = 0.005;
/// Ticks over which the coefficient falls from sticking to sliding, so that the force has no step when sliding starts.
const COEFFICIENT_DECAY_TICKS: f64 = 20.0;
/// Search distance for the skin without contact, in steps of the tip.
const SEARCH_STEPS: f64 = 32.0;
/// Most edges that the anchor crosses in one pass.
const MAX_CROSSINGS: u32 = 64;

/// Result of a slip step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Slip {
    /// The normal force pulls: the contact ends.
    Open,
    /// Inside the cone of sticking.
    Stick,
    /// The move of the anchor in the tangent plane, m.
    Move(Vec3),
}

/// The closed form of one slip step: with `f = K u` and outward normal `n`, the anchor moves in the tangent plane until the tangential
/// force is `μ` times the normal one (haptics chapter, friction in a cone). Exact for constant `K` on a plane.
pub fn slip(stiffness: &Mat3, offset: &Vec3, normal: &Vec3, friction: PointFriction) -> Slip {
    let force = stiffness * offset;
    let pressing = -force.dot(normal);
    if pressing <= 0.0 {
        return Slip::Open;
    }
    let tangential = force + normal * pressing;
    let size = tangential.norm();
    if size <= friction.sticking * pressing {
        return Slip::Stick;
    }
    let other_axis = if normal.x.abs() < 0.9 {
        Vec3::x()
    } else {
        Vec3::y()
    };
    let Some(t) = normal.cross(&other_axis).try_normalize(1e-12) else {
        return Slip::Stick;
    };
    let b = normal.cross(&t);
    // the move that removes the whole tangential force
    let (kt, kb) = (stiffness * t, stiffness * b);
    let (tt, tb, bt, bb) = (t.dot(&kt), t.dot(&kb), b.dot(&kt), b.dot(&kb));
    let determinant = tt * bb - tb * bt;
    if determinant <= 0.0 {
        return Slip::Stick;
    }
    let (ft, fb) = (t.dot(&tangential), b.dot(&tangential));
    let x = (bb * ft - tb * fb) / determinant;
    let y = (tt * fb - bt * ft) / determinant;
    let full_move = t * x + b * y;
    let gain = normal.dot(&(stiffness * full_move));
    let slope = size + friction.sliding * gain;
    let share = if slope > 0.0 {
        ((size - friction.sliding * pressing) / slope).clamp(0.0, 1.0)
    } else {
        1.0
    };
    Slip::Move(full_move * share)
}

impl PointContact {
    /// One tick: detects or keeps the contact, moves the anchor, and returns the force on the body (N) and the stiffness at the anchor (N/m), both turned by the detail of the surface.
    ///
    /// Detail does not move the anchor: it turns the force with which the skin answers. On steep and narrow detail an anchor that sought the perturbed normal would jump from valley to valley.
    ///
    /// A contact starts where the tip, outside at `before`, is now inside. No allocation; under a microsecond in contact, one closest-point query without.
    pub fn step(
        &mut self,
        surface: &HapticSurface,
        tree: &TriangleTree,
        friction: PointFriction,
        before: &Vec3,
        tip: &Vec3,
    ) -> (Vec3, Mat3) {
        let nothing = (Vec3::zeros(), Mat3::zeros());
        if self.anchor.is_none() {
            self.anchor = self.first_touch(surface, tree, before, tip);
        }
        let Some(mut anchor) = self.anchor else {
            self.mode = ContactMode::Open;
            return nothing;
        };
        let skin = surface.skin();
        let was_sliding = self.mode == ContactMode::Slip;
        if !was_sliding {
            self.coefficient = friction.sticking;
        }
        self.mode = ContactMode::Stick;
        let mut stiffness = surface.stiffness(&anchor);
        let mut offset = tip - skin.point(&anchor);
        let decayed =
            self.coefficient - (friction.sticking - friction.sliding) / COEFFICIENT_DECAY_TICKS;
        let sliding = decayed.max(friction.sliding);
        let mut cone = PointFriction {
            sticking: self.coefficient,
            sliding,
        };
        for _ in 0..MAX_PASSES {
            let normal = surface.normal(&anchor);
            match slip(&stiffness, &offset, &normal, cone) {
                Slip::Stick => break,
                Slip::Open => {
                    *self = Self::default();
                    return nothing;
                }
                Slip::Move(step) => {
                    self.mode = ContactMode::Slip;
                    anchor = geodesic_step(
                        skin,
                        &surface.triangle_neighbours,
                        anchor,
                        step,
                        MAX_CROSSINGS,
                    )
                    .at;
                    stiffness = surface.stiffness(&anchor);
                    offset = tip - skin.point(&anchor);
                    // later passes correct only for changes along the step
                    cone.sticking = sliding * (1.0 + CONE_TOLERANCE) + f64::EPSILON;
                    self.coefficient = sliding;
                }
            }
        }
        let force = stiffness * offset;
        if force.dot(&surface.normal(&anchor)) >= 0.0 {
            *self = Self::default();
            return nothing;
        }
        self.anchor = Some(anchor);
        surface.felt_force(&anchor, (force, stiffness), self.mode)
    }

    /// The surface point where the tip entered the body: outside at `before`, inside at `tip`, and not deeper than it moved. `None` if it did not.
    ///
    /// A far skin is not searched for again until the tip has moved by the distance.
    fn first_touch(
        &mut self,
        surface: &HapticSurface,
        tree: &TriangleTree,
        before: &Vec3,
        tip: &Vec3,
    ) -> Option<SurfacePoint> {
        let moved = (tip - before).norm();
        self.clearance -= moved;
        if self.clearance > moved {
            return None;
        }
        let search_distance = SEARCH_STEPS * moved;
        let Some(nearest) = tree.closest_within(tip, search_distance) else {
            self.clearance = search_distance;
            return None;
        };
        let distance = nearest.distance_squared.sqrt();
        self.clearance = distance;
        if distance > moved {
            return None;
        }
        let is_inside = |point: &Vec3, found: &SurfacePoint| {
            let offset = point - surface.skin().point(found);
            offset.dot(&surface.normal(found)) < 0.0
        };
        let contact_point = nearest.surface_point();
        if !is_inside(tip, &contact_point) {
            return None;
        }
        let last_nearest = tree.closest_within(before, 2.0 * moved)?.surface_point();
        (!is_inside(before, &last_nearest)).then_some(contact_point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(state: &mut u64) -> f64 {
        *state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    #[test]
    fn a_slip_ends_on_the_cone_and_sticking_inside_it() {
        let mut state = 3;
        let (mut slips, mut sticks, mut lost) = (0, 0, 0);
        for _ in 0..20_000 {
            let q = Mat3::from_fn(|_, _| random(&mut state));
            let skew = Mat3::from_fn(|_, _| random(&mut state)) * 0.02;
            let stiffness = q * q.transpose() + Mat3::identity() * 0.3 + skew;
            let v = Vec3::from_fn(|_, _| random(&mut state));
            let normal = (v + Vec3::new(1e-3, 0.0, 0.0)).normalize();
            let offset = Vec3::from_fn(|_, _| random(&mut state));
            let friction = PointFriction::default();
            match slip(&stiffness, &offset, &normal, friction) {
                Slip::Open => assert!((stiffness * offset).dot(&normal) >= 0.0),
                Slip::Stick => sticks += 1,
                Slip::Move(step) => {
                    assert!(step.dot(&normal).abs() < 1e-9 * (1.0 + step.norm()));
                    let force = stiffness * (offset - step);
                    let pressing = -force.dot(&normal);
                    if pressing <= 0.0 {
                        lost += 1;
                        continue;
                    }
                    slips += 1;
                    let tangential = (force + normal * pressing).norm();
                    let error = (tangential - friction.sliding * pressing).abs();
                    assert!(error < 1e-11 * (1.0 + force.norm()), "{error}");
                }
            }
        }
        assert!(slips > 3_000 && sticks > 500 && lost < slips);
    }
}
