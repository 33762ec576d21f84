//! One time step: match, damp, pull, constrain, move (Rivers and James 2007, Eq. 1 and 2).
//!
//! Damping acts before the pull, on the velocities at the end of the last step. These obey the constraints, so that a body at rest under a tool has
//! nothing to damp. After the pull, damping would spread the pull of the touched particles, which the tool then cancels, to their
//! neighbours, and the resting shape would depend on the damping.

use pliant_core::math::Vec3;

use crate::fracture::sleep::sleep_state::is_region_asleep;
use crate::model::LatticeModel;
use crate::model::lattice_model::FREE;
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill};
use crate::step::damping::pieces::damp_pieces;
use crate::step::damping::plan::DampingPlan;
use crate::step::frame_plan::FramePlan;
use crate::step::goal::pull;

impl LatticeModel {
    /// Advances by step `k` of the `plan` of a frame of `duration` seconds.
    pub(crate) fn step(&mut self, plan: &FramePlan, k: u32, gravity: &Vec3, duration: f64) {
        // goals that already exist in double precision are the cheapest, as long as no damping needs their sums
        let has_goals = self.matched && plan.damping.stages == 0;
        let step = (k, !has_goals && self.uses_two_passes(plan));
        let time = f64::from(k) * plan.step;
        let impulses = self.change_velocities(plan, step, gravity, (time, duration));
        self.move_by_velocities(plan, step, impulses);
    }

    /// The first half of step `k`, in two passes or not: finds the velocities at its end. It begins at `time` in a frame of `duration` seconds. Returns which impulses acted besides
    /// the pull: damping, between pieces, contact.
    pub(crate) fn change_velocities(
        &mut self,
        plan: &FramePlan,
        (k, two_passes): (u32, bool),
        gravity: &Vec3,
        (time, duration): (f64, f64),
    ) -> [bool; 3] {
        let h = plan.step;
        let accounts_energy = self.steps_account_energy();
        let (contact, pieces_touch) = (!self.projection.is_empty(), self.has_piece_contact());
        let mut damped = false;
        if two_passes {
            self.find_goals_in_single_precision();
            if accounts_energy && k <= 1 {
                self.find_touched_particles();
            }
            self.kick_in_single_precision(plan, gravity, k + 1 == plan.steps);
            self.apply_loads(h);
        } else {
            let fast = !self.matched && self.fast.is_some();
            if fast {
                self.find_goals_in_single_precision();
            } else if !self.matched {
                self.match_shapes(true);
            }
            if accounts_energy {
                self.account.start.copy_from_slice(&self.v);
            }
            damped = self.damp_and_pull(plan, (k, fast), gravity);
            if let Some(f) = self.fracture.as_mut().filter(|_| pieces_touch) {
                if accounts_energy {
                    self.account.before_piece_contact.clone_from(&self.v);
                }
                f.piece_contact
                    .solve(&self.x, &mut self.v, &self.inverse_mass, h);
            }
            if (contact || pieces_touch) && accounts_energy {
                self.account.pulled.copy_from_slice(&self.v);
            }
        }
        if contact {
            self.projection
                .project(&mut self.v, &self.x, &self.inverse_mass, time, h, duration);
        }
        if two_passes && accounts_energy {
            self.account_touched_particles();
        }
        [damped, pieces_touch, contact]
    }

    /// The second half of step `k`, after these impulses: moves the particles.
    pub(crate) fn move_by_velocities(
        &mut self,
        plan: &FramePlan,
        (k, two_passes): (u32, bool),
        impulses: [bool; 3],
    ) {
        let h = plan.step;
        if two_passes {
            self.drift_in_single_precision(h, k + 1 < plan.steps, plan.damping.stages > 0);
            return;
        }
        self.bones.make_velocities_rigid(&self.x, &mut self.v);
        if self.steps_account_energy() {
            self.account.close_step(&self.asset.mass, &self.v, impulses);
        }
        self.move_particles(h);
    }

    /// Whether steps account for energy: groups and large bodies do not.
    pub(crate) fn steps_account_energy(&self) -> bool {
        self.energy_accounting && self.co_step.is_none()
    }

    /// Damps, then pulls to the goals and adds gravity and loads. Damping every few steps is stable only halfway through the pull, where the velocities belong to the time of the positions;
    /// the pull is then split. Step `k`; `fast` says whether the goals are in single precision. Returns whether anything was damped.
    fn damp_and_pull(&mut self, plan: &FramePlan, (k, fast): (u32, bool), gravity: &Vec3) -> bool {
        let damping = plan.damping_at_step(k);
        let damped = damping.is_some() || plan.drag > 0.0;
        let split_pull = damping.is_some() && plan.damp_every > 1;
        if split_pull {
            self.apply_pull(plan, fast, gravity, 0.5);
        }
        let accounts_energy = self.steps_account_energy();
        if damped {
            if accounts_energy {
                self.account.pulled.copy_from_slice(&self.v);
            }
            match damping {
                Some(damping) if fast && !plan.damp_globally => {
                    self.damp_in_single_precision(&damping)
                }
                Some(damping) => self.damp(&damping, plan.damp_globally),
                None => {}
            }
            self.drag(plan);
            self.stop_held_particles();
            if accounts_energy {
                self.account.note_damped(&self.v);
            }
        }
        self.apply_pull(plan, fast, gravity, if split_pull { 0.5 } else { 1.0 });
        damped
    }

