//! Selective mass scaling: elements that are stretched so far that they would need very short steps get inertia instead (Olovsson, Simonsson, Unosson 2005).
//!
//! A few crushed or torn elements stiffen without bound, and their short steps would slow down the whole frame. Rates are limited to a multiple of the rate of the stiffest
//! element at rest. An element that needs more gets just the inertia with which the limit is enough: forces and energy do not
//! change, and where masses change between frames each node of a cut keeps its kinetic energy, and each node of a level its velocity. Statics do not change, and gravity acts on the true mass.
//!
//! A cut uses this for bodies on supports only. A free body on a level uses it where it is crushed against something (see [`super::subcycling::AddedInertia`]).

/// Limit of the rates over the highest rate at rest.
const MAX_RATE_RATIO: f64 = 3.0;
/// Added over needed inertia: with this margin it does not change every frame.
const INERTIA_MARGIN: f64 = 1.2;
/// Inertia is reduced when less than this share of it is needed.
const RELEASE_RATIO: f64 = 0.5;

/// Least factor on the squared frequencies of an element. No sound element needs less, and the inertia has to stay finite.
const MIN_FACTOR: f64 = 1e-9;

/// Inertia that is added to elements.
#[derive(Debug, Clone, Default)]
pub(crate) struct SelectiveMassScaling {
    /// limit of the rates, steps a second
    pub(crate) max_rate: f64,
    /// the same without degradation
    full_rate: f64,
    /// inertia added at each corner of an element, kg; empty where none is added
    pub(crate) corners: Vec<f64>,
    /// whether any of it changed since it was applied to the masses
    pub(crate) has_changed: bool,
    /// elements with such inertia
    pub(crate) count: u32,
}

impl SelectiveMassScaling {
    /// For elements of these rates at rest (1/s).
    pub(crate) fn new(rest: impl ExactSizeIterator<Item = f64>, is_scaled: bool) -> Self {
        if !is_scaled {
            return Self::unlimited(0);
        }
        let count = rest.len();
        let full_rate = MAX_RATE_RATIO * rest.fold(0.0, f64::max);
        Self {
            max_rate: full_rate,
            full_rate,
            corners: vec![0.0; count],
            ..Self::default()
        }
    }

    /// Without a limit, for so many elements.
    pub(crate) fn unlimited(elements: usize) -> Self {
        Self {
            max_rate: f64::INFINITY,
            full_rate: f64::INFINITY,
            corners: vec![0.0; elements],
            ..Self::default()
        }
    }

    /// Limits rates to `share` of the full rate from the next scan on. Returns whether that is a change.
    pub(crate) fn set_rate_share(&mut self, share: f64) -> bool {
        let rate = share * self.full_rate;
        std::mem::replace(&mut self.max_rate, rate) != rate
    }

    /// Factor on both `squares` of an element where rates are limited to `share` of the full rate.
    pub(crate) fn frequency_factor_at(
        &self,
        share: f64,
        squares: [f64; 2],
        damping_time: f64,
        safety: f64,
    ) -> f64 {
        match self.corners.is_empty() {
            true => 1.0,
            false => frequency_factor(squares, damping_time, safety, share * self.full_rate)
                .max(MIN_FACTOR),
        }
    }

    /// Adds to the `inertia` of an element (kg a corner) what it needs so that its rate with the bounds `squares` (elastic and viscous, (rad/s)²) is within the limit.
    /// Returns the factor on these squares.
    pub(crate) fn scale(
        &mut self,
        tet: usize,
        inertia: f64,
        squares: [f64; 2],
        damping_time: f64,
        safety: f64,
    ) -> f64 {
        let Some(added) = self.corners.get_mut(tet) else {
            return 1.0;
        };
        let share = frequency_factor(squares, damping_time, safety, self.max_rate).max(MIN_FACTOR);
        let needed = inertia * (1.0 / share - 1.0);
        if needed > *added || needed < RELEASE_RATIO * *added {
            *added = INERTIA_MARGIN * needed;
            self.has_changed = true;
        }
        self.count += u32::from(*added > 0.0);
        inertia / (inertia + *added)
    }
}

/// Factor on both squares of frequencies, at most 1, at which `(b + √(b² + 4ω²)) / 4c` is at most `rate`, with `b = β ω_v²`.
fn frequency_factor(
    [elastic, viscous]: [f64; 2],
    damping_time: f64,
    safety: f64,
    rate: f64,
) -> f64 {
    let max_frequency = 2.0 * safety * rate;
    let share = max_frequency * max_frequency / (elastic + max_frequency * damping_time * viscous);
    if share < 1.0 { share } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::time_step::rate::rate_for;

    #[test]
    fn the_inertia_keeps_the_rate_within_its_limit_and_goes_with_the_need() {
        let (damping, safety) = (1e-4, 0.5);
        let rest = rate_for(damping, safety, 1e6, 1e6);
        let mut scaling = SelectiveMassScaling::new([rest, 0.5 * rest].into_iter(), true);
        for growth in [1.0_f64, 4.0, 50.0, 1e4] {
            let (elastic, viscous) = (1e6 * growth, 1e6 * growth.sqrt());
            scaling.has_changed = false;
            let share = scaling.scale(0, 2.0, [elastic, viscous], damping, safety);
            let rate = rate_for(damping, safety, share * elastic, share * viscous);
            let needs = rate_for(damping, safety, elastic, viscous) > MAX_RATE_RATIO * rest;
            assert!(rate <= MAX_RATE_RATIO * rest * (1.0 + 1e-12), "{growth}");
            assert_eq!(
                (share < 1.0, scaling.has_changed),
                (needs, needs),
                "{growth}"
            );
        }
        let exact = frequency_factor([1e10, 1e10], damping, safety, rest);
        let rate = rate_for(damping, safety, exact * 1e10, exact * 1e10);
        assert!((rate / rest - 1.0).abs() < 1e-12);
        // a little less need changes nothing; no need takes all inertia back
        scaling.has_changed = false;
        assert!(scaling.scale(0, 2.0, [0.8e10, 0.8e8], damping, safety) < 1.0);
        assert!(!scaling.has_changed);
        assert_eq!(scaling.scale(0, 2.0, [1e6, 1e6], damping, safety), 1.0);
        assert!(scaling.has_changed);
        // a free body is never scaled
        let mut free = SelectiveMassScaling::new([rest].into_iter(), false);
        assert_eq!(free.scale(0, 2.0, [1e10, 1e10], damping, safety), 1.0);
    }
}
