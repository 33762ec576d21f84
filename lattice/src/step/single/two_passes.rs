//! Steps in single precision with two passes over the particles: one damps and pulls, one moves and prepares the next step.
//!
//! A step of [`crate::step::integrate`], which is the reference for this one, goes over the particles a dozen times: for the velocities before and after each
//! part of the step that the account of energy compares, for means, for copies in single precision. Here work is summed where velocities change, and the few
//! particles that tools and loads touch are corrected afterwards. What goes to single precision is taken about the middle that is foreseen from the mean velocity.

use std::ops::Range;

use pliant_core::math::Vec3;

use crate::model::LatticeModel;
use crate::numerics::parallel::PARALLEL_THRESHOLD;
use crate::step::frame_plan::FramePlan;
use crate::step::single::fast::Fast;
use crate::step::single::pass_memory::{Spot, Sums};
use crate::step::single::rows::Rows;

/// What a step does to the velocity of a particle, but for loads and tools.
#[derive(Clone, Copy)]
struct Kick<'a> {
    plane: usize,
    cell: f64,
    /// smooth velocity minus velocity, and the share of it that damping takes
    damping: Option<(&'a [f32], f64)>,
    offsets: &'a [f32],
    /// goal minus position to velocity, 1/s, and what acts on all, m/s
    pull: (f64, Vec3),
    drag: f64,
    supported: &'a [bool],
}

impl Kick<'_> {
    /// Velocity after damping of particle `p`, which had the velocity `v`.
    #[inline(always)]
    fn damp(&self, p: usize, place: [u32; 2], v: &Vec3) -> Vec3 {
        let mut damped = *v;
        if let Some((changes, share)) = self.damping {
            damped += Fast::vector(changes, self.plane, place, self.cell) * share;
        }
        if self.drag > 0.0 && self.supported[p] {
            damped *= 1.0 - self.drag;
        }
        damped
    }

    /// Change of velocity by pull and gravity.
    #[inline(always)]
    fn pull(&self, place: [u32; 2]) -> Vec3 {
        let (rate, change) = self.pull;
        Fast::vector(self.offsets, self.plane, place, self.cell) * rate + change
    }
}

impl LatticeModel {
    /// Whether the steps of `plan` are taken in two passes.
    pub(crate) fn steps_fast(&self, plan: &FramePlan) -> bool {
        let plain = plan.damp_every <= 1 && !plan.globally && self.bones.count() == 0;
        self.fast.is_some() && plain && !self.has_debris() && !self.params.plain_steps
    }

    /// Step `k` of the `plan` of a frame of `duration` seconds, in two passes.
    pub(crate) fn step_fast(&mut self, plan: &FramePlan, k: u32, gravity: &Vec3, duration: f64) {
        let (h, time) = (plan.step, f64::from(k) * plan.step);
        self.find_fast_goals();
        if k <= 1 {
            self.find_spots();
        }
        self.kick_fast(plan, gravity, k + 1 == plan.steps);
        self.load_spots(h);
        if !self.projection.is_empty() {
            self.projection
                .project(&mut self.v, &self.x, &self.inverse_mass, time, h, duration);
        }
        self.close_spots();
        self.move_fast(h, k + 1 < plan.steps, plan.damping.stages > 0);
    }

    /// The particles that tools and loads of the frame touch.
    fn find_spots(&mut self) {
        let Some(fast) = self.fast.as_deref_mut() else {
            return;
        };
        let spots = &mut fast.steps.spots;
        spots.clear();
        let loaded = self.loaded.iter().map(|(p, _)| p);
        let all = self.projection.touched().iter().chain(loaded);
        spots.extend(all.map(|&particle| Spot {
            particle,
            ..Spot::default()
        }));
        spots.sort_unstable_by_key(|spot| spot.particle);
        spots.dedup_by_key(|spot| spot.particle);
    }

