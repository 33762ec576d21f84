//! The step in double precision: the reference of the steps that are timed.

use std::sync::Arc;

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::benchmark::blocks::{ALPHA, STEP, wave};
use crate::benchmark::stepped_body::SteppedBody;
use crate::step::damping::plan::DampingPlan;
use crate::step::damping::region_average::RegionAverage;
use crate::step::goal::pull;
use crate::step::matching::Matching;
use crate::step::summation::Summation;

/// Largest difference from double precision over half the body's longest side, both in cells: some roundings (6e-8) of the largest position.
const TOLERANCE: f64 = 5e-7;

/// The step in double precision.
pub(crate) struct Reference {
    asset: Arc<LatticeAsset>,
    summation: Summation,
    matching: Matching,
    q: Vec<[f64; 4]>,
    x: Vec<Vec3>,
    v: Vec<Vec3>,
    offsets: Vec<Vec3>,
    damping: DampingPlan,
    averages: RegionAverage,
    inverse_mass: Vec<f64>,
}

impl Reference {
    /// A body of `asset` that is deformed by [`wave`], damped with `gain`.
    pub(crate) fn new(asset: Arc<LatticeAsset>, gain: f64) -> Self {
        let place = |x: &Vec3| Vec3::from(wave((*x).into()));
        Self {
            summation: Summation::new(&asset, None),
            matching: Matching::new(&asset),
            q: vec![[1.0, 0.0, 0.0, 0.0]; asset.region_count()],
            x: asset.rest.iter().map(place).collect(),
            v: vec![Vec3::zeros(); asset.particle_count()],
            offsets: vec![Vec3::zeros(); asset.particle_count()],
            damping: DampingPlan::new(gain),
            averages: RegionAverage::new(&asset),
            inverse_mass: asset.mass.iter().map(|mass| mass.recip()).collect(),
            asset,
        }
    }

    fn find_goals(&mut self) {
        let center = Vec3::zeros();
        self.matching
            .moments(&self.asset, &self.summation, &self.x, &center);
        if self.damping.stages > 0 {
            self.damp(&center);
        }
        self.matching.fit(&self.asset, &mut self.q, true);
        self.matching.spread(&self.asset, &self.summation);
        pull(
            &self.asset,
            &self.matching.transform_sums,
            (&self.x, &center),
            (ALPHA / STEP, &Vec3::zeros()),
            &mut self.v,
            &mut self.offsets,
        );
    }

    /// Draws velocities to the rigid motions of regions, whose moments are those of the present positions.
    fn damp(&mut self, center: &Vec3) {
        let (at, sums) = ((self.x.as_slice(), center), &self.matching.sums);
        let moment = |r: usize| Vec3::new(sums[r][0], sums[r][1], sums[r][2]);
        self.averages
            .prepare(&self.asset, &self.summation, at, moment);
        self.averages.relax(
            &self.asset,
            &self.summation,
            at,
            &self.damping,
            &self.inverse_mass,
            &mut self.v,
        );
    }

    pub(crate) fn step(&mut self) {
        self.find_goals();
        for (x, v) in self.x.iter_mut().zip(&self.v) {
            *x += v * STEP;
        }
    }

    /// Compares the goals of `body`, which is where this is.
    pub(crate) fn check(&mut self, body: &mut SteppedBody) -> Result<(), String> {
        let Some(found) = body.find_offsets() else {
            return Ok(());
        };
        self.find_goals();
        let longest = self.asset.dims.iter().copied().max().unwrap_or(0);
        let tolerance = TOLERANCE * 0.5 * longest as f64;
        for (p, (offset, found)) in self.offsets.iter().zip(found).enumerate() {
            let off = (found - offset).amax();
            if off > tolerance {
                return Err(format!(
                    "the goal of particle {p} is {off:e} cells off in single precision"
                ));
            }
        }
        self.v.fill(Vec3::zeros());
        Ok(())
    }
}
