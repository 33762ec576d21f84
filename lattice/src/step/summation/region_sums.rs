//! Sums over regions, prepared for one lattice. This file alone decides which algorithm is used.

use super::running::RunningPlan;
use super::{bar_plate_cube, naive};
use crate::asset::LatticeAsset;
use crate::asset::sum_plan::SumPlan;
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill};
use crate::params::Sums;
use crate::step::summation::scratch::Scratch;

/// Sums over the regions of one lattice.
#[derive(Debug, Clone)]
pub(crate) struct Summation {
    algorithm: Algorithm,
    parallel: bool,
}

#[derive(Debug, Clone)]
enum Algorithm {
    Naive,
    BarPlateCube,
    Running(Box<RunningPlan>),
}

impl Summation {
    /// Prepares sums over the regions of `asset`; `None` chooses by half-width and shape.
    pub fn new(asset: &LatticeAsset, sums: Option<Sums>) -> Self {
        let algorithm = match sums.unwrap_or_else(|| Self::automatic(asset)) {
            Sums::Naive => Algorithm::Naive,
            Sums::BarPlateCube => Algorithm::BarPlateCube,
            Sums::Running => Algorithm::Running(Box::new(RunningPlan::new(asset))),
        };
        Self {
            algorithm,
            parallel: asset.particle_count() > PARALLEL_THRESHOLD,
        }
    }

    /// Sliding sums are faster from w = 3 on, if nearly all regions are boxes and the block is not mostly empty.
    fn automatic(asset: &LatticeAsset) -> Sums {
        let sites: usize = asset.dims.iter().product();
        let boxes = asset.is_box.iter().filter(|b| **b).count();
        let full = 10 * asset.particle_count() >= 3 * sites;
        let regular = 10 * boxes >= 9 * asset.region_count();
        if asset.half_width > 2 && full && regular {
            Sums::Running
        } else {
            Sums::BarPlateCube
        }
    }

    /// The same on the calling thread alone, for callers that are parallel themselves.
    pub fn serial(self) -> Self {
        Self {
            parallel: false,
            ..self
        }
    }

    /// Writes the sum of `field` (one entry a particle) over every distinct region to `out` (one entry a distinct region). Allocates only at
    /// the first use of `scratch`.
    pub fn sum<const C: usize>(
        &self,
        plan: &SumPlan,
        field: &[[f64; C]],
        scratch: &mut Scratch<C>,
        out: &mut [[f64; C]],
    ) {
        match &self.algorithm {
            Algorithm::Naive => naive::sum(plan, field, out),
            Algorithm::BarPlateCube => {
                bar_plate_cube::sum(plan, field, scratch, out, self.parallel)
            }
            Algorithm::Running(running) => running.sum(field, scratch, out, self.parallel),
        }
        if !matches!(self.algorithm, Algorithm::Naive) {
            self.sum_changed(plan, field, scratch, out);
        }
    }

    /// Writes the sum of `of_region` (one entry a distinct region), times the stiffness weights, over the regions of each particle to `out`, by distinct region.
    /// `field` is a buffer of one entry a particle.
    pub fn sum_of_regions<const C: usize>(
        &self,
        asset: &LatticeAsset,
        of_region: &[[f64; C]],
        field: &mut [[f64; C]],
        scratch: &mut Scratch<C>,
        out: &mut [[f64; C]],
    ) {
        if asset.regions_are_particles() && asset.stiffness_weights.is_empty() {
            self.sum(&asset.plan, of_region, scratch, out);
            return;
        }
        for (out, &region) in field.iter_mut().zip(&asset.region_of) {
            let weight = asset.stiffness_weight_of(region as usize);
            *out = of_region[region as usize].map(|x| x * weight);
        }
        self.sum(&asset.plan, field, scratch, out);
    }

    /// Mean of a number of the regions of `asset` over the regions of each particle.
    pub(crate) fn mean(&self, asset: &LatticeAsset, of_region: &[f64]) -> Vec<f64> {
        let own = |&r: &u32| [of_region[r as usize]];
        let field: Vec<[f64; 1]> = asset.region_of.iter().map(own).collect();
        let mut sums = vec![[0.0; 1]; asset.region_count()];
        self.sum(&asset.plan, &field, &mut Scratch::default(), &mut sums);
        let mean = |&r: &u32| sums[r as usize][0] / f64::from(asset.region_size[r as usize]);
        asset.region_of.iter().map(mean).collect()
    }

    /// Overwrites the sums of regions that have changed since baking.
    fn sum_changed<const C: usize>(
        &self,
        plan: &SumPlan,
        field: &[[f64; C]],
        scratch: &mut Scratch<C>,
        out: &mut [[f64; C]],
    ) {
        let (regions, all) = (plan.changed.regions(), plan.changed.all());
        let sums = &mut scratch.changed;
        sums.resize(regions.len(), [0.0; C]);
        fill(self.parallel, sums, |start, part| {
            for (total, runs) in part.iter_mut().zip(&all[start..]) {
                *total = naive::add(runs.iter().copied(), field);
            }
        });
        for (&region, sum) in regions.iter().zip(sums) {
            out[region as usize] = *sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bodies::{Random, asset_of, ball, shapes};

    fn random_field<const C: usize>(count: usize) -> Vec<[f64; C]> {
        let mut random = Random(77);
        (0..count)
            .map(|_| std::array::from_fn(|_| random.next()))
            .collect()
    }

    #[test]
    fn all_algorithms_give_the_naive_sums() {
        for (name, grid) in shapes() {
            for w in 1..=4 {
                let asset = asset_of(&grid, w);
                let field = random_field::<5>(asset.particle_count());
                let sums = |way| {
                    let mut out = vec![[f64::NAN; 5]; asset.region_count()];
                    let mut scratch = Scratch::default();
                    let summation = Summation::new(&asset, Some(way));
                    // twice: left-over memory must not matter
                    for _ in 0..2 {
                        summation.sum(&asset.plan, &field, &mut scratch, &mut out);
                    }
                    out
                };
                let naive = sums(Sums::Naive);
                let largest = naive.iter().flatten().fold(0.0_f64, |a, b| a.max(b.abs()));
                for way in [Sums::BarPlateCube, Sums::Running] {
                    for (a, b) in sums(way).iter().zip(&naive) {
                        for c in 0..5 {
                            assert!(
                                (a[c] - b[c]).abs() <= 1e-12 * largest,
                                "{name} {way:?} w={w}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn several_threads_give_the_same_bits() {
        let asset = asset_of(&ball(10.0, 0.0), 3);
        assert!(asset.particle_count() > PARALLEL_THRESHOLD);
        let field = random_field::<3>(asset.particle_count());
        for way in [Sums::BarPlateCube, Sums::Running] {
            let parallel = Summation::new(&asset, Some(way));
            let serial = parallel.clone().serial();
            let run = |s: &Summation| {
                let mut out = vec![[0.0; 3]; asset.region_count()];
                s.sum(&asset.plan, &field, &mut Scratch::default(), &mut out);
                out
            };
            assert!(run(&parallel) == run(&serial), "{way:?}");
        }
    }
}
