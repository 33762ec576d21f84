//! Selective mass scaling of a free level: where a frame would cost more than the budget, the stiffest elements get inertia instead of steps.
//!
//! A free body is crushed where it hits something. What is crushed lies still on what it hit, so that more inertia there changes little. Velocities do not change when inertia does, and
//! gravity acts on the true mass. The momentum of the inertial masses is kept while inertia stays the same, and changes with it where nodes move; that of the true masses is not kept exactly.

use pliant_core::math::Vec3;

use super::split::cheapest_split;
use crate::step::selective_mass_scaling::SelectiveMassScaling;
use crate::step::time_step::StepControl;

/// Bisections of the limit of the rates: to some per cent of it.
const LIMIT_BISECTIONS: u32 = 7;
/// Successive frames that need less before the limit of the rates rises.
const FRAMES_BEFORE_RISE: u32 = 5;
/// Number of values that [`AddedInertia::save`] writes besides the elements with inertia.
const FIXED_VALUES: usize = 4;

/// What a second may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowance {
    /// evaluations a second
    pub evaluations: f64,
    /// nodes that constraints act on in each step of the elements that are not stiff: each costs an evaluation
    pub touched_nodes: usize,
    /// steps a second that touched elements need; these are not stiff
    pub touched_rate: f64,
}

/// Inertia that is added to the elements of a level.
#[derive(Debug, Clone)]
pub(crate) struct AddedInertia {
    scaling: SelectiveMassScaling,
    /// inertia of each element at each of its corners without the added one, kg
    corners: Vec<f64>,
    /// the same for nodes, kg
    masses: Vec<f64>,
    /// frames that needed less than the present limit, and the least limit that these frames needed
    frames_below: u32,
    limit_below: f64,
    /// buffer
    limited: Vec<f64>,
}

impl AddedInertia {
    /// None, on elements with this inertia at each corner and nodes of these `masses`, kg.
    pub fn new(corners: Vec<f64>, masses: Vec<f64>) -> Self {
        Self {
            scaling: SelectiveMassScaling::unlimited(corners.len()),
            corners,
            masses,
            frames_below: 0,
            limit_below: f64::INFINITY,
            limited: Vec::new(),
        }
    }

    /// Limits `rates` (steps a second that each element needs at these `positions`) to what the `allowance` suffices for, but not below what elements need at rest, and adds inertia to the
    /// elements that need more. Returns whether any inertia has changed.
    pub fn limit(
        &mut self,
        steps: &StepControl,
        positions: &[Vec3],
        rates: &mut [f64],
        allowance: Allowance,
    ) -> bool {
        let least = steps.rest_rate();
        let needed = rate_limit(rates, allowance, least, &mut self.limited);
        self.choose_limit(needed);
        self.scaling.has_changed = false;
        self.scaling.count = 0;
        for (t, rate) in rates.iter_mut().enumerate() {
            if *rate > self.scaling.max_rate || self.scaling.corners[t] > 0.0 {
                let inertia = self.corners[t];
                *rate = steps.scaled_rate(t, positions, inertia, &mut self.scaling);
            }
        }
        self.scaling.has_changed
    }

    /// Takes a lower limit at once, and a higher one after some frames.
    fn choose_limit(&mut self, needed: f64) {
        if needed <= self.scaling.max_rate {
            self.scaling.max_rate = needed;
            (self.frames_below, self.limit_below) = (0, f64::INFINITY);
            return;
        }
        self.frames_below += 1;
        self.limit_below = self.limit_below.min(needed);
        if self.frames_below > FRAMES_BEFORE_RISE {
            self.scaling.max_rate = self.limit_below;
            (self.frames_below, self.limit_below) = (0, f64::INFINITY);
        }
    }

    /// Limit of the rates, steps a second; infinite where there is none.
    pub fn max_rate(&self) -> f64 {
        self.scaling.max_rate
    }

    /// Number of elements with added inertia.
    pub fn count(&self) -> u32 {
        self.scaling.count
    }

    /// The added inertia over the mass of the body.
    pub fn added_share(&self) -> f64 {
        4.0 * self.scaling.corners.iter().sum::<f64>() / self.masses.iter().sum::<f64>()
    }

    /// Writes the masses of the nodes, with what is added, kg.
    pub fn write_masses(&self, tets: &[[u32; 4]], masses: &mut [f64]) {
        masses.copy_from_slice(&self.masses);
        for (added, tet) in self.scaling.corners.iter().zip(tets) {
            if *added > 0.0 {
                for &n in tet {
                    masses[n as usize] += added;
                }
            }
        }
    }

    /// Masses of the nodes without what is added, kg.
    pub fn true_masses(&self) -> &[f64] {
        &self.masses
    }

    /// Takes all inertia back.
    pub fn clear(&mut self) {
        self.scaling.corners.fill(0.0);
        self.scaling.count = 0;
        self.scaling.max_rate = f64::INFINITY;
        (self.frames_below, self.limit_below) = (0, f64::INFINITY);
    }

    /// Appends the values that [`AddedInertia::restore`] takes.
    pub fn save(&self, values: &mut Vec<f64>) {
        let all = self.scaling.corners.iter().enumerate();
        let before = values.len();
        values.extend(
            all.filter(|(_, added)| **added > 0.0)
                .flat_map(|(t, added)| [t as f64, *added]),
        );
        let count = (values.len() - before) as f64;
        // infinity means none
        values.extend([
            self.scaling.max_rate,
            f64::from(self.frames_below),
            self.limit_below,
            count,
        ]);
    }