    /// What damping changes, in planes of the smoother: `Σ` over the applications of the Runge–Kutta–Legendre recurrence of [`crate::step::damping::region_average`], to be multiplied by the share that is
    /// returned. With `v₁ = v₀ + s D v₀` the second application ends in `v₂ − v₀ = μ s (D v₀ + D v₁)`.
    fn find_fast_damping(&mut self, plan: &FramePlan) -> Option<f64> {
        let fast = self.fast.as_deref_mut()?;
        let (plane, scale) = (fast.kernel.layout.plane, 1.0 / self.asset.cell);
        let share = match plan.damping.stages {
            0 => return None,
            1 => plan.damping.gain,
            _ => plan.damping.gain / 3.0,
        };
        if !fast.steps.ready {
            fast.put_velocities(&self.v, &self.inverse_mass, self.asset.cell);
        }
        let smoother = fast.smoother.as_deref_mut()?;
        smoother.apply(&mut fast.kernel, &fast.state);
        if plan.damping.stages == 1 {
            return Some(share);
        }
        smoother.begin_again(share as f32);
        // held particles stay
        let rest = -fast.steps.mean * scale;
        for &p in self.asset.held.iter().flatten() {
            let [slab, at] = fast.places[p as usize];
            let slab = &mut smoother.velocities[slab as usize * 3 * plane..];
            put(slab, plane, at, &rest);
        }
        smoother.apply(&mut fast.kernel, &fast.state);
        smoother.add_first();
        Some(1.5 * share)
    }

