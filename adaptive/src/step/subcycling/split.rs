//! The split of a level into stiff and other elements that costs least.

/// Cost of an evaluation of a stiff element over that of another. Stiff elements are few, and their nodes are copied.
const STIFF_COST: f64 = 1.6;
/// Ratio of successive candidates for the step of the others; the first candidate is the shortest step that an element needs.
const CANDIDATE_RATIO: f64 = 1.189_207_115_002_721;
/// Number of candidates: the others have steps up to 64 times as long.
const CANDIDATE_COUNT: usize = 25;
/// A split has to cost less than this share of the cost without one.
const MAX_COST_SHARE: f64 = 0.92;

/// Steps of a level whose elements are split in two sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Split {
    /// steps a second of the elements that are not stiff; those that need more are stiff
    pub slow_rate: f64,
    /// steps a second that the stiff elements need
    pub stiff_rate: f64,
    /// evaluations a second
    pub cost: f64,
}

/// Number of elements that move; the others need no steps.
pub(super) fn count_moving(element_rates: &[f64]) -> usize {
    element_rates.iter().filter(|rate| **rate > 0.0).count()
}

/// Evaluations a second of `count` elements of which `stiff` need `stiff_rate` steps a second and the others `slow_rate`.
pub(super) fn cost(count: usize, stiff: usize, slow_rate: f64, stiff_rate: f64) -> f64 {
    let slow = slow_rate * (count - stiff) as f64;
    match stiff {
        0 => slow,
        _ => slow + STIFF_COST * slow_rate * (stiff_rate / slow_rate).ceil() * stiff as f64,
    }
}

/// The split that costs least for elements that need `element_rates` steps a second. Elements that need up to `min_slow_rate` are not stiff. Where no split saves enough,
/// all elements have the steps of the stiffest one. Cost: some nanoseconds an element.
pub(crate) fn cheapest_split(element_rates: &[f64], min_slow_rate: f64) -> Split {
    let max_rate = element_rates.iter().copied().fold(0.0, f64::max);
    let mut bounds = [max_rate; CANDIDATE_COUNT];
    for k in 1..CANDIDATE_COUNT {
        bounds[k] = bounds[k - 1] / CANDIDATE_RATIO;
    }
    // elements sorted by the last bound that they do not exceed: their number, and the largest rate that any of them needs
    let (mut counts, mut max_rates) = ([0; CANDIDATE_COUNT], [0.0_f64; CANDIDATE_COUNT]);
    for rate in element_rates {
        let k = bounds.partition_point(|bound| bound >= rate).max(1) - 1;
        counts[k] += 1;
        max_rates[k] = max_rates[k].max(*rate);
    }
    let count = count_moving(element_rates);
    let none = Split {
        slow_rate: max_rate,
        stiff_rate: max_rate,
        cost: cost(count, 0, max_rate, max_rate),
    };
    let (mut best, mut stiff) = (none, 0);
    for k in 1..CANDIDATE_COUNT {
        stiff += counts[k - 1];
        let slow_rate = max_rates[k..].iter().copied().fold(0.0, f64::max);
        if slow_rate < min_slow_rate || slow_rate <= 0.0 || 2 * stiff > count {
            break;
        }
        let cost = cost(count, stiff, slow_rate, max_rate);
        if cost < best.cost.min(MAX_COST_SHARE * none.cost) {
            best = Split {
                slow_rate,
                stiff_rate: max_rate,
                cost,
            };
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_stiff_elements_are_split_off_and_the_cost_is_that_of_the_rest() {
        let mut rates = vec![100.0; 990];
        rates.extend([790.0; 10]);
        let split = cheapest_split(&rates, 0.0);
        assert_eq!((split.slow_rate, split.stiff_rate), (100.0, 790.0));
        // 990 at 100 and 10 at 800, these at their price
        assert!((split.cost - (99_000.0 + 1.6 * 8_000.0)).abs() < 1e-9);
    }

    #[test]
    fn elements_that_do_not_move_cost_nothing_and_change_no_step() {
        let mut rates = vec![100.0; 990];
        rates.extend([790.0; 10]);
        let awake = cheapest_split(&rates, 0.0);
        rates.extend([0.0; 3000]);
        assert_eq!(cheapest_split(&rates, 0.0), awake);
    }

    #[test]
    fn elements_that_are_all_alike_stay_together() {
        let split = cheapest_split(&[100.0; 50], 0.0);
        assert_eq!((split.slow_rate, split.cost), (100.0, 5_000.0));
        // nor are many of a little more split off
        let rates: Vec<f64> = (0..100).map(|k| 100.0 + f64::from(k % 2) * 10.0).collect();
        assert_eq!(cheapest_split(&rates, 0.0).slow_rate, 110.0);
    }

    #[test]
    fn what_must_not_be_stiff_bounds_the_step_of_the_others() {
        let mut rates = vec![100.0; 900];
        rates.extend([200.0; 50]);
        rates.extend([800.0; 50]);
        assert_eq!(cheapest_split(&rates, 0.0).slow_rate, 100.0);
        assert_eq!(cheapest_split(&rates, 150.0).slow_rate, 200.0);
        assert_eq!(cheapest_split(&rates, 700.0).slow_rate, 800.0);
    }
}
