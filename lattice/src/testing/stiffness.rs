//! The small-strain stiffness of a lattice at rest, and the compliance of bars.

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::step::damping::region_average::RegionAverage;
use crate::step::summation::Summation;

/// `M (κ − S)` at rest: forces of displacements for an α/h² of 1/s².
pub(crate) struct Stiffness<'a> {
    asset: &'a LatticeAsset,
    summation: Summation,
    average: RegionAverage,
    unit_inverse_mass: Vec<f64>,
}

impl<'a> Stiffness<'a> {
    pub fn new(asset: &'a LatticeAsset) -> Self {
        let summation = Summation::new(asset, None);
        Self {
            unit_inverse_mass: vec![1.0; asset.particle_count()],
            average: RegionAverage::at_rest(asset, &summation),
            asset,
            summation,
        }
    }

    pub fn forces(&mut self, u: &[Vec3]) -> Vec<Vec3> {
        let at = (self.asset.rest.as_slice(), &Vec3::zeros());
        self.average
            .apply(self.asset, &self.summation, at, u, &self.unit_inverse_mass);
        let force = |p: usize| {
            let mean = self.average.average(self.asset, p, &self.asset.rest[p]);
            (u[p] * self.asset.pull_of(p) - mean) * self.asset.mass[p]
        };
        (0..u.len()).map(force).collect()
    }

    /// Displacements under `load`, where `free` may move and the others have `u`, by conjugate gradients.
    pub fn solve(&mut self, load: &[Vec3], free: &[bool], u: &mut [Vec3]) {
        let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
        let restrict = |v: &mut [Vec3]| {
            v.iter_mut()
                .zip(free)
                .filter(|v| !v.1)
                .for_each(|v| *v.0 = Vec3::zeros());
        };
        let now = self.forces(u);
        let mut r: Vec<Vec3> = load.iter().zip(&now).map(|(f, k)| f - k).collect();
        restrict(&mut r);
        let (mut d, first) = (r.clone(), dot(&r, &r));
        let mut old = first;
        for _ in 0..4000 {
            let mut k = self.forces(&d);
            restrict(&mut k);
            let step = old / dot(&d, &k);
            for p in 0..u.len() {
                u[p] += d[p] * step;
                r[p] -= k[p] * step;
            }
            let new = dot(&r, &r);
            if new < 1e-18 * first {
                return;
            }
            d.iter_mut()
                .zip(&r)
                .for_each(|(d, r)| *d = r + *d * (new / old));
            old = new;
        }
        panic!("no rest");
    }
}

/// Work of a unit push along `way` on the last layer of particles along `axis`, in proportion to their masses, on a lattice of which the `free` particles may move; for an
/// α/h² of 1/s².
pub(crate) fn compliance_of_end(
    asset: &LatticeAsset,
    axis: usize,
    way: &Vec3,
    free: &[bool],
) -> f64 {
    let is_end = |p: &usize| usize::from(asset.sites[*p][axis]) + 1 == asset.dims[axis];
    let end = (0..asset.particle_count()).filter(is_end);
    let total: f64 = end.clone().map(|p| asset.mass[p]).sum();
    let mut load = vec![Vec3::zeros(); asset.particle_count()];
    for p in end {
        load[p] = way * (asset.mass[p] / total);
    }
    let mut u = vec![Vec3::zeros(); load.len()];
    Stiffness::new(asset).solve(&load, free, &mut u);
    u.iter().zip(&load).map(|(u, f)| u.dot(f)).sum()
}
