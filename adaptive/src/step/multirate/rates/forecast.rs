//! What a frame will cost, before it begins, and what it would cost with something given up.

use pliant_core::model::degradation_levels::DegradationLevel;

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::rates::element_steps::ElementSteps;
use crate::step::multirate::rates::step_level::{DEEPEST, UNSET, level_of_rate};
use crate::step::time_step::rate::rate_for;

/// What the firings of a frame come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Forecast {
    /// Tetrahedra evaluated.
    pub(crate) evaluations: u64,
    /// Times that constraints act.
    pub(crate) impulses: u64,
}

impl CutDynamics {
    /// Takes another level of degradation from the next look on.
    pub(crate) fn set_degradation_level(&mut self, degradation_level: &DegradationLevel) {
        self.steps.follow(degradation_level.rate);
        if self.steps.set_damped(degradation_level.is_damped) {
            self.has_groups = false;
        }
    }

    /// Goes on from a state that was saved on that level of degradation.
    pub(crate) fn resume_degradation_level(&mut self, degradation_level: &DegradationLevel) {
        self.steps.resume(degradation_level);
        self.has_groups = false;
    }

    /// What the coming frame costs with the levels that were settled, where constraints hold the nodes `touched` (ascending) and act every `longest` seconds at least.
    pub(crate) fn forecast(&mut self, touched: &[u32], longest: f64) -> Forecast {
        let Self {
            steps,
            forest,
            operators,
            touching,
            marks,
            ..
        } = self;
        touching.clear();
        if !touched.is_empty() {
            for &n in touched {
                marks[n as usize] = true;
            }
            let is_held = |n: &u32| marks[*n as usize];
            let corners = |t: &u32| forest.tets()[*t as usize].iter().any(is_held);
            touching.extend(operators.evaluated().iter().copied().filter(corners));
            let pushes = steps.pushes.tets.iter().enumerate();
            let through_ghosts = |(k, _): &(usize, &u32)| {
                let rows = &steps.pushes.rows;
                rows.row(*k).0.iter().any(is_held)
            };
            touching.extend(pushes.filter(through_ghosts).map(|(_, t)| *t));
            for &n in touched {
                marks[n as usize] = false;
            }
        }
        self.forecast_with(longest, self.steps.duration, |t| self.steps.level(t))
    }

    /// The same on another level of degradation, for a frame of `duration` seconds, about; needs [`CutDynamics::forecast`] before.
    pub(crate) fn forecast_on(
        &self,
        degradation_level: &DegradationLevel,
        duration: f64,
        longest: f64,
    ) -> Forecast {
        let lived = duration * degradation_level.pace;
        self.forecast_with(longest, lived, |t| {
            self.steps.level_on(t, degradation_level, lived)
        })
    }

    fn forecast_with(&self, longest: f64, lived: f64, level: impl Fn(u32) -> u8) -> Forecast {
        let parts = u64::from(self.steps.parts());
        let evaluated = self.operators.evaluated().iter();
        let evaluations = parts * evaluated.map(|&t| 1_u64 << level(t)).sum::<u64>();
        if self.touching.is_empty() {
            return Forecast {
                evaluations,
                impulses: 0,
            };
        }
        let fastest = self.touching.iter().map(|&t| level(t)).max();
        let part = lived / parts as f64;
        let level = contact_level(part, longest).max(fastest.unwrap_or(0));
        Forecast {
            evaluations,
            impulses: parts << level,
        }
    }
}

/// Step level at which constraints act in a part of a frame of `duration` seconds, if every `longest` seconds is enough; with 0 as often as elements wish.
pub(crate) fn contact_level(duration: f64, longest: f64) -> u8 {
    let is_enough =
        |i: &u8| longest <= 0.0 || duration <= longest * f64::from(1_u32 << u32::from(*i));
    (0..DEEPEST).find(is_enough).unwrap_or(DEEPEST)
}

impl ElementSteps {
    /// Step level that an evaluated element would have on another level of degradation in a frame of `duration` seconds, about: neighbours that it follows change as it does.
    pub(crate) fn level_on(
        &self,
        tet: u32,
        degradation_level: &DegradationLevel,
        duration: f64,
    ) -> u8 {
        let t = tet as usize;
        let used = self.levels[t];
        if used == UNSET || self.duration <= 0.0 {
            return 0;
        }
        if self.follows_partner(t) {
            // the other body is taken for a free one, which is slower in less time alone
            let change = (duration / self.duration).log2().round() as i32;
            return (i32::from(used) + change).clamp(0, i32::from(DEEPEST)) as u8;
        }
        let parts = f64::from(self.parts);
        let now = level_of_rate(self.rates[t], self.duration / parts);
        let rate = match self.courant.get(t) {
            Some(rate) => *rate,
            None => {
                let time = match degradation_level.is_damped {
                    true => self.damping_time,
                    false => 0.0,
                };
                let squares = self.squares[t];
                let left = self.selective_scaling.left_on(
                    degradation_level.rate,
                    squares,
                    time,
                    self.safety,
                );
                rate_for(time, self.safety, left * squares[0], left * squares[1])
            }
        };
        let then = level_of_rate(rate, duration / parts);
        (i32::from(used) - i32::from(now) + i32::from(then)).clamp(0, i32::from(DEEPEST)) as u8
    }
}
