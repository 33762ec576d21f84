//! Steps in single precision with two passes over the particles: one damps and pulls, one moves and prepares the next step.
//!
//! The reference, a step of [`crate::step::integrate`], makes a dozen passes over the particles: for the velocities before and after each
//! part of the step that energy accounting compares, for means, for copies in single precision. Here work is summed where velocities change, and the few
//! particles that tools and loads touch are corrected afterwards. Positions in single precision are relative to the centre predicted from the mean velocity.

use std::ops::Range;

use pliant_core::math::Vec3;

use crate::model::LatticeModel;
use crate::numerics::parallel::PARALLEL_THRESHOLD;
use crate::step::frame_plan::FramePlan;
use crate::step::single::pass_memory::{Sums, TouchedParticle};
use crate::step::single::single_precision::SinglePrecision;
use crate::step::single::slab_arrays::{SlabArrays, write_vector};

/// The change of velocities in a step, without loads and tools.
#[derive(Clone, Copy)]
struct Kick<'a> {
    plane: usize,
    cell: f64,
    /// smooth velocity minus velocity, and the share of it that damping adds
    damping: Option<(&'a [f32], f64)>,
    offsets: &'a [f32],
    /// factor from offset to velocity, 1/s, and the common change, m/s
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
            damped += SinglePrecision::vector(changes, self.plane, place, self.cell) * share;
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
        SinglePrecision::vector(self.offsets, self.plane, place, self.cell) * rate + change
    }
}

impl LatticeModel {
    /// Whether the steps of `plan` are taken in two passes.
    pub(crate) fn uses_two_passes(&self, plan: &FramePlan) -> bool {
        let plain = plan.damp_every <= 1 && !plan.damp_globally && self.bones.count() == 0;
        self.fast.is_some() && plain && !self.has_piece_contact() && !self.params.plain_steps
    }

    /// Finds the particles that tools and loads of the frame touch.
    pub(crate) fn find_touched_particles(&mut self) {
        let Some(fast) = self.fast.as_deref_mut() else {
            return;
        };
        let touched = &mut fast.passes.touched;
        touched.clear();
        let loaded = self.loaded.iter().map(|(p, _)| p);
        let all = self.projection.touched().iter().chain(loaded);
        touched.extend(all.map(|&particle| TouchedParticle {
            particle,
            ..TouchedParticle::default()
        }));
        touched.sort_unstable_by_key(|touched| touched.particle);
        touched.dedup_by_key(|touched| touched.particle);
    }

    /// Finds the velocity change by damping, in the planes of the smoother, up to a factor that is returned: the sum over the applications of the Runge–Kutta–Legendre recurrence of
    /// [`crate::step::damping::region_average`]. With `v₁ = v₀ + s D v₀` the second application results in `v₂ − v₀ = μ s (D v₀ + D v₁)`.
    fn find_fast_damping(&mut self, plan: &FramePlan) -> Option<f64> {
        let fast = self.fast.as_deref_mut()?;
        let (plane, scale) = (fast.kernel.layout.plane, 1.0 / self.asset.cell);
        let share = match plan.damping.stages {
            0 => return None,
            1 => plan.damping.gain,
            _ => plan.damping.gain / 3.0,
        };
        if !fast.passes.prepared {
            fast.load_velocities(&self.v, &self.inverse_mass, self.asset.cell);
        }
        let smoother = fast.smoother.as_deref_mut()?;
        smoother.apply(&mut fast.kernel, &fast.state);
        if plan.damping.stages == 1 {
            return Some(share);
        }
        smoother.start_second_stage(share as f32);
        // held particles do not move
        let rest = -fast.passes.mean * scale;
        for &p in self.asset.held.iter().flatten() {
            let [slab, at] = fast.places[p as usize];
            let slab = &mut smoother.velocities[slab as usize * 3 * plane..];
            write_vector(slab, plane, at, &rest);
        }
        smoother.apply(&mut fast.kernel, &fast.state);
        smoother.add_first_stage();
        Some(1.5 * share)
    }

