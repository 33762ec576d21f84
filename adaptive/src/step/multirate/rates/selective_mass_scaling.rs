//! Selective mass scaling: elements that are stretched so far that they would need very short steps get inertia instead (Olovsson, Simonsson, Unosson 2005).
//!
//! A few crushed or torn elements stiffen without bound, and by the steps that go with it they take the time of everything that a tool holds. Elements are followed
//! up to some times the rate of the stiffest one at rest. What needs more is made heavier by just as much as that step asks for: forces and energy stay what they
//! are, and where masses change between frames each node keeps its kinetic energy. Statics do not change, and gravity acts on the true mass.
//!
//! This is for bodies on supports only: a free one would gain momentum.

/// Rate that is followed, over the highest one at rest.
const FOLLOWED: f64 = 3.0;
/// Inertia beyond what is needed, so that it does not change every frame.
const AHEAD: f64 = 1.2;
/// Share of the inertia that is there below which the need has to fall before it is taken back.
const BACK: f64 = 0.5;

/// Least share of an element's squares of frequencies that inertia leaves: what would need more is no element any more, and its inertia shall stay a number.
const LEAST: f64 = 1e-9;

/// The inertia that elements have beyond their mass.
#[derive(Debug, Clone, Default)]
pub(crate) struct SelectiveMassScaling {
    /// steps a second that are followed
    pub(crate) most_rate: f64,
    /// the same where the budget gives up nothing
    full_rate: f64,
    /// inertia at each corner of an element, kg; empty where none is added
    pub(crate) corners: Vec<f64>,
    /// whether any of it changed since the masses took it over
    pub(crate) has_changed: bool,
    /// elements with such inertia
    pub(crate) count: u32,
}

impl SelectiveMassScaling {
    /// For elements of these rates at rest (1/s).
    pub(crate) fn new(rest: impl ExactSizeIterator<Item = f64>, is_scaled: bool) -> Self {
        if !is_scaled {
            return Self {
                most_rate: f64::INFINITY,
                full_rate: f64::INFINITY,
                ..Self::default()
            };
        }
        let count = rest.len();
        let full_rate = FOLLOWED * rest.fold(0.0, f64::max);
        Self {
            most_rate: full_rate,
            full_rate,
            corners: vec![0.0; count],
            ..Self::default()
        }
    }

    /// Follows `share` of the full rate from the next look on. Returns whether that is another one.
    pub(crate) fn follow(&mut self, share: f64) -> bool {
        let rate = share * self.full_rate;
        std::mem::replace(&mut self.most_rate, rate) != rate
    }

    /// Share of both `squares` that an element keeps where `share` of the full rate is followed.
    pub(crate) fn left_on(
        &self,
        share: f64,
        squares: [f64; 2],
        damping_time: f64,
        safety: f64,
    ) -> f64 {
        match self.corners.is_empty() {
            true => 1.0,
            false => left(squares, damping_time, safety, share * self.full_rate).max(LEAST),
        }
    }

    /// Share of an element's squares of frequencies that is left with the inertia that it has besides `inertia` (kg a corner), after this has met its need: with the bounds
    /// `squares` (elastic and viscous, (rad/s)²) its rate is at most the one that is followed.
    pub(crate) fn share(
        &mut self,
        tet: usize,
        inertia: f64,
        squares: [f64; 2],
        damping_time: f64,
        safety: f64,
    ) -> f64 {
        let Some(has) = self.corners.get_mut(tet) else {
            return 1.0;
        };
        let share = left(squares, damping_time, safety, self.most_rate).max(LEAST);
        let needed = inertia * (1.0 / share - 1.0);
        if needed > *has || needed < BACK * *has {
            *has = AHEAD * needed;
            self.has_changed = true;
        }
        self.count += u32::from(*has > 0.0);
        inertia / (inertia + *has)
    }
}

/// Factor on both squares of frequencies, at most 1, at which `(b + √(b² + 4ω²)) / 4c` is at most `rate`, with `b = β ω_v²`.
fn left([elastic, viscous]: [f64; 2], damping_time: f64, safety: f64, rate: f64) -> f64 {
    let most = 2.0 * safety * rate;
    let share = most * most / (elastic + most * damping_time * viscous);
    if share < 1.0 { share } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::time_step::rate::rate_for;

    #[test]
    fn the_inertia_brings_the_rate_to_what_is_followed_and_goes_with_the_need() {
        let (damping, safety) = (1e-4, 0.5);
        let rest = rate_for(damping, safety, 1e6, 1e6);
        let mut y = SelectiveMassScaling::new([rest, 0.5 * rest].into_iter(), true);
        for growth in [1.0_f64, 4.0, 50.0, 1e4] {
            let (elastic, viscous) = (1e6 * growth, 1e6 * growth.sqrt());
            y.has_changed = false;
            let share = y.share(0, 2.0, [elastic, viscous], damping, safety);
            let rate = rate_for(damping, safety, share * elastic, share * viscous);
            let needs = rate_for(damping, safety, elastic, viscous) > FOLLOWED * rest;
            assert!(rate <= FOLLOWED * rest * (1.0 + 1e-12), "{growth}");
            assert_eq!((share < 1.0, y.has_changed), (needs, needs), "{growth}");
        }
        let exact = left([1e10, 1e10], damping, safety, rest);
        let rate = rate_for(damping, safety, exact * 1e10, exact * 1e10);
        assert!((rate / rest - 1.0).abs() < 1e-12);
        // a little less need changes nothing, none takes all of it back
        y.has_changed = false;
        assert!(y.share(0, 2.0, [0.8e10, 0.8e8], damping, safety) < 1.0);
        assert!(!y.has_changed);
        assert_eq!(y.share(0, 2.0, [1e6, 1e6], damping, safety), 1.0);
        assert!(y.has_changed);
        // a free body is never scaled
        let mut free = SelectiveMassScaling::new([rest].into_iter(), false);
        assert_eq!(free.share(0, 2.0, [1e10, 1e10], damping, safety), 1.0);
    }
}
