//! The linearised lattice for several displacements side by side: forces and energies of regions.
//!
//! At rest the stiffness is `K = Σ_r s_r K_r` with `uᵀ K_r u = (α/h²) Σ_{i∈r} m̃_i |u_i − T_r(u)|²`, where `T_r(u)` is the rigid motion nearest to the displacements of the
//! region and `s_r` its factor. It is applied without a matrix, by the same sums over regions as in a step.

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::numerics::inertia::multiply;
use crate::step::damping::region_average::RegionAverage;
use crate::step::summation::{Scratch, Summation};

/// Loads that are solved side by side: three directions at two points.
pub(super) const LOADS: usize = 6;
/// Components of one particle under all loads.
pub(super) const COMPONENTS: usize = 3 * LOADS;
/// Momenta and angular momenta of a region.
const SUMS: usize = 2 * COMPONENTS;

/// Displacements (m) or forces (N) of one particle under all loads; load `k` at `3 k`.
pub(super) type MultiVector = [f64; COMPONENTS];

/// The stiffness operator, which all loads share.
pub(super) struct Operator<'a> {
    pub asset: &'a LatticeAsset,
    summation: Summation,
    /// inverse inertia of each distinct region
    inverse: Vec<[f64; 6]>,
    pub held: Vec<bool>,
    /// `α/h²`, 1/s²
    pub rate: f64,
}

/// Work space of one application.
pub(super) struct Workspace {
    field: Vec<[f64; SUMS]>,
    sums: Vec<[f64; SUMS]>,
    scratch: Scratch<SUMS>,
}

impl Workspace {
    pub fn new(asset: &LatticeAsset) -> Self {
        Self {
            field: vec![[0.0; SUMS]; asset.particle_count()],
            sums: vec![[0.0; SUMS]; asset.region_count()],
            scratch: Scratch::default(),
        }
    }

    /// Sums the field over the regions.
    fn sum(&mut self, summation: &Summation, asset: &LatticeAsset) {
        summation.sum(&asset.plan, &self.field, &mut self.scratch, &mut self.sums);
    }
}

impl<'a> Operator<'a> {
    pub fn new(asset: &'a LatticeAsset, rate: f64) -> Self {
        let summation = Summation::new(asset, None);
        Self {
            asset,
            inverse: RegionAverage::at_rest(asset, &summation).inverse,
            summation: summation.serial(),
            held: asset.held_particles(),
            rate,
        }
    }

    /// Computes momenta and angular momenta of the regions as if the displacements `u` were velocities.
    fn moments(&self, u: &[MultiVector], work: &mut Workspace) {
        let asset = self.asset;
        for (p, (out, u)) in work.field.iter_mut().zip(u).enumerate() {
            let (share, x) = (asset.share[p], &asset.rest[p]);
            for k in 0..LOADS {
                let a = Vec3::new(u[3 * k], u[3 * k + 1], u[3 * k + 2]) * share;
                let l = x.cross(&a);
                out[3 * k..3 * k + 3].copy_from_slice(a.as_slice());
                out[COMPONENTS + 3 * k..COMPONENTS + 3 * k + 3].copy_from_slice(l.as_slice());
            }
        }
        work.sum(&self.summation, asset);
    }

    /// Rigid motion of a region under load `k`: velocity of the origin and angular velocity, and the momentum and the angular momentum about its centre from which it is computed.
    fn rigid(&self, region: usize, s: &[f64; SUMS], k: usize) -> [Vec3; 4] {
        let c = &self.asset.region_center[region];
        let part = |at: usize| Vec3::new(s[at], s[at + 1], s[at + 2]);
        let p = part(3 * k);
        let l = part(COMPONENTS + 3 * k) - c.cross(&p);
        let angular_velocity = multiply(&self.inverse[region], &l);
        let v = p / self.asset.region_mass[region] - angular_velocity.cross(c);
        [v, angular_velocity, p, l]
    }

    /// Forces (N) in equilibrium with displacements `u`, for the factors of regions and their mean at each particle; zero for held particles.
    pub fn apply(
        &self,
        (factors, means): (&[f64], &[f64]),
        u: &[MultiVector],
        work: &mut Workspace,
        out: &mut [MultiVector],
    ) {
        self.moments(u, work);
        let asset = self.asset;
        for (region, factor) in factors.iter().enumerate() {
            let s = work.sums[region];
            for k in 0..LOADS {
                let [v, angular_velocity, _, _] = self.rigid(region, &s, k);
                let (v, angular_velocity) = (v * *factor, angular_velocity * *factor);
                let to = &mut work.sums[region];
                to[3 * k..3 * k + 3].copy_from_slice(v.as_slice());
                to[COMPONENTS + 3 * k..COMPONENTS + 3 * k + 3]
                    .copy_from_slice(angular_velocity.as_slice());
            }
        }
        for (out, &region) in work.field.iter_mut().zip(&asset.region_of) {
            *out = work.sums[region as usize];
        }
        work.sum(&self.summation, asset);
        for (p, out) in out.iter_mut().enumerate() {
            if self.held[p] {
                *out = [0.0; COMPONENTS];
                continue;
            }
            let region = asset.region_of[p] as usize;
            let (s, x) = (&work.sums[region], &asset.rest[p]);
            let share = 1.0 / f64::from(asset.region_size[region]);
            let stiffness = asset.mass[p] * self.rate;
            for k in 0..LOADS {
                let part = |at: usize| Vec3::new(s[at], s[at + 1], s[at + 2]);
                let mean = (part(3 * k) + part(COMPONENTS + 3 * k).cross(x)) * share;
                for (axis, mean) in mean.iter().enumerate() {
                    let own = u[p][3 * k + axis] * means[p];
                    out[3 * k + axis] = (own - mean) * stiffness;
                }
            }
        }
    }

    /// Energies (J) of displacements `u` in each distinct region under each load, without its factor.
    pub fn energies(&self, u: &[MultiVector], work: &mut Workspace) -> Vec<[f64; LOADS]> {
        let asset = self.asset;
        let square =
            |u: &MultiVector, k: usize| u[3 * k..3 * k + 3].iter().map(|x| x * x).sum::<f64>();
        let squares: Vec<[f64; LOADS]> = u
            .iter()
            .zip(&asset.share)
            .map(|(u, share)| std::array::from_fn(|k| share * square(u, k)))
            .collect();
        let mut all = vec![[0.0; LOADS]; asset.region_count()];
        let (plan, scratch) = (&asset.plan, &mut Scratch::default());
        self.summation.sum(plan, &squares, scratch, &mut all);
        self.moments(u, work);
        for (region, (all, sums)) in all.iter_mut().zip(&work.sums).enumerate() {
            for (k, all) in all.iter_mut().enumerate() {
                let [_, angular_velocity, p, l] = self.rigid(region, sums, k);
                let rigid = p.norm_squared() / asset.region_mass[region] + angular_velocity.dot(&l);
                *all = 0.5 * self.rate * (*all - rigid).max(0.0);
            }
        }
        all
    }

    /// Mean of a number of the regions over the regions of each particle.
    pub fn mean(&self, of_region: &[f64]) -> Vec<f64> {
        self.summation.mean(self.asset, of_region)
    }
}
