//! Goals, pull and damping of a step in single precision, one after the other: the reference for [`crate::step::single::two_passes`].

use pliant_core::math::Vec3;

use crate::fracture::sleep::sleep_state::is_region_asleep;
use crate::model::LatticeModel;
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill, fill_two};
use crate::step::damping::plan::DampingPlan;
use crate::step::single::single_precision::SinglePrecision;

impl LatticeModel {
    /// Finds the goals of the present positions.
    pub(crate) fn find_goals_in_single_precision(&mut self) {
        let Some(fast) = &mut self.fast else {
            return;
        };
        if !fast.rotations_are_newer {
            fast.load_rotations(&self.asset, &self.q);
            fast.rotations_are_newer = true;
        }
        let (x, center, scale) = (&self.x, self.center, 1.0 / self.asset.cell);
        let plane = fast.kernel.layout.plane;
        let positions = &mut fast.state.positions;
        let places = (fast.places.as_slice(), fast.starts.as_slice());
        if !fast.passes.prepared {
            SinglePrecision::write_planes(places, plane, positions, |p| (x[p] - center) * scale);
        }
        fast.kernel.goals(&mut fast.state);
    }

    /// Stores the rotations of the last step, for the shape matching that ends the frame.
    pub(crate) fn store_last_rotations(&mut self) {
        let energy_accounting = self.energy_accounting;
        if let Some(fast) = self
            .fast
            .as_deref_mut()
            .filter(|f| f.rotations_are_newer && energy_accounting)
        {
            let sleep = self.fracture.as_ref().map(|f| &f.sleep);
            let sleeps = is_region_asleep(sleep, &self.asset.component);
            fast.store_rotations(&self.asset, &mut self.q, sleeps);
        }
    }

    /// Changes velocities by `rate (g − x) + change`.
    pub(crate) fn pull_in_single_precision(&mut self, (rate, change): (f64, &Vec3)) {
        let Some(fast) = &self.fast else {
            return;
        };
        let (plane, cell, places) = (fast.kernel.layout.plane, self.asset.cell, &fast.places);
        let offset =
            |p: usize| SinglePrecision::vector(&fast.state.offsets, plane, places[p], cell);
        let parallel = self.x.len() > PARALLEL_THRESHOLD;
        fill(parallel, &mut self.v, |start, v| {
            for (p, v) in (start..).zip(v) {
                *v += offset(p) * rate + change;
            }
        });
        // none without energy accounting
        fill(parallel, &mut self.offsets, |start, offsets| {
            for (p, out) in (start..).zip(offsets) {
                *out = offset(p);
            }
        });
    }

    /// Damps by the Runge–Kutta–Legendre recurrence of [`crate::step::damping::region_average`].
    pub(crate) fn damp_in_single_precision(&mut self, damping: &DampingPlan) {
        let Some(fast) = self.fast.as_deref_mut() else {
            return;
        };
        let (plane, cell) = (fast.kernel.layout.plane, self.asset.cell);
        let parallel = self.x.len() > PARALLEL_THRESHOLD;
        let previous = &mut self.averages.previous;
        previous.resize(self.v.len(), Vec3::zeros());
        for stage in damping.recurrence() {
            fast.load_velocities(&self.v, &self.inverse_mass, cell);
            let Some(smoother) = fast.smoother.as_deref_mut() else {
                return;
            };
            smoother.apply(&mut fast.kernel, &fast.state);
            let (changes, places) = (&smoother.changes, &fast.places);
            fill_two(parallel, &mut self.v, previous, |start, v, previous| {
                let places = &places[start..];
                for ((v, before), &place) in v.iter_mut().zip(previous).zip(places) {
                    stage.damp(
                        v,
                        before,
                        SinglePrecision::vector(changes, plane, place, cell),
                    );
                }
            });
        }
    }
}