    /// Damps, pulls and adds gravity; the offsets of the `last` step of a frame are kept.
    pub(crate) fn kick_fast(&mut self, plan: &FramePlan, gravity: &Vec3, last: bool) {
        let damping = self.find_fast_damping(plan);
        // groups do without energy accounting
        let (energy_accounting, counts) = (
            self.energy_accounting,
            self.energy_accounting && self.co_step.is_none(),
        );
        let Some(fast) = self.fast.as_deref_mut() else {
            return;
        };
        let (plane, cell) = (fast.kernel.layout.plane, self.asset.cell);
        let smoother = fast.smoother.as_deref();
        let kick = Kick {
            plane,
            cell,
            damping: smoother
                .zip(damping)
                .map(|(s, share)| (&s.changes[..], share)),
            offsets: &fast.state.offsets,
            pull: (plan.alpha / plan.step, gravity * plan.step),
            drag: plan.drag,
            supported: &self.supported,
        };
        let (mass, inverse_mass) = (&self.asset.mass, &self.inverse_mass);
        let places = fast.places.as_slice();
        let steps = &mut fast.steps;
        steps.sums.clear();
        steps.sums.resize(fast.starts.len() - 1, Sums::default());
        // supports take what would move held particles
        for (support, held) in self.asset.held.iter().enumerate() {
            for &p in held {
                let p = p as usize;
                let v = kick.damp(p, places[p], &self.v[p]) + kick.pull(places[p]);
                self.support_impulses[support] -= v * mass[p];
            }
        }
        for spot in &mut steps.spots {
            let p = spot.particle as usize;
            spot.start = self.v[p];
            spot.damped = kick.damp(p, places[p], &self.v[p]);
        }
        let counts = counts && (damping.is_some() || plan.drag > 0.0);
        let offsets = match last && energy_accounting {
            true => &mut self.offsets[..],
            false => &mut [],
        };
        let rows = Rows {
            vectors: [&mut self.v[..], offsets],
            planes: [&mut [], &mut []],
            sums: &mut steps.sums,
        };
        let slabs = (
            fast.starts.as_slice(),
            plane,
            inverse_mass.len() > PARALLEL_THRESHOLD,
        );
        rows.each(slabs, &|range: Range<usize>, rows: Rows<'_>| {
            let Rows {
                vectors: [v, offsets],
                sums,
                ..
            } = rows;
            let mut sum = Sums::default();
            for (v, p) in v.iter_mut().zip(range.clone()) {
                if inverse_mass[p] == 0.0 {
                    *v = Vec3::zeros();
                    continue;
                }
                let damped = kick.damp(p, places[p], v);
                let end = damped + kick.pull(places[p]);
                if counts {
                    sum.work += mass[p] * (damped - *v).dot(&(*v + end));
                }
                sum.vectors += end;
                *v = end;
            }
            for (offset, p) in offsets.iter_mut().zip(range) {
                *offset = Fast::vector(kick.offsets, plane, places[p], cell);
            }
            if let Some(out) = sums.first_mut() {
                *out = sum;
            }
        });
        let all = steps.sums.iter();
        let total = all.fold(Sums::default(), |a, b| Sums {
            vectors: a.vectors + b.vectors,
            work: a.work + b.work,
        });
        steps.mean = total.vectors / self.v.len() as f64;
        self.account.dissipated -= 0.5 * total.work;
        for spot in &mut steps.spots {
            spot.pulled = self.v[spot.particle as usize];
            spot.loaded = spot.pulled;
        }
    }

    /// Adds loads; supports take those of held particles.
    pub(crate) fn load_spots(&mut self, h: f64) {
        if self.loaded.is_empty() {
            return;
        }
        for (p, acceleration) in &self.loaded {
            self.v[*p as usize] += acceleration * h;
        }
        self.hold();
        if let Some(fast) = self.fast.as_deref_mut() {
            for spot in &mut fast.steps.spots {
                spot.loaded = self.v[spot.particle as usize];
            }
        }
    }

    /// Counts what loads and tools changed: each impulse does its work at the mean of the velocities before and after the step.
    fn close_spots(&mut self) {
        let Some(fast) = self.fast.as_deref().filter(|_| self.energy_accounting) else {
            return;
        };
        let (mut dissipated, mut work) = (0.0, 0.0);
        for spot in &fast.steps.spots {
            let p = spot.particle as usize;
            if self.inverse_mass[p] == 0.0 {
                continue;
            }
            let (m, end) = (0.5 * self.asset.mass[p], self.v[p]);
            dissipated -= m * (spot.damped - spot.start).dot(&(end - spot.pulled));
            work += m * (end - spot.loaded).dot(&(spot.start + end));
        }
        self.account.dissipated += dissipated;
        self.account.work += work;
    }

    /// Moves particles for `h` seconds; where steps `follow`, positions and, if those are `damped`, velocities go to single precision.
    pub(crate) fn move_fast(&mut self, h: f64, follow: bool, damped: bool) {
        let Some(fast) = self.fast.as_deref_mut() else {
            return;
        };
        let plane = fast.kernel.layout.plane;
        let (places, starts) = (fast.places.as_slice(), fast.starts.as_slice());
        let slabs = (starts, plane, self.x.len() > PARALLEL_THRESHOLD);
        let (v, inverse_mass) = (&self.v, &self.inverse_mass);
        let (mean, scale) = (fast.steps.mean, 1.0 / self.asset.cell);
        // where the middle will be, but for what tools did
        let center = self.center + mean * h;
        let positions = match follow {
            true => &mut fast.state.positions[..],
            false => &mut [],
        };
        let velocities = match fast.smoother.as_deref_mut() {
            Some(smoother) if follow && damped => &mut smoother.velocities[..],
            _ => &mut [],
        };
        let moves = !velocities.is_empty();
        let rows = Rows {
            vectors: [&mut self.x[..], &mut []],
            planes: [positions, velocities],
            sums: &mut fast.steps.sums,
        };
        rows.each(slabs, &|range: Range<usize>, rows: Rows<'_>| {
            let Rows {
                vectors: [x, ..],
                planes: [positions, velocities],
                sums,
            } = rows;
            let mut sum = Vec3::zeros();
            for (x, p) in x.iter_mut().zip(range) {
                *x += v[p] * h;
                sum += *x;
                if follow {
                    let at = places[p][1];
                    put(positions, plane, at, &((*x - center) * scale));
                    if moves {
                        let own = if inverse_mass[p] > 0.0 {
                            v[p]
                        } else {
                            Vec3::zeros()
                        };
                        put(velocities, plane, at, &((own - mean) * scale));
                    }
                }
            }
            if let Some(out) = sums.first_mut() {
                out.vectors = sum;
            }
        });
        fast.steps.ready = follow;
        let sum: Vec3 = fast.steps.sums.iter().map(|sum| sum.vectors).sum();
        self.center = sum / self.x.len() as f64;
        self.matched = false;
    }
}

/// Writes a vector to place `at` of the three planes of a slab.
#[inline(always)]
fn put(planes: &mut [f32], plane: usize, at: u32, value: &Vec3) {
    let at = at as usize;
    planes[at] = value.x as f32;
    planes[plane + at] = value.y as f32;
    planes[2 * plane + at] = value.z as f32;
}
