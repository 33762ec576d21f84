//! The limit of the rates that a budget allows.

use crate::step::subcycling::split::cheapest_split;

/// Bisections of the limit of the rates: to some per cent of it.
const LIMIT_BISECTIONS: u32 = 7;

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

/// The largest limit of the rates, at least `least`, that the allowance suffices for; infinite if none is needed. `limited` is a buffer.
pub(super) fn rate_limit(
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
}