    /// Restores the saved values at the end of `values`, and returns the values before them. `None` if they do not fit.
    pub fn restore<'a>(&mut self, values: &'a [f64]) -> Option<&'a [f64]> {
        let (rest, &[max_rate, frames, limit_below, count]) =
            values.split_last_chunk::<FIXED_VALUES>()?;
        let (rest, added) = rest.split_at_checked(rest.len().checked_sub(count as usize)?)?;
        let pairs = added.chunks_exact(2);
        if !pairs.remainder().is_empty() || max_rate.is_nan() || limit_below.is_nan() {
            return None;
        }
        self.clear();
        for pair in pairs {
            let corner = self.scaling.corners.get_mut(pair[0] as usize)?;
            if !(pair[1] > 0.0 && pair[1].is_finite()) {
                return None;
            }
            *corner = pair[1];
            self.scaling.count += 1;
        }
        self.scaling.max_rate = max_rate;
        (self.frames_below, self.limit_below) = (frames as u32, limit_below);
        Some(rest)
    }
}

/// The largest limit of the rates, at least `least`, that the allowance suffices for; infinite if none is needed. `limited` is a buffer.
fn rate_limit(
    element_rates: &[f64],
    allowance: Allowance,
    least: f64,
    limited: &mut Vec<f64>,
) -> f64 {
    let largest = element_rates.iter().copied().fold(0.0, f64::max);
    // no split costs more than the steps of the stiffest element for all
    let most = largest * (element_rates.len() + allowance.touched_nodes) as f64;
    if largest <= least || most <= allowance.evaluations {
        return f64::INFINITY;
    }
    let mut fits = |limit: f64| {
        limited.clear();
        limited.extend(element_rates.iter().map(|rate| rate.min(limit)));
        let split = cheapest_split(limited, allowance.touched_rate.min(limit));
        split.cost + split.slow_rate * allowance.touched_nodes as f64 <= allowance.evaluations
    };
    if fits(f64::INFINITY) {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (least, largest);
    for _ in 0..LIMIT_BISECTIONS {
        let middle = (low * high).sqrt();
        match fits(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_rates_is_the_largest_that_the_allowance_suffices_for() {
        let rates: Vec<f64> = (0..1000)
            .map(|t| if t < 400 { 900.0 } else { 100.0 })
            .collect();
        let limit = |evaluations: f64, touched_nodes: usize| {
            let allowance = Allowance {
                evaluations,
                touched_nodes,
                touched_rate: 900.0,
            };
            rate_limit(&rates, allowance, 100.0, &mut Vec::new())
        };
        assert_eq!(limit(900_000.0, 0), f64::INFINITY);
        // without a stiff element all 1000 have the steps of the touched ones
        let found = limit(500_000.0, 0);
        assert!((480.0..=500.0).contains(&found), "{found}");
        let touched = limit(500_000.0, 1000);
        assert!((240.0..=250.0).contains(&touched), "{touched}");
        // what elements need at rest is not taken from them
        assert_eq!(limit(1_000.0, 0), 100.0);
    }

    #[test]
    fn a_lower_limit_is_taken_at_once_and_a_higher_one_after_some_frames() {
        let mut added = AddedInertia::new(vec![1.0; 2], vec![1.0; 5]);
        let mut limit = |needed: f64| {
            added.choose_limit(needed);
            added.scaling.max_rate
        };
        assert_eq!(limit(100.0), 100.0);
        for needed in [300.0, 200.0, 400.0, f64::INFINITY, 250.0] {
            assert_eq!(limit(needed), 100.0);
        }
        assert_eq!(limit(300.0), 200.0);
        assert_eq!(limit(50.0), 50.0);
    }

    #[test]
    fn saved_inertia_is_restored_and_wrong_values_are_refused() {
        let mut added = AddedInertia::new(vec![1.0; 4], vec![1.0; 5]);
        added.choose_limit(100.0);
        added.choose_limit(300.0);
        (added.scaling.corners[2], added.scaling.count) = (0.5, 1);
        let mut values = vec![7.0];
        added.save(&mut values);
        let mut other = AddedInertia::new(vec![1.0; 4], vec![1.0; 5]);
        assert_eq!(other.restore(&values), Some(&[7.0][..]));
        let tets = [[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 3, 4], [0, 2, 3, 4]];
        let mut masses = [0.0; 5];
        other.write_masses(&tets, &mut masses);
        assert_eq!(masses, [1.5, 1.5, 1.0, 1.5, 1.5]);
        assert_eq!((other.count(), other.added_share()), (1, 0.4));
        assert_eq!(
            (
                other.scaling.max_rate,
                other.frames_below,
                other.limit_below
            ),
            (100.0, 1, 300.0)
        );
        let mut few = AddedInertia::new(vec![1.0; 2], vec![1.0; 5]);
        assert_eq!(few.restore(&values), None);
        assert_eq!(few.restore(&[]), None);
        assert_eq!(few.restore(&[100.0, 0.0, 300.0, 9.0]), None);
        assert_eq!(few.restore(&[1.0, -0.5, 100.0, 0.0, 300.0, 2.0]), None);
    }
}
