//! One time step: match, pull, damp, constrain, move (Rivers and James 2007, Eqs. 1 and 2).

use pliant_core::math::Vec3;

use crate::goal::pull;
use crate::model::{FREE, FramePlan, LatticeModel};

impl LatticeModel {
    /// Advances by one step of `plan` that begins at `time` in a frame of `duration` seconds; returns the energy that damping took, J.
    pub(crate) fn step(
        &mut self,
        plan: &FramePlan,
        gravity: &Vec3,
        time: f64,
        duration: f64,
    ) -> f64 {
        let h = plan.step;
        if !self.matched {
            self.match_shapes(true);
        }
        let asset = &*self.asset;
        self.matching.spread(asset, &self.summation);
        let at = (self.x.as_slice(), &self.center);
        pull(
            asset,
            &self.matching.transform_sums,
            at,
            (plan.alpha / h, &(gravity * h)),
            &mut self.v,
            &mut self.offsets,
        );
        for (p, acceleration) in &self.loaded {
            self.v[*p as usize] += acceleration * h;
        }
        self.hold();
        let lost = self.damp(plan);
        self.projection
            .project(&mut self.v, &self.x, &self.inverse_mass, time, h, duration);
        for (x, v) in self.x.iter_mut().zip(&self.v) {
            *x += v * h;
        }
        self.center = self.middle();
        self.matched = false;
        lost
    }

    fn damp(&mut self, plan: &FramePlan) -> f64 {
        if plan.passes.count == 0 {
            return 0.0;
        }
        let (asset, sums) = (&*self.asset, &self.matching.sums);
        let at = (self.x.as_slice(), &self.center);
        let moment = |r: usize| Vec3::new(sums[r][0], sums[r][1], sums[r][2]);
        self.averages.prepare(asset, &self.summation, at, moment);
        let mut lost = 0.0;
        for _ in 0..plan.passes.count {
            let (asset, at) = (&*self.asset, (self.x.as_slice(), &self.center));
            self.averages.apply(asset, &self.summation, at, &self.v);
            lost += self
                .averages
                .relax(asset, at, plan.passes.gain, &mut self.v);
            lost += self.hold();
        }
        lost
    }

    /// Stops held particles; their supports take the momentum. Returns the kinetic energy that this takes, J.
    fn hold(&mut self) -> f64 {
        let mut taken = 0.0;
        for (support, held) in self.asset.held.iter().enumerate() {
            let mut momentum = Vec3::zeros();
            for &p in held {
                let v = &mut self.v[p as usize];
                let mass = self.asset.mass[p as usize];
                momentum += *v * mass;
                taken += 0.5 * mass * v.norm_squared();
                *v = Vec3::zeros();
            }
            self.support_impulses[support] -= momentum;
        }
        taken
    }

    /// Moments and rotations of the present positions; without `improve` the rotations stay as they are.
    pub(crate) fn match_shapes(&mut self, improve: bool) {
        self.matching
            .moments(&self.asset, &self.summation, &self.x, &self.center);
        self.matching.fit(&self.asset, &mut self.q, improve);
        self.matched = true;
    }

    /// Mean position, m: sums about it keep their digits wherever the body is.
    pub(crate) fn middle(&self) -> Vec3 {
        // four partial sums in fixed order, so that additions need not wait for each other
        let mut sums = [Vec3::zeros(); 4];
        for group in self.x.chunks(4) {
            for (sum, x) in sums.iter_mut().zip(group) {
                *sum += x;
            }
        }
        (sums[0] + sums[1] + sums[2] + sums[3]) / self.x.len() as f64
    }

    /// Whether a support holds particle `p`.
    pub(crate) fn is_held(&self, p: usize) -> bool {
        self.holder[p] != FREE
    }
}
