//! A scan of all elements before a frame: the step that each of them needs by itself, and the parts of the frame.

use pliant_core::math::Vec3;

use crate::cut::Forest;
use crate::force::NEAR_INVERTED;
use crate::step::multirate::rates::element_steps::ElementSteps;
use crate::step::multirate::rates::step_level::{DEEPEST, UNSET, level_of_rate};
use crate::step::multirate::rates::torn::is_torn;
use crate::step::time_step::FRAMES_BEFORE_DECREASE;
use crate::step::time_step::rate::rate_for;
use crate::step::time_step::stiffening::MAX_STIFFENING;

/// Numbers of equal parts into which a frame may be divided before it is halved: steps of `1, 3, 5, 7` times a power of two waste at most a third, powers of two alone half.
const PARTS: [u32; 4] = [1, 3, 5, 7];

/// The number of parts changes only if that reduces the cost to this share: all steps change with it.
const MAX_COST_RATIO: f64 = 0.9;

impl ElementSteps {
    /// Scans the `evaluated` elements in their present shape before a frame of `duration` seconds. Elements with a corner in `contact_nodes` (ascending
    /// node numbers) step by at most `longest_step` seconds. Returns whether rates have to be coupled again.
    pub fn scan(
        &mut self,
        forest: &Forest,
        evaluated: &[u32],
        positions: &[Vec3],
        duration: f64,
        contact_nodes: &[u32],
        longest_step: f64,
    ) -> bool {
        let mut changed = duration != self.duration;
        let contacts_changed = self.contact_nodes != contact_nodes;
        if contacts_changed {
            self.contact_nodes.clear();
            self.contact_nodes.extend_from_slice(contact_nodes);
        }
        if changed {
            self.own_levels.fill(UNSET);
            self.duration = duration;
        }
        let part = duration / f64::from(self.parts);
        (self.near_inverted, self.selective_scaling.count) = (0, 0);
        (self.exceeds_deepest, self.is_torn) = (false, false);
        let resets_rescaled = std::mem::take(&mut self.resets_rescaled);
        for t in evaluated.iter().map(|&t| t as usize) {
            let tet = forest.tets()[t];
            let f = forest
                .shape(t as u32)
                .gradient_of(tet.map(|n| positions[n as usize]));
            let determinant = f.determinant();
            self.is_torn |= is_torn(&f);
            self.near_inverted += u32::from(determinant < NEAR_INVERTED);
            let (elastic, viscous) = self.law.growth(&f, determinant);
            let bound = |growth: f64| self.rest_squares[t] * growth.min(MAX_STIFFENING);
            let squares = [bound(elastic), bound(viscous)];
            let inertia = self.inertia.corner[t] + self.inertia.heavier[t];
            let (mut time, safety) = (self.damping_time, self.safety);
            if !self.is_damped {
                time = 0.0;
            }
            self.squares[t] = squares;
            let previous = self.selective_scaling.corners.get(t).copied();
            let factor = self
                .selective_scaling
                .scale(t, inertia, squares, time, safety);
            if resets_rescaled && previous != self.selective_scaling.corners.get(t).copied() {
                self.own_levels[t] = UNSET;
            }
            let mut rate = rate_for(time, safety, factor * squares[0], factor * squares[1]);
            if let Some(courant) = self.courant.get(t) {
                rate = *courant;
            }
            if rate * longest_step < 1.0
                && tet.iter().any(|n| contact_nodes.binary_search(n).is_ok())
            {
                rate = 1.0 / longest_step;
            }
            self.rates[t] = rate;
            self.exceeds_deepest |= rate * part > f64::from(1_u32 << DEEPEST);
            let needed = level_of_rate(rate, part);
            let own = &mut self.own_levels[t];
            if *own == UNSET || needed > *own {
                *own = needed;
                self.frames_below[t] = 0;
                changed = true;
            } else if needed == *own || self.never_falls {
                self.frames_below[t] = 0;
            } else {
                self.frames_below[t] += 1;
                if u32::from(self.frames_below[t]) > FRAMES_BEFORE_DECREASE {
                    *own -= 1;
                    self.frames_below[t] = 0;
                    changed = true;
                }
            }
        }
        if changed {
            self.choose_parts(evaluated);
        }
        changed || contacts_changed
    }

    /// Changes the number of parts where that saves enough: evaluations, and nodes in contact at each impulse.
    fn choose_parts(&mut self, evaluated: &[u32]) {
        if self.halves_only {
            return;
        }
        let cost = |parts: u32| -> u64 {
            let part = self.duration / f64::from(parts);
            let steps_of = |&t: &u32| 1_u64 << level_of_rate(self.rates[t as usize], part);
            let (mut evaluations, mut impulses) = (0, 0);
            for steps in evaluated.iter().map(steps_of) {
                evaluations += steps;
                impulses = steps.max(impulses);
            }
            u64::from(parts) * (evaluations + impulses * self.contact_nodes.len() as u64)
        };
        let all = PARTS.map(|parts| (cost(parts), parts));
        let now = cost(self.parts);
        let Some(best) = all.into_iter().min() else {
            return;
        };
        if best.1 == self.parts || best.0 as f64 > MAX_COST_RATIO * now as f64 {
            return;
        }
        self.parts = best.1;
        let part = self.duration / f64::from(self.parts);
        for &t in evaluated {
            self.own_levels[t as usize] = level_of_rate(self.rates[t as usize], part);
            self.frames_below[t as usize] = 0;
        }
    }
}
