//! Which elements are stiff: the split of a level that costs least.

/// Cost of an evaluation of a stiff element over that of another: they are few, and their nodes are copied.
const STIFF_COST: f64 = 1.6;
/// Candidates for the step of the others: the shortest step needed times a power of this.
const RATIO: f64 = 1.189_207_115_002_721;
/// Number of candidates: the others have steps up to 64 times as long.
const CANDIDATES: usize = 25;
/// A split has to cost less than this share of none.
const WORTHWHILE: f64 = 0.92;

/// Steps of a level in two parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Split {
    /// steps a second of the others; elements that need more are stiff
    pub base: f64,
    /// steps a second that the stiff ones need
    pub top: f64,
    /// evaluations a second
    pub cost: f64,
}

/// Number of elements that need steps: the others do not move.
pub(super) fn moving(needs: &[f64]) -> usize {
    needs.iter().filter(|need| **need > 0.0).count()
}

/// Evaluations a second of `count` elements of which `stiff` need `top` steps a second and the others `base`.
pub(super) fn cost(count: usize, stiff: usize, base: f64, top: f64) -> f64 {
    let slow = base * (count - stiff) as f64;
    match stiff {
        0 => slow,
        _ => slow + STIFF_COST * base * (top / base).ceil() * stiff as f64,
    }
}

/// The split that costs least for elements that need so many steps a second; elements that need up to `least` are none of the stiff ones. Without a split that is
/// worthwhile, all have the steps of the stiffest. Cost: some nanoseconds an element.
pub(crate) fn cheapest(needs: &[f64], least: f64) -> Split {
    let top = needs.iter().copied().fold(0.0, f64::max);
    let mut bounds = [top; CANDIDATES];
    for k in 1..CANDIDATES {
        bounds[k] = bounds[k - 1] / RATIO;
    }
    // elements by the last bound that they do not exceed, and the most that any of them needs
    let (mut counts, mut most) = ([0; CANDIDATES], [0.0_f64; CANDIDATES]);
    for need in needs {
        let k = bounds.partition_point(|bound| bound >= need).max(1) - 1;
        counts[k] += 1;
        most[k] = most[k].max(*need);
    }
    let count = moving(needs);
    let none = Split {
        base: top,
        top,
        cost: cost(count, 0, top, top),
    };
    let (mut best, mut stiff) = (none, 0);
    for k in 1..CANDIDATES {
        stiff += counts[k - 1];
        let base = most[k..].iter().copied().fold(0.0, f64::max);
        if base < least || base <= 0.0 || 2 * stiff > count {
            break;
        }
        let cost = cost(count, stiff, base, top);
        if cost < best.cost.min(WORTHWHILE * none.cost) {
            best = Split { base, top, cost };
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_stiff_elements_are_split_off_and_the_cost_is_that_of_the_rest() {
        let mut needs = vec![100.0; 990];
        needs.extend([790.0; 10]);
        let split = cheapest(&needs, 0.0);
        assert_eq!((split.base, split.top), (100.0, 790.0));
        // 990 at 100 and 10 at 800, these at their price
        assert!((split.cost - (99_000.0 + 1.6 * 8_000.0)).abs() < 1e-9);
    }

    #[test]
    fn elements_that_do_not_move_cost_nothing_and_change_no_step() {
        let mut needs = vec![100.0; 990];
        needs.extend([790.0; 10]);
        let awake = cheapest(&needs, 0.0);
        needs.extend([0.0; 3000]);
        assert_eq!(cheapest(&needs, 0.0), awake);
    }

    #[test]
    fn elements_that_are_all_alike_stay_together() {
        let split = cheapest(&[100.0; 50], 0.0);
        assert_eq!((split.base, split.cost), (100.0, 5_000.0));
        // nor are many of a little more split off
        let needs: Vec<f64> = (0..100).map(|k| 100.0 + f64::from(k % 2) * 10.0).collect();
        assert_eq!(cheapest(&needs, 0.0).base, 110.0);
    }

    #[test]
    fn what_must_not_be_stiff_bounds_the_step_of_the_others() {
        let mut needs = vec![100.0; 900];
        needs.extend([200.0; 50]);
        needs.extend([800.0; 50]);
        assert_eq!(cheapest(&needs, 0.0).base, 100.0);
        assert_eq!(cheapest(&needs, 150.0).base, 200.0);
        assert_eq!(cheapest(&needs, 700.0).base, 800.0);
    }
}