    /// A share of a step's pull, gravity and loads.
    fn apply_pull(&mut self, plan: &FramePlan, fast: bool, gravity: &Vec3, share: f64) {
        let h = plan.step * share;
        // α/h of the whole step
        self.pull_to_goals(fast, (plan.alpha * share / plan.step, &(gravity * h)));
        for (p, acceleration) in &self.loaded {
            self.v[*p as usize] += acceleration * h;
        }
        self.stop_held_particles();
    }

    /// Changes velocities by the pull to the goals and by a common change; `rates` are α/h (1/s) and that change (m/s).
    pub(crate) fn pull_to_goals(&mut self, fast: bool, rates: (f64, &Vec3)) {
        if let Some(global) = &self.global {
            let (rate, change) = rates;
            for (p, goal) in global.goals.iter().enumerate() {
                self.offsets[p] = goal - (self.x[p] - self.center);
                self.v[p] += self.offsets[p] * rate + change;
            }
        } else if fast {
            self.pull_in_single_precision(rates);
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
    fn move_particles(&mut self, h: f64) {
        let (parallel, v) = (self.x.len() > PARALLEL_THRESHOLD, &self.v);
        fill(parallel, &mut self.x, |start, x| {
            for (x, v) in x.iter_mut().zip(&v[start..]) {
                *x += v * h;
            }
        });
        self.bones.rotate(h, &mut self.x, &mut self.v);
        self.center = self.mean_position();
        self.matched = false;
    }

    /// Damps regions, or whole pieces if `globally`. A body that is matched as a whole is one piece.
    fn damp(&mut self, damping: &DampingPlan, globally: bool) {
        let whole_body = self.global.is_some();
        if !whole_body && !globally {
            self.damp_regions(damping);
            return;
        }
        let (asset, supported) = (&*self.asset, &self.supported);
        let pieces = (!whole_body).then_some(asset.component.as_slice());
        let count = pieces.map_or(1, |_| asset.component_count());
        let piece = |p: usize| pieces.map_or(0, |pieces| pieces[p] as usize);
        damp_pieces(
            (&asset.mass, &self.x),
            (count, piece),
            |p| !whole_body && supported[p],
            damping.gain,
            &mut self.averages.pieces,
            &mut self.v,
        );
    }

    /// Moves velocities towards the rigid motions of regions; the sums have to be those of the present positions.
    pub(crate) fn damp_regions(&mut self, damping: &DampingPlan) {
        let (asset, sums) = (&*self.asset, &self.matching.sums);
        let at = (self.x.as_slice(), &self.center);
        let moment = |r: usize| Vec3::new(sums[r][0], sums[r][1], sums[r][2]);
        self.averages.prepare(asset, &self.summation, at, moment);
        self.averages.damp(
            asset,
            &self.summation,
            at,
            damping,
            &self.inverse_mass,
            &mut self.v,
        );
    }

    /// Applies drag to supported bodies.
    pub(crate) fn drag(&mut self, plan: &FramePlan) {
        if plan.drag > 0.0 {
            for (v, supported) in self.v.iter_mut().zip(&self.supported) {
                if *supported {
                    *v *= 1.0 - plan.drag;
                }
            }
        }
    }

    /// Stops held particles, whose momentum goes to their supports, and particles of sleeping pieces.
    pub(crate) fn stop_held_particles(&mut self) {
        for (support, held) in self.asset.held.iter().enumerate() {
            let mut momentum = Vec3::zeros();
            for &p in held {
                let v = &mut self.v[p as usize];
                momentum += *v * self.asset.mass[p as usize];
                *v = Vec3::zeros();
            }
            self.support_impulses[support] -= momentum;
        }
        let sleeping = self.fracture.iter().flat_map(|f| f.sleep.particles());
        for p in sleeping {
            self.v[p as usize] = Vec3::zeros();
        }
    }

    /// Computes moments, rotations and goals of the present positions, if energy is accounted for; without `refine_rotations` the rotations do not change.
    pub(crate) fn match_shapes(&mut self, refine_rotations: bool) {
        if !self.energy_accounting {
            // every step computes its own goals
            return;
        }
        if let Some(fast) = &mut self.fast {
            fast.rotations_are_newer = false;
        }
        if let Some(global) = &mut self.global {
            global.fit(&self.asset, &self.x, &self.center);
            self.matched = true;
            return;
        }
        self.matching
            .moments(&self.asset, &self.summation, &self.x, &self.center);
        let sleep = self.fracture.as_ref().map(|f| &f.sleep);
        let sleeps = is_region_asleep(sleep, &self.asset.component);
        self.matching
            .fit(&self.asset, &mut self.q, refine_rotations, sleeps);
        self.matching.sum_transforms(&self.asset, &self.summation);
        self.matched = true;
    }

    /// Mean position, m: the origin of sums, so that they lose no digits far from the world's origin.
    pub(crate) fn mean_position(&self) -> Vec3 {
        if let Some(fast) = &self.fast {
            return fast.mean_position(&self.x);
        }
        // four partial sums in a fixed order: independent additions run at the same time
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
