//! The contact balls of pieces and lips of a broken body.

use pliant_core::math::{Mat3, Vec3};

use crate::asset::sites::{AXES, Sites};

/// No particle.
const NONE: u32 = u32::MAX;
/// A particle and its neighbours along the axes.
const AXIS_STENCIL: usize = 7;
/// Determinant of a covariance over the cube of its mean diagonal below which particles count as coplanar.
const MIN_COVARIANCE_RATIO: f64 = 1e-3;

/// A ball around the midpoint of two particles, which may be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContactBall {
    pub ends: [u32; 2],
    /// the first particle and its neighbours along the axes in the order of [`AXES`], or [`NONE`]; friction acts on these
    stencil: [u32; AXIS_STENCIL],
    /// bit `k` is set where the link along `AXES[k]` is broken
    broken_axes: u8,
    /// whether any link of the first particle is broken
    has_lip: bool,
}

/// Weights of the particles around a ball for a point next to it, which moves as their weighted mean.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ContactWeights([f64; AXIS_STENCIL]);

impl ContactBall {
    /// The ball of particle `p`, which had the neighbours `whole_links` while the body was whole.
    pub fn new(sites: &Sites, whole_links: u32, p: u32) -> Self {
        let broken = whole_links & !sites.links[p as usize];
        let mut stencil = [NONE; AXIS_STENCIL];
        stencil[0] = p;
        for (slot, bit) in stencil[1..].iter_mut().zip(AXES) {
            *slot = sites.linked_at(p as usize, bit).last().unwrap_or(NONE);
        }
        Self {
            ends: [p, inner_neighbour(sites, whole_links, p)],
            stencil,
            broken_axes: (0..AXES.len()).fold(0, |bits, k| {
                bits | u8::from(broken >> AXES[k] & 1 == 1) << k
            }),
            has_lip: broken != 0,
        }
    }

    /// Whether the ball lies along a cut or a crack.
    pub fn has_lip(&self) -> bool {
        self.has_lip
    }

    /// Direction out of the body across the cut or crack, for particles at `x` (m): for each broken link along an axis with a linked neighbour on the opposite side, the unit vector from that
    /// neighbour to this particle, summed up. Zero where there are none.
    pub fn lip_direction(&self, x: &[Vec3]) -> Vec3 {
        let mut sum = Vec3::zeros();
        for k in (0..AXES.len()).filter(|k| self.broken_axes >> k & 1 == 1) {
            // opposite directions are next to each other in the list
            let opposite = self.stencil[1 + (k ^ 1)];
            if opposite != NONE {
                let offset = x[self.ends[0] as usize] - x[opposite as usize];
                sum += offset.try_normalize(0.0).unwrap_or_default();
            }
        }
        sum
    }

    /// The mean of `values` of both particles: the center for positions, its velocity for velocities.
    pub fn center(&self, values: &[Vec3]) -> Vec3 {
        (values[self.ends[0] as usize] + values[self.ends[1] as usize]) * 0.5
    }

    /// Change of the velocity of the center by a unit impulse there, 1/kg.
    pub fn inverse_mass(&self, inverse_mass: &[f64]) -> f64 {
        let [a, b] = self.ends.map(|p| inverse_mass[p as usize]);
        if self.ends[0] == self.ends[1] {
            a
        } else {
            0.25 * (a + b)
        }
    }

    /// Applies an impulse (N s) at the center.
    pub fn apply_impulse(&self, v: &mut [Vec3], inverse_mass: &[f64], impulse: &Vec3) {
        for p in self.ends.map(|p| p as usize) {
            v[p] += impulse * (0.5 * inverse_mass[p]);
        }
    }

    /// The particles of the stencil: slot and number of each.
    fn neighbours(&self) -> impl Iterator<Item = (usize, usize)> {
        let slots = self.stencil.into_iter().enumerate();
        slots
            .filter(|(_, p)| *p != NONE)
            .map(|(k, p)| (k, p as usize))
    }

    /// The least-squares weights with which `point` (m) is a mean of the particles of the stencil. An impulse that is distributed with these weights has the
    /// same moment about any point as one that acts at `point`. `None` where the particles are coplanar.
    pub fn weights_at(&self, x: &[Vec3], point: &Vec3) -> Option<ContactWeights> {
        let (mut mean, mut count) = (Vec3::zeros(), 0.0);
        for (_, p) in self.neighbours() {
            (mean, count) = (mean + x[p], count + 1.0);
        }
        mean /= count;
        let mut covariance = Mat3::zeros();
        for (_, p) in self.neighbours() {
            covariance += (x[p] - mean) * (x[p] - mean).transpose();
        }
        if covariance.determinant() < MIN_COVARIANCE_RATIO * (covariance.trace() / 3.0).powi(3) {
            return None;
        }
        let gradient = covariance.try_inverse()? * (point - mean);
        let mut weights = ContactWeights::default();
        for (k, p) in self.neighbours() {
            weights.0[k] = 1.0 / count + (x[p] - mean).dot(&gradient);
        }
        Some(weights)
    }

