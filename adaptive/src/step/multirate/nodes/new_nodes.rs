//! New nodes find their places: what interpolation put wrongly is taken back before it becomes motion.

use pliant_core::math::Vec3;

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::groups::group::Group;

/// Steps of descent at most.
const STEPS: usize = 16;
/// Steps between two looks at the energy.
const LOOK_EVERY: usize = 4;
/// Share of the strain energy that new nodes may bring along unsettled.
const NEGLIGIBLE: f64 = 1e-3;
/// Share of the last move that goes into the next.
const INERTIA: f64 = 0.7;
/// Step over that of the element bound at rest: stretched elements are stiffer.
const CAUTION: f64 = 0.5;

impl CutDynamics {
    /// Moves the `changed` active nodes downhill until the strain energy is no more than `before` (J), as far as a few steps lead, and returns it.
    ///
    /// A finer mesh that is put where a coarse one interpolates is bent at the faces of the coarse elements, and its level may be stiffer: energy that
    /// the deformation does not have. It sits in waves as short as the elements, which a few steps of heavy-ball descent take away while the others stay.
    pub(crate) fn settle_new_nodes(&mut self, changed: &[bool], before: f64) -> f64 {
        let mut elastic = self.elastic_energy();
        if elastic <= before + NEGLIGIBLE * before.abs() || !changed.contains(&true) {
            return elastic;
        }
        let mut moves = vec![false; self.positions.len()];
        for (&n, changed) in self.operators.active().iter().zip(changed) {
            moves[n as usize] = *changed && self.inverse_masses[n as usize] > 0.0;
        }
        // elements that feel the nodes directly, or through ghosts
        let feels = |t: &u32| {
            let corners = self.forest.tets()[*t as usize];
            let is_ghost = |n| self.operators.row(n).is_some();
            corners.iter().any(|&n| moves[n as usize] || is_ghost(n))
        };
        let tets: Vec<u32> = self
            .operators
            .evaluated()
            .iter()
            .copied()
            .filter(feels)
            .collect();
        // the others stay as they are
        let others = elastic - self.forces_of().energy_of(&tets, &self.positions);
        let mut group = Group::new(
            0,
            &tets,
            &self.cut,
            &self.operators,
            &self.constants,
            &self.params,
            (&mut self.local, &mut self.spare),
        );
        let mut square = vec![0.0_f64; self.positions.len()];
        for &t in &tets {
            for n in self.forest.tets()[t as usize] {
                square[n as usize] = square[n as usize].max(self.steps.rest_square(t));
            }
        }
        let still = vec![Vec3::zeros(); self.positions.len()];
        let mut last = self.positions.clone();
        let mut moved = still.clone();
        for step in 1..=STEPS {
            group.take(&self.positions, &still);
            group.evaluate();
            for (&n, force) in group.masters().iter().zip(group.master_forces()) {
                let n = n as usize;
                if moves[n] && square[n] > 0.0 {
                    let downhill = force * (CAUTION * self.inverse_masses[n] / square[n]);
                    moved[n] = moved[n] * INERTIA + downhill;
                    self.positions[n] += moved[n];
                }
            }
            if step % LOOK_EVERY == 0 {
                self.operators.forward(&mut self.positions);
                let now = others + self.forces_of().energy_of(&tets, &self.positions);
                if !now.is_finite() || now > elastic {
                    // no way down from the last look
                    break;
                }
                if now <= before {
                    // not beyond: what is left belongs to the deformation
                    let share = (elastic - before) / (elastic - now).max(f64::MIN_POSITIVE);
                    for (x, from) in self.positions.iter_mut().zip(&last) {
                        *x = from + (*x - from) * share;
                    }
                    self.operators.forward(&mut self.positions);
                    elastic = self.elastic_energy();
                    last.copy_from_slice(&self.positions);
                    break;
                }
                elastic = now;
                last.copy_from_slice(&self.positions);
            }
        }
        self.positions.copy_from_slice(&last);
        self.spare.extend(group.into_workspace());
        elastic
    }
}
