//! The cost of a frame before it starts, and its cost at other levels of degradation.

use pliant_core::model::degradation_levels::DegradationLevel;

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::groups::group_state::GroupState;
use crate::step::multirate::rates::element_steps::ElementSteps;
use crate::step::multirate::rates::step_level::{DEEPEST, UNSET, level_of_rate};
use crate::step::time_step::rate::rate_for;

/// The amount of work of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Forecast {
    /// Tetrahedra evaluated.
    pub(crate) evaluations: u64,
    /// Times that constraints act.
    pub(crate) impulses: u64,
}

impl CutDynamics {
    /// Sets the level of degradation from the next scan on.
    pub(crate) fn set_degradation_level(&mut self, degradation_level: &DegradationLevel) {
        self.steps.set_rate_share(degradation_level.rate);
        if self.steps.set_damped(degradation_level.is_damped) {
            self.group_state = GroupState::Changed;
        }
    }

    /// Continues from a state that was saved at this level of degradation.
    pub(crate) fn resume_degradation_level(&mut self, degradation_level: &DegradationLevel) {
        self.steps.resume(degradation_level);
        self.group_state = self.group_state.restored();
    }

    /// Forecast of the coming frame with the present step levels. Constraints hold the nodes `touched` (ascending) and act at least every `longest_step` seconds.
    pub(crate) fn forecast(&mut self, touched: &[u32], longest_step: f64) -> Forecast {
        let Self {
            steps,
            forest,
            operators,
            constrained_tets,
            marks,
            ..
        } = self;
        constrained_tets.clear();
        if !touched.is_empty() {
            for &n in touched {
                marks[n as usize] = true;
            }
            let is_held = |n: &u32| marks[*n as usize];
            let corners = |t: &u32| forest.tets()[*t as usize].iter().any(is_held);
            constrained_tets.extend(operators.evaluated().iter().copied().filter(corners));
            let coupling = steps.coupling.tets.iter().enumerate();
            let through_ghosts = |(k, _): &(usize, &u32)| {
                let rows = &steps.coupling.rows;
                rows.row(*k).0.iter().any(is_held)
            };
            constrained_tets.extend(coupling.filter(through_ghosts).map(|(_, t)| *t));
            for &n in touched {
                marks[n as usize] = false;
            }
        }
        self.forecast_with(longest_step, self.steps.duration, |t| self.steps.level(t))
    }

    /// Approximate forecast at another level of degradation, for a frame of `duration` seconds; needs [`CutDynamics::forecast`] before.
    pub(crate) fn forecast_at(
        &self,
        degradation_level: &DegradationLevel,
        duration: f64,
        longest_step: f64,
    ) -> Forecast {
        let simulated = duration * degradation_level.time_scale;
        self.forecast_with(longest_step, simulated, |t| {
            self.steps.level_at(t, degradation_level, simulated)
        })
    }

    fn forecast_with(
        &self,
        longest_step: f64,
        simulated: f64,
        level: impl Fn(u32) -> u8,
    ) -> Forecast {
        let parts = u64::from(self.steps.parts());
        let evaluated = self.operators.evaluated().iter();
        let evaluations = parts * evaluated.map(|&t| 1_u64 << level(t)).sum::<u64>();
        if self.constrained_tets.is_empty() {
            return Forecast {
                evaluations,
                impulses: 0,
            };
        }
        let fastest = self.constrained_tets.iter().map(|&t| level(t)).max();
        let part = simulated / parts as f64;
        let level = contact_level(part, longest_step).max(fastest.unwrap_or(0));
        Forecast {
            evaluations,
            impulses: parts << level,
        }
    }
}

/// Step level at which constraints act in a part of a frame of `duration` seconds, so that they act at least every `longest_step` seconds; 0 for no such bound.
pub(crate) fn contact_level(duration: f64, longest_step: f64) -> u8 {
    let is_enough = |i: &u8| {
        longest_step <= 0.0 || duration <= longest_step * f64::from(1_u32 << u32::from(*i))
    };
    (0..DEEPEST).find(is_enough).unwrap_or(DEEPEST)
}

impl ElementSteps {
    /// Approximate step level of an evaluated element at another level of degradation in a frame of `duration` seconds. Elements that raise it are taken to change as it does.
    fn level_at(&self, tet: u32, degradation_level: &DegradationLevel, duration: f64) -> u8 {
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
        let present_level = level_of_rate(self.rates[t], self.duration / parts);
        let rate = match self.courant.get(t) {
            Some(rate) => *rate,
            None => {
                let time = match degradation_level.is_damped {
                    true => self.damping_time,
                    false => 0.0,
                };
                let squares = self.squares[t];
                let factor = self.selective_scaling.frequency_factor_at(
                    degradation_level.rate,
                    squares,
                    time,
                    self.safety,
                );
                rate_for(time, self.safety, factor * squares[0], factor * squares[1])
            }
        };
        let new_level = level_of_rate(rate, duration / parts);
        (i32::from(used) - i32::from(present_level) + i32::from(new_level))
            .clamp(0, i32::from(DEEPEST)) as u8
    }
}