    /// Change of the velocity of the weighted point by a unit impulse there, 1/kg.
    pub fn inverse_mass_at(&self, weights: &ContactWeights, inverse_mass: &[f64]) -> f64 {
        let neighbours = self.neighbours();
        neighbours
            .map(|(k, p)| weights.0[k] * weights.0[k] * inverse_mass[p])
            .sum()
    }

    /// Velocity of the weighted point, m/s.
    pub fn velocity_at(&self, weights: &ContactWeights, v: &[Vec3]) -> Vec3 {
        self.neighbours().map(|(k, p)| v[p] * weights.0[k]).sum()
    }

    /// Applies an impulse (N s) at the weighted point.
    pub fn apply_impulse_at(
        &self,
        weights: &ContactWeights,
        v: &mut [Vec3],
        inverse_mass: &[f64],
        impulse: &Vec3,
    ) {
        for (k, p) in self.neighbours() {
            v[p] += impulse * (weights.0[k] * inverse_mass[p]);
        }
    }
}

/// The neighbour of particle `p` on the inner side, away from the surface of the body before it broke. `p` itself if that neighbour is no longer linked, or `p` lay within the body.
fn inner_neighbour(sites: &Sites, whole_links: u32, p: u32) -> u32 {
    let mut sum = [0_i32; 3];
    for bit in (0..27).filter(|bit| whole_links >> bit & 1 == 1) {
        for (sum, power) in sum.iter_mut().zip([1, 3, 9]) {
            *sum += bit / power % 3 - 1;
        }
    }
    let largest = sum.iter().map(|s| s.abs()).max().unwrap_or(0);
    if largest == 0 {
        return p;
    }
    let step = sum.map(|s| {
        if 2 * s.abs() >= largest {
            s.signum()
        } else {
            0
        }
    });
    let bit = (step[2] + 1) * 9 + (step[1] + 1) * 3 + step[0] + 1;
    sites
        .linked_at(p as usize, bit as usize)
        .last()
        .unwrap_or(p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bodies::{asset_of, grid_of};

    #[test]
    fn a_weighted_point_moves_rigidly_with_the_body_and_impulses_there_have_their_moment() {
        let asset = asset_of(&grid_of([3, 3, 3], |_| true), 1);
        let sites = Sites::of_asset(&asset);
        let x: Vec<Vec3> = asset
            .rest
            .iter()
            .map(|x| x + Vec3::new(5.0, x.x * x.y, 0.2 * x.z))
            .collect();
        let inverse: Vec<f64> = (0..x.len()).map(|p| 1.0 / (1.0 + p as f64)).collect();
        let (velocity, angular_velocity) = (Vec3::new(0.1, -0.4, 0.3), Vec3::new(1.0, 0.5, -2.0));
        let v: Vec<Vec3> = x
            .iter()
            .map(|x| velocity + angular_velocity.cross(x))
            .collect();
        for p in [0, 1, 5, 21] {
            let ball = ContactBall::new(&sites, asset.links[p as usize], p);
            let point = ball.center(&x) + Vec3::new(0.01, -0.02, 0.02);
            let weights = ball.weights_at(&x, &point).expect("particles in space");
            let before = ball.velocity_at(&weights, &v);
            assert!((before - velocity - angular_velocity.cross(&point)).norm() < 1e-12);
            let (mut after, j) = (v.clone(), Vec3::new(0.3, 0.2, -0.1));
            ball.apply_impulse_at(&weights, &mut after, &inverse, &j);
            let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
            for q in 0..x.len() {
                let change = (after[q] - v[q]) / inverse[q];
                linear += change;
                angular += x[q].cross(&change);
            }
            assert!((linear - j).norm() < 1e-12 && (angular - point.cross(&j)).norm() < 1e-11);
            let change = ball.velocity_at(&weights, &after) - before;
            let inverse_mass = ball.inverse_mass_at(&weights, &inverse);
            assert!((change - j * inverse_mass).norm() < 1e-12);
        }
    }
}
