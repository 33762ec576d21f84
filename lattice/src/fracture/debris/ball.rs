//! The balls that pieces of a broken body touch with.

use pliant_core::math::{Mat3, Vec3};

use crate::asset::sites::{AXES, Sites};

/// No particle.
const NONE: u32 = u32::MAX;
/// A particle and its neighbours along the axes.
const AROUND: usize = 7;
/// Determinant of a spread over the cube of its mean below which particles lie in a plane.
const FLAT: f64 = 1e-3;

/// A ball about the middle of two particles, which may be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ball {
    pub ends: [u32; 2],
    /// the first particle and its neighbours along the axes, through which friction acts; or [`NONE`]
    around: [u32; AROUND],
}

/// Weights of the particles around a ball with which a place next to it moves.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Grip([f64; AROUND]);

impl Ball {
    /// The ball of particle `p`, which had the neighbours `whole_links` while the body was whole.
    pub fn of(sites: &Sites, whole_links: u32, p: u32) -> Self {
        let mut around = [NONE; AROUND];
        around[0] = p;
        for (slot, bit) in around[1..].iter_mut().zip(AXES) {
            sites.for_each_linked_at(p as usize, bit, |q| *slot = q);
        }
        Self {
            ends: [p, inward(sites, whole_links, p)],
            around,
        }
    }

    pub fn middle(&self, of: &[Vec3]) -> Vec3 {
        (of[self.ends[0] as usize] + of[self.ends[1] as usize]) * 0.5
    }

    /// Change of the middle's velocity by an impulse there, 1/kg.
    pub fn yielding(&self, inverse_mass: &[f64]) -> f64 {
        let [a, b] = self.ends.map(|p| inverse_mass[p as usize]);
        if self.ends[0] == self.ends[1] {
            a
        } else {
            0.25 * (a + b)
        }
    }

    /// Takes an impulse (N s) at the middle.
    pub fn push(&self, v: &mut [Vec3], inverse_mass: &[f64], impulse: &Vec3) {
        for p in self.ends.map(|p| p as usize) {
            v[p] += impulse * (0.5 * inverse_mass[p]);
        }
    }

    fn neighbours(&self) -> impl Iterator<Item = (usize, usize)> {
        let known = self.around.into_iter().enumerate();
        known
            .filter(|(_, p)| *p != NONE)
            .map(|(k, p)| (k, p as usize))
    }

    /// The weights of least squares with which the place `at` (m) is a mean of the particles around: an impulse that is shared out with them has its
    /// moment about any point as if it acted at `at`. `None` where these lie in a plane.
    pub fn grip(&self, x: &[Vec3], at: &Vec3) -> Option<Grip> {
        let (mut mean, mut count) = (Vec3::zeros(), 0.0);
        for (_, p) in self.neighbours() {
            (mean, count) = (mean + x[p], count + 1.0);
        }
        mean /= count;
        let mut spread = Mat3::zeros();
        for (_, p) in self.neighbours() {
            spread += (x[p] - mean) * (x[p] - mean).transpose();
        }
        if spread.determinant() < FLAT * (spread.trace() / 3.0).powi(3) {
            return None;
        }
        let toward = spread.try_inverse()? * (at - mean);
        let mut grip = Grip::default();
        for (k, p) in self.neighbours() {
            grip.0[k] = 1.0 / count + (x[p] - mean).dot(&toward);
        }
        Some(grip)
    }

    /// Change of the velocity of the gripped place by an impulse there, 1/kg.
    pub fn grip_yielding(&self, grip: &Grip, inverse_mass: &[f64]) -> f64 {
        let each = self.neighbours();
        each.map(|(k, p)| grip.0[k] * grip.0[k] * inverse_mass[p])
            .sum()
    }

    /// Velocity of the gripped place, m/s.
    pub fn grip_velocity(&self, grip: &Grip, v: &[Vec3]) -> Vec3 {
        self.neighbours().map(|(k, p)| v[p] * grip.0[k]).sum()
    }

    /// Takes an impulse (N s) at the gripped place.
    pub fn grip_push(&self, grip: &Grip, v: &mut [Vec3], inverse_mass: &[f64], impulse: &Vec3) {
        for (k, p) in self.neighbours() {
            v[p] += impulse * (grip.0[k] * inverse_mass[p]);
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
            let ball = Ball::of(&sites, asset.links[p as usize], p);
            let at = ball.middle(&x) + Vec3::new(0.01, -0.02, 0.02);
            let grip = ball.grip(&x, &at).expect("particles in space");
            let here = ball.grip_velocity(&grip, &v);
            assert!((here - velocity - angular_velocity.cross(&at)).norm() < 1e-12);
            let (mut pushed, j) = (v.clone(), Vec3::new(0.3, 0.2, -0.1));
            ball.grip_push(&grip, &mut pushed, &inverse, &j);
            let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
            for q in 0..x.len() {
                let change = (pushed[q] - v[q]) / inverse[q];
                linear += change;
                angular += x[q].cross(&change);
            }
            assert!((linear - j).norm() < 1e-12 && (angular - at.cross(&j)).norm() < 1e-11);
            let change = ball.grip_velocity(&grip, &pushed) - here;
            let yielding = ball.grip_yielding(&grip, &inverse);
            assert!((change - j * yielding).norm() < 1e-12);
        }
    }
}
