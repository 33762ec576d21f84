//! One time step: match, damp, pull, constrain, move (Rivers and James 2007, Eq. 1 and 2).
//!
//! Damping acts on the velocities that the last step left, before the pull: those obey the constraints, so that a body at rest under a tool has
//! nothing to damp. After the pull, damping would spread the pull of the touched particles, which the tool is about to stop, to their
//! neighbours, and the resting shape would depend on the damping.

use pliant_core::math::Vec3;

use crate::fracture::sleep::sleep_state::is_region_asleep;
use crate::model::LatticeModel;
use crate::model::energy_account::Account;
use crate::model::lattice_model::FREE;
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill};
use crate::step::damping::pieces::damp_pieces;
use crate::step::damping::plan::DampingPlan;
use crate::step::frame_plan::FramePlan;
use crate::step::goal::pull;

impl LatticeModel {
    /// Advances by step `k` of the `plan` of a frame of `duration` seconds.
    pub(crate) fn step(&mut self, plan: &FramePlan, k: u32, gravity: &Vec3, duration: f64) {
        // goals that are there in double precision are cheaper than none, as long as nothing is damped by them
        let given = self.matched && plan.damping.stages == 0;
        if !given && self.steps_fast(plan) {
            self.step_fast(plan, k, gravity, duration);
            return;
        }
        let (h, time) = (plan.step, f64::from(k) * plan.step);
        let fast = !self.matched && self.fast.is_some();
        if fast {
            self.find_fast_goals();
        } else if !self.matched {
            self.match_shapes(true);
        }
        let (contact, debris) = (!self.projection.is_empty(), self.has_debris());
        if self.energy_accounting {
            self.account.start.copy_from_slice(&self.v);
        }
        let damping = self.damp_and_pull(plan, (k, fast), gravity);
        if debris {
            if self.energy_accounting {
                self.account.alone.clone_from(&self.v);
            }
            self.separate_debris(h);
        }
        if (contact || debris) && self.energy_accounting {
            self.account.pulled.copy_from_slice(&self.v);
        }
        if contact {
            self.projection
                .project(&mut self.v, &self.x, &self.inverse_mass, time, h, duration);
        }
        self.bones.stiffen(&self.x, &mut self.v);
        if self.energy_accounting {
            self.account
                .close_step(&self.asset.mass, &self.v, [damping, debris, contact]);
        }
        self.move_particles(h);
    }

    /// Damps, then pulls to the goals and adds gravity and loads; or damps halfway through the pull, where the velocities belong to the time of the positions:
    /// only so is damping every few steps stable. Step `k`; `fast` tells where the goals are. Returns whether anything was damped.
    pub(crate) fn damp_and_pull(
        &mut self,
        plan: &FramePlan,
        (k, fast): (u32, bool),
        gravity: &Vec3,
    ) -> bool {
        let damping = plan.damping_of(k);
        let damped = damping.is_some() || plan.drag > 0.0;
        let halves = damping.is_some() && plan.damp_every > 1;
        if halves {
            self.push(plan, fast, gravity, 0.5);
        }
        // groups and large bodies do without energy accounting
        let energy_accounting = self.energy_accounting && self.co_step.is_none();
        if damped {
            if energy_accounting {
                self.account.pulled.copy_from_slice(&self.v);
            }
            match damping {
                Some(damping) if fast && !plan.globally => self.damp_fast(&damping),
                Some(damping) => self.damp(&damping, plan.globally),
                None => {}
            }
            self.drag(plan);
            self.hold();
            let Account {
                start,
                damped,
                pulled,
                ..
            } = &mut self.account;
            for (p, damped) in damped.iter_mut().enumerate().filter(|_| energy_accounting) {
                *damped = start[p] + (self.v[p] - pulled[p]);
            }
        }
        self.push(plan, fast, gravity, if halves { 0.5 } else { 1.0 });
        damped
    }

    /// A share of a step's pull, gravity and loads.
    fn push(&mut self, plan: &FramePlan, fast: bool, gravity: &Vec3, share: f64) {
        let h = plan.step * share;
        // α/h of the whole step
        self.pull_to_goals(fast, (plan.alpha * share / plan.step, &(gravity * h)));
        for (p, acceleration) in &self.loaded {
            self.v[*p as usize] += acceleration * h;
        }
        self.hold();
    }

