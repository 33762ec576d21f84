//! Two balls that may touch within a frame.

use pliant_core::math::Vec3;

use crate::fracture::piece_contact::contact_ball::{ContactBall, ContactWeights};

/// The rule for the contact normal of two balls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NormalRule {
    /// The line between the centers: balls of different pieces.
    BetweenCenters,
    /// The normals of both lips, for balls on both sides of one cut: this normal keeps its direction where lips overlap.
    OfLips,
}

/// Two balls that may touch within a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactPair {
    pub balls: [ContactBall; 2],
    pub normal_rule: NormalRule,
    /// impulse along the normal over the change of relative velocity along it, kg
    pub effective_mass: f64,
    /// unit vector from the second ball to the first, in this step
    pub normal: Vec3,
    /// distance of the centers along the normal at which they touch, m
    pub touching_distance: f64,
    /// distance along the normal less the touching distance, in this step, m
    pub gap: f64,
    /// impulse on the first ball along the normal in the last step, N s
    pub impulse: f64,
    /// absent where a piece has only a few particles
    pub friction: Option<FrictionPoint>,
    /// impulse on the first ball across the normal in this step, N s
    pub friction_impulse: Vec3,
}

/// The point between two balls where friction acts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrictionPoint {
    /// weights of the particles around each ball
    pub weights: [ContactWeights; 2],
    /// impulse across the normal over the change of relative velocity there, kg
    pub effective_mass: f64,
}

impl ContactPair {
    /// A pair that touches at `touching_distance`, m. It has copies of both balls.
    pub fn new(
        balls: [ContactBall; 2],
        normal_rule: NormalRule,
        touching_distance: f64,
        inverse_mass: &[f64],
    ) -> Self {
        let sum: f64 = balls.iter().map(|b| b.inverse_mass(inverse_mass)).sum();
        Self {
            balls,
            normal_rule,
            effective_mass: if sum > 0.0 { 1.0 / sum } else { 0.0 },
            normal: Vec3::zeros(),
            touching_distance,
            gap: 0.0,
            impulse: 0.0,
            friction: None,
            friction_impulse: Vec3::zeros(),
        }
    }

    /// Updates normal and gap for particles at `x`, m; the diameter of balls is `cell`, m.
    pub fn update_gap(&mut self, x: &[Vec3], cell: f64) {
        let [a, b] = &self.balls;
        let offset = a.center(x) - b.center(x);
        match self.normal_rule {
            NormalRule::BetweenCenters => {
                // balls at the same position keep their last normal
                let distance = offset.norm();
                if distance > 1e-9 * cell {
                    self.normal = offset / distance;
                }
                self.gap = distance - self.touching_distance;
            }
            NormalRule::OfLips => {
                self.gap = match lip_normal(a, b, x) {
                    Some(normal) if faces(&normal, &offset, cell) => {
                        self.normal = normal;
                        normal.dot(&offset) - self.touching_distance
                    }
                    _ => f64::INFINITY,
                };
            }
        }
    }

    /// Relative velocity of the balls, m/s: of their centers, or of lips where they touch.
    pub fn relative_velocity(&self, v: &[Vec3]) -> Vec3 {
        let [a, b] = &self.balls;
        match (self.normal_rule, &self.friction) {
            (NormalRule::OfLips, Some(point)) => {
                a.velocity_at(&point.weights[0], v) - b.velocity_at(&point.weights[1], v)
            }
            _ => a.center(v) - b.center(v),
        }
    }

    /// The point where friction acts, for particles at `x`, m.
    pub fn friction_point(&self, x: &[Vec3], inverse_mass: &[f64]) -> Option<FrictionPoint> {
        let [a, b] = &self.balls;
        let midpoint = (a.center(x) + b.center(x)) * 0.5;
        let weights = [a.weights_at(x, &midpoint)?, b.weights_at(x, &midpoint)?];
        let sum = a.inverse_mass_at(&weights[0], inverse_mass)
            + b.inverse_mass_at(&weights[1], inverse_mass);
        (sum > 0.0).then(|| FrictionPoint {
            weights,
            effective_mass: 1.0 / sum,
        })
    }
}

/// Largest distance across the normal at which balls of two lips touch, cells. Each ball then touches one to four balls of a flat lip.
const LIP_RADIUS: f64 = 0.75;

/// Whether the ball of one lip, at `offset` (m) from that of the other, faces it.
pub(super) fn faces(normal: &Vec3, offset: &Vec3, cell: f64) -> bool {
    (offset - normal * normal.dot(offset)).norm() < LIP_RADIUS * cell
}

/// Unit normal of the contact of two lips, from the second to the first, for particles at `x`, m. `None` where the lips do not face each other,
/// or have no normal.
pub(super) fn lip_normal(a: &ContactBall, b: &ContactBall, x: &[Vec3]) -> Option<Vec3> {
    let (out_of_a, out_of_b) = (a.lip_direction(x), b.lip_direction(x));
    if out_of_a.dot(&out_of_b) > 0.0 {
        return None;
    }
    (out_of_b - out_of_a).try_normalize(1e-9)
}