    /// Damps, pulls and adds gravity; stores the offsets of the `last` step of a frame.
    pub(crate) fn kick_in_single_precision(
        &mut self,
        plan: &FramePlan,
        gravity: &Vec3,
        last: bool,
    ) {
        let damping = self.find_fast_damping(plan);
        let accounts_energy = self.steps_account_energy();
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
        let passes = &mut fast.passes;
        passes.sums.clear();
        passes.sums.resize(fast.starts.len() - 1, Sums::default());
        // supports take the momentum of held particles
        for (support, held) in self.asset.held.iter().enumerate() {
            for &p in held {
                let p = p as usize;
                let v = kick.damp(p, places[p], &self.v[p]) + kick.pull(places[p]);
                self.support_impulses[support] -= v * mass[p];
            }
        }
        for touched in &mut passes.touched {
            let p = touched.particle as usize;
            touched.start = self.v[p];
            touched.damped = kick.damp(p, places[p], &self.v[p]);
        }
        let accounts_energy = accounts_energy && (damping.is_some() || plan.drag > 0.0);
        let offsets = match last && self.energy_accounting {
            true => &mut self.offsets[..],
            false => &mut [],
        };
        let rows = SlabArrays {
            vectors: [&mut self.v[..], offsets],
            planes: [&mut [], &mut []],
            sums: &mut passes.sums,
        };
        let slabs = (
            fast.starts.as_slice(),
            plane,
            inverse_mass.len() > PARALLEL_THRESHOLD,
        );
        rows.for_each_slab(slabs, &|range: Range<usize>, rows: SlabArrays<'_>| {
            let [v, offsets] = rows.vectors;
            let mut sum = Sums::default();
            for (v, p) in v.iter_mut().zip(range.clone()) {
                if inverse_mass[p] == 0.0 {
                    *v = Vec3::zeros();
                    continue;
                }
                let damped = kick.damp(p, places[p], v);
                let end = damped + kick.pull(places[p]);
                if accounts_energy {
                    sum.work += mass[p] * (damped - *v).dot(&(*v + end));
                }
                sum.vectors += end;
                *v = end;
            }
            for (offset, p) in offsets.iter_mut().zip(range) {
                *offset = SinglePrecision::vector(kick.offsets, plane, places[p], cell);
            }
            if let Some(out) = rows.sums.first_mut() {
                *out = sum;
            }
        });
        let all = passes.sums.iter();
        let total = all.fold(Sums::default(), |a, b| Sums {
            vectors: a.vectors + b.vectors,
            work: a.work + b.work,
        });
        passes.mean = total.vectors / self.v.len() as f64;
        self.account.dissipated -= 0.5 * total.work;
        for touched in &mut passes.touched {
            touched.pulled = self.v[touched.particle as usize];
            touched.loaded = touched.pulled;
        }
    }

    /// Applies loads; supports take those of held particles.
    pub(crate) fn apply_loads(&mut self, h: f64) {
        if self.loaded.is_empty() {
            return;
        }
        for (p, acceleration) in &self.loaded {
            self.v[*p as usize] += acceleration * h;
        }
        self.stop_held_particles();
        if let Some(fast) = self.fast.as_deref_mut() {
            for touched in &mut fast.passes.touched {
                touched.loaded = self.v[touched.particle as usize];
            }
        }
    }

    /// Counts what tools give and damping takes: each impulse does work with the mean of the velocities before and after the step.
    pub(crate) fn account_touched_particles(&mut self) {
        let Some(fast) = self.fast.as_deref() else {
            return;
        };
        let mut dissipated = 0.0;
        for touched in &fast.passes.touched {
            let p = touched.particle as usize;
            if self.inverse_mass[p] == 0.0 {
                continue;
            }
            let (m, end) = (0.5 * self.asset.mass[p], self.v[p]);
            dissipated -= m * (touched.damped - touched.start).dot(&(end - touched.pulled));
            // counted in full when the frame ends
            dissipated -= m * (end - touched.loaded).dot(&(touched.start + end));
        }
        self.account.dissipated += dissipated;
    }

    /// Moves particles for `h` seconds. With `prepare_next`, converts positions and, if the next step is `damped`, velocities to single precision.
    pub(crate) fn drift_in_single_precision(&mut self, h: f64, prepare_next: bool, damped: bool) {
        let Some(fast) = self.fast.as_deref_mut() else {
            return;
        };
        let plane = fast.kernel.layout.plane;
        let (places, starts) = (fast.places.as_slice(), fast.starts.as_slice());
        let slabs = (starts, plane, self.x.len() > PARALLEL_THRESHOLD);
        let (v, inverse_mass) = (&self.v, &self.inverse_mass);
        let (mean, scale) = (fast.passes.mean, 1.0 / self.asset.cell);
        // the predicted mean position, without the effect of tools
        let center = self.center + mean * h;
        let positions = match prepare_next {
            true => &mut fast.state.positions[..],
            false => &mut [],
        };
        let velocities = match fast.smoother.as_deref_mut() {
            Some(smoother) if prepare_next && damped => &mut smoother.velocities[..],
            _ => &mut [],
        };
        let prepare_velocities = !velocities.is_empty();
        let rows = SlabArrays {
            vectors: [&mut self.x[..], &mut []],
            planes: [positions, velocities],
            sums: &mut fast.passes.sums,
        };
        rows.for_each_slab(slabs, &|range: Range<usize>, rows: SlabArrays<'_>| {
            let ([x, ..], [positions, velocities]) = (rows.vectors, rows.planes);
            let mut sum = Vec3::zeros();
            for (x, p) in x.iter_mut().zip(range) {
                *x += v[p] * h;
                sum += *x;
                if prepare_next {
                    let at = places[p][1];
                    write_vector(positions, plane, at, &((*x - center) * scale));
                    if prepare_velocities {
                        let own = if inverse_mass[p] > 0.0 {
                            v[p]
                        } else {
                            Vec3::zeros()
                        };
                        write_vector(velocities, plane, at, &((own - mean) * scale));
                    }
                }
            }
            if let Some(out) = rows.sums.first_mut() {
                out.vectors = sum;
            }
        });
        fast.passes.prepared = prepare_next;
        let sum: Vec3 = fast.passes.sums.iter().map(|sum| sum.vectors).sum();
        self.center = sum / self.x.len() as f64;
        self.matched = false;
    }
}
