//! The balls with which pieces and lips of a broken body touch.

use pliant_core::math::{Mat3, Vec3};

use crate::asset::sites::{AXES, Sites};

/// No particle.
const NONE: u32 = u32::MAX;
/// A particle and its neighbours along the axes.
const AXIS_STENCIL: usize = 7;
/// Determinant of a spread over the cube of its mean below which particles lie in a plane.
const MIN_SPREAD: f64 = 1e-3;

/// A ball about the middle of two particles, which may be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContactBall {
    pub ends: [u32; 2],
    /// the first particle and its neighbours along the axes in the order of [`AXES`], through which friction acts; or [`NONE`]
    stencil: [u32; AXIS_STENCIL],
    /// bit `k` is set where the link along `AXES[k]` is broken
    broken_axes: u8,
    /// whether any link is broken
    has_lip: bool,
}

/// Weights of the particles around a ball with which a place next to it moves.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ContactWeights([f64; AXIS_STENCIL]);

impl ContactBall {
    /// The ball of particle `p`, which had the neighbours `whole_links` while the body was whole.
    pub fn new(sites: &Sites, whole_links: u32, p: u32) -> Self {
        let broken = whole_links & !sites.links[p as usize];
        let mut stencil = [NONE; AXIS_STENCIL];
        stencil[0] = p;
        for (slot, bit) in stencil[1..].iter_mut().zip(AXES) {
            sites.for_each_linked_at(p as usize, bit, |q| *slot = q);
        }
        Self {
            ends: [p, inward(sites, whole_links, p)],
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

    /// Out of the body across the cut or crack, for particles at `x` (m): the sum of unit vectors from linked neighbours to this particle, of those
    /// opposite to broken links along the axes. Zero where there are none.
    pub fn lip_direction(&self, x: &[Vec3]) -> Vec3 {
        let mut sum = Vec3::zeros();
        for k in (0..AXES.len()).filter(|k| self.broken_axes >> k & 1 == 1) {
            // opposite directions stand next to each other
            let opposite = self.stencil[1 + (k ^ 1)];
            if opposite != NONE {
                let along = x[self.ends[0] as usize] - x[opposite as usize];
                sum += along.try_normalize(0.0).unwrap_or_default();
            }
        }
        sum
    }

    /// The middle of both particles.
    pub fn center(&self, of: &[Vec3]) -> Vec3 {
        (of[self.ends[0] as usize] + of[self.ends[1] as usize]) * 0.5
    }

    /// Change of the center's velocity by an impulse there, 1/kg.
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

    fn neighbours(&self) -> impl Iterator<Item = (usize, usize)> {
        let known = self.stencil.into_iter().enumerate();
        known
            .filter(|(_, p)| *p != NONE)
            .map(|(k, p)| (k, p as usize))
    }

    /// The weights of least squares with which the place `at` (m) is a mean of the particles around: an impulse that is shared out with them has its
    /// moment about any point as if it acted at `at`. `None` where these lie in a plane.
    pub fn weights_at(&self, x: &[Vec3], at: &Vec3) -> Option<ContactWeights> {
        let (mut mean, mut count) = (Vec3::zeros(), 0.0);
        for (_, p) in self.neighbours() {
            (mean, count) = (mean + x[p], count + 1.0);
        }
        mean /= count;
        let mut spread = Mat3::zeros();
        for (_, p) in self.neighbours() {
            spread += (x[p] - mean) * (x[p] - mean).transpose();
        }
        if spread.determinant() < MIN_SPREAD * (spread.trace() / 3.0).powi(3) {
            return None;
        }
        let toward = spread.try_inverse()? * (at - mean);
        let mut weights = ContactWeights::default();
        for (k, p) in self.neighbours() {
            weights.0[k] = 1.0 / count + (x[p] - mean).dot(&toward);
        }
        Some(weights)
    }

    /// Change of the velocity of the weighted place by an impulse there, 1/kg.
    pub fn inverse_mass_at(&self, weights: &ContactWeights, inverse_mass: &[f64]) -> f64 {
        let each = self.neighbours();
        each.map(|(k, p)| weights.0[k] * weights.0[k] * inverse_mass[p])
            .sum()
    }

    /// Velocity of the weighted place, m/s.
    pub fn velocity_at(&self, weights: &ContactWeights, v: &[Vec3]) -> Vec3 {
        self.neighbours().map(|(k, p)| v[p] * weights.0[k]).sum()
    }

    /// Applies an impulse (N s) at the weighted place.
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

/// The neighbour of particle `p` away from where the body ended at rest, if it is still linked; else, and within the body, `p` itself.
fn inward(sites: &Sites, whole_links: u32, p: u32) -> u32 {
    let mut sum = [0_i32; 3];
    for bit in (0..27).filter(|bit| whole_links >> bit & 1 == 1) {
        for (sum, power) in sum.iter_mut().zip([1, 3, 9]) {
            *sum += bit / power % 3 - 1;
        }
    }
    let most = sum.iter().map(|s| s.abs()).max().unwrap_or(0);
    if most == 0 {
        return p;
    }
    let step = sum.map(|s| if 2 * s.abs() >= most { s.signum() } else { 0 });
    let bit = (step[2] + 1) * 9 + (step[1] + 1) * 3 + step[0] + 1;
    let mut found = p;
    sites.for_each_linked_at(p as usize, bit as usize, |q| found = q);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bodies::{asset_of, grid_of};

    #[test]
    fn a_gripped_place_moves_with_the_body_and_takes_impulses_with_their_moment() {
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
            let at = ball.center(&x) + Vec3::new(0.01, -0.02, 0.02);
            let weights = ball.weights_at(&x, &at).expect("particles in space");
            let here = ball.velocity_at(&weights, &v);
            assert!((here - velocity - angular_velocity.cross(&at)).norm() < 1e-12);
            let (mut pushed, j) = (v.clone(), Vec3::new(0.3, 0.2, -0.1));
            ball.apply_impulse_at(&weights, &mut pushed, &inverse, &j);
            let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
            for q in 0..x.len() {
                let change = (pushed[q] - v[q]) / inverse[q];
                linear += change;
                angular += x[q].cross(&change);
            }
            assert!((linear - j).norm() < 1e-12 && (angular - at.cross(&j)).norm() < 1e-11);
            let change = ball.velocity_at(&weights, &pushed) - here;
            let inverse_mass = ball.inverse_mass_at(&weights, &inverse);
            assert!((change - j * inverse_mass).norm() < 1e-12);
        }
    }
}