    /// Changes velocities by what draws particles to their goals and by what acts on all of them; `rates` are α/h and that change.
    pub(crate) fn pull_to_goals(&mut self, fast: bool, rates: (f64, &Vec3)) {
        if let Some(global) = &self.global {
            let (rate, change) = rates;
            for (p, goal) in global.goals.iter().enumerate() {
                self.offsets[p] = goal - (self.x[p] - self.center);
                self.v[p] += self.offsets[p] * rate + change;
            }
        } else if fast {
            self.pull_fast(rates);
        } else {
            pull(
                &self.asset,
                &self.matching.transform_sums,
                (self.x.as_slice(), &self.center),
                rates,
                &mut self.v,
                &mut self.offsets,
            );
        }
    }

    /// Moves particles by their velocities for `h` seconds, bones as wholes.
    pub(crate) fn move_particles(&mut self, h: f64) {
        let (parallel, v) = (self.x.len() > PARALLEL_THRESHOLD, &self.v);
        fill(parallel, &mut self.x, |start, x| {
            for (x, v) in x.iter_mut().zip(&v[start..]) {
                *x += v * h;
            }
        });
        self.bones.rotate(h, &mut self.x, &mut self.v);
        self.center = self.middle();
        self.matched = false;
    }

    /// Damps regions, or pieces as wholes; all of the body is one piece where it is matched as one.
    fn damp(&mut self, damping: &DampingPlan, globally: bool) {
        let is_one = self.global.is_some();
        if !is_one && !globally {
            self.damp_regions(damping);
            return;
        }
        let (asset, supported) = (&*self.asset, &self.supported);
        let count = if is_one { 1 } else { asset.component_count() };
        let piece = |p: usize| {
            if is_one {
                0
            } else {
                asset.component[p] as usize
            }
        };
        damp_pieces(
            (&asset.mass, &self.x),
            (count, piece),
            |p| !is_one && supported[p],
            damping.gain,
            &mut self.averages.pieces,
            &mut self.v,
        );
    }

    /// Draws velocities to the rigid motions of regions, whose sums belong to the present positions.
    pub(crate) fn damp_regions(&mut self, damping: &DampingPlan) {
        let (asset, sums) = (&*self.asset, &self.matching.sums);
        let at = (self.x.as_slice(), &self.center);
        let moment = |r: usize| Vec3::new(sums[r][0], sums[r][1], sums[r][2]);
        self.averages.prepare(asset, &self.summation, at, moment);
        self.averages.relax(
            asset,
            &self.summation,
            at,
            damping,
            &self.inverse_mass,
            &mut self.v,
        );
    }

    /// Slows supported bodies.
    pub(crate) fn drag(&mut self, plan: &FramePlan) {
        if plan.drag > 0.0 {
            for (v, supported) in self.v.iter_mut().zip(&self.supported) {
                if *supported {
                    *v *= 1.0 - plan.drag;
                }
            }
        }
    }

    /// Stops held particles, whose supports take the momentum, and those of pieces that sleep.
    pub(crate) fn hold(&mut self) {
        for (support, held) in self.asset.held.iter().enumerate() {
            let mut momentum = Vec3::zeros();
            for &p in held {
                let v = &mut self.v[p as usize];
                momentum += *v * self.asset.mass[p as usize];
                *v = Vec3::zeros();
            }
            self.support_impulses[support] -= momentum;
        }
        let sleeping = self.fracturing.iter().flat_map(|f| &f.sleep.particles);
        for &p in sleeping {
            self.v[p as usize] = Vec3::zeros();
        }
    }

    /// Moments, rotations and goals of the present positions, where energy is accounted for; without `improve` the rotations stay as they are.
    pub(crate) fn match_shapes(&mut self, improve: bool) {
        if !self.energy_accounting {
            // every step finds goals anew
            return;
        }
        if let Some(fast) = &mut self.fast {
            fast.outdate();
        }
        if let Some(global) = &mut self.global {
            global.fit(&self.asset, &self.x, &self.center);
            self.matched = true;
            return;
        }
        self.matching
            .moments(&self.asset, &self.summation, &self.x, &self.center);
        let sleep = self.fracturing.as_ref().map(|f| &f.sleep);
        let sleeps = is_region_asleep(sleep, &self.asset.component);
        self.matching.fit(&self.asset, &mut self.q, improve, sleeps);
        self.matching.spread(&self.asset, &self.summation);
        self.matched = true;
    }

    /// Mean position, m: sums about it keep their digits wherever the body is.
    pub(crate) fn middle(&self) -> Vec3 {
        if let Some(fast) = &self.fast {
            return fast.middle_of(&self.x);
        }
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
