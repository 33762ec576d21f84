//! A look at all elements before a frame: the step that each of them needs by itself, and the parts of the frame.

use pliant_core::math::Vec3;

use crate::cut::Forest;
use crate::force::NEAR_INVERTED;
use crate::step::multirate::rates::element_steps::ElementSteps;
use crate::step::multirate::rates::step_level::{DEEPEST, UNSET, level_of_rate};
use crate::step::multirate::rates::torn::is_torn;
use crate::step::time_step::QUIET_FRAMES;
use crate::step::time_step::rate::rate_for;
use crate::step::time_step::stiffening::MOST_STIFFENING;

/// Parts into which a frame may be cut before it is halved: steps of `1, 3, 5, 7` times a power of two waste at most a third, powers of two alone half.
const PARTS: [u32; 4] = [1, 3, 5, 7];

/// Share of the cost below which other parts are worth a change of all steps.
const WORTHWHILE: f64 = 0.9;

impl ElementSteps {
    /// Looks at the `evaluated` elements in their present shape before a frame of `duration` seconds. Elements with a corner in `quick` (ascending
    /// node numbers) step by at most `longest` seconds. Returns whether levels have to be settled anew.
    pub fn look(
        &mut self,
        forest: &Forest,
        evaluated: &[u32],
        positions: &[Vec3],
        duration: f64,
        quick: &[u32],
        longest: f64,
    ) -> bool {
        let mut changed = duration != self.duration;
        let others = self.quick != quick;
        if others {
            self.quick.clear();
            self.quick.extend_from_slice(quick);
        }
        if changed {
            self.own.fill(UNSET);
            self.duration = duration;
        }
        let part = duration / f64::from(self.parts);
        (self.near_inverted, self.selective_scaling.count) = (0, 0);
        (self.is_beyond, self.is_torn) = (false, false);
        let is_anew = std::mem::take(&mut self.is_anew);
        for t in evaluated.iter().map(|&t| t as usize) {
            let tet = forest.tets()[t];
            let f = forest
                .shape(t as u32)
                .gradient_of(tet.map(|n| positions[n as usize]));
            let determinant = f.determinant();
            self.is_torn |= is_torn(&f);
            self.near_inverted += u32::from(determinant < NEAR_INVERTED);
            let (elastic, viscous) = self.law.growth(&f, determinant);
            let bound = |growth: f64| self.rest[t] * growth.min(MOST_STIFFENING);
            let squares = [bound(elastic), bound(viscous)];
            let inertia = self.inertia.corner[t] + self.inertia.heavier[t];
            let (mut time, safety) = (self.damping_time, self.safety);
            if !self.is_damped {
                time = 0.0;
            }
            self.squares[t] = squares;
            let had = self.selective_scaling.corners.get(t).copied();
            let left = self
                .selective_scaling
                .share(t, inertia, squares, time, safety);
            if is_anew && had != self.selective_scaling.corners.get(t).copied() {
                self.own[t] = UNSET;
            }
            let mut rate = rate_for(time, safety, left * squares[0], left * squares[1]);
            if let Some(courant) = self.courant.get(t) {
                rate = *courant;
            }
            if rate * longest < 1.0 && tet.iter().any(|n| quick.binary_search(n).is_ok()) {
                rate = 1.0 / longest;
            }
            self.rates[t] = rate;
            self.is_beyond |= rate * part > f64::from(1_u32 << DEEPEST);
            let needed = level_of_rate(rate, part);
            let own = &mut self.own[t];
            if *own == UNSET || needed > *own {
                *own = needed;
                self.quiet[t] = 0;
                changed = true;
            } else if needed == *own {
                self.quiet[t] = 0;
            } else {
                self.quiet[t] += 1;
                if u32::from(self.quiet[t]) > QUIET_FRAMES {
                    *own -= 1;
                    self.quiet[t] = 0;
                    changed = true;
                }
            }
        }
        if changed {
            self.choose_parts(evaluated);
        }
        changed || others
    }

    /// Takes other parts where these save enough: evaluations, and nodes that a tool holds at each impulse.
    fn choose_parts(&mut self, evaluated: &[u32]) {
        if self.is_halved {
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
            u64::from(parts) * (evaluations + impulses * self.quick.len() as u64)
        };
        let all = PARTS.map(|parts| (cost(parts), parts));
        let now = cost(self.parts);
        let Some(best) = all.into_iter().min() else {
            return;
        };
        if best.1 == self.parts || best.0 as f64 > WORTHWHILE * now as f64 {
            return;
        }
        self.parts = best.1;
        let part = self.duration / f64::from(self.parts);
        for &t in evaluated {
            self.own[t as usize] = level_of_rate(self.rates[t as usize], part);
            self.quiet[t as usize] = 0;
        }
    }
}
