//! The factors of the regions: damped least squares with bounds.
//!
//! If the logarithms of the factors change by `Δt_r`, the work of push `l` changes by `Δ ln W_l = -Σ_r a_lr Δt_r` to first order. There are many more regions than pushes, so many sets of
//! factors make all pushes right. The smallest change is taken:
//!
//! ```text
//! min over t   Σ_l w_l (b_l - Σ_r a_lr t_r)² + λ Σ_r k_r √e_r t_r²,   e_r = Σ_l w_l a_lr / k_r
//! ```
//!
//! with the pushes' weights `w_l`, the copies `k_r` of a region and the energy `e_r` that the pushes store in one copy. A region that carries pushes which are right keeps its stiffness, although it
//! carries others that are wrong. Without `√e_r` the few regions with the most energy take all of the change, those at the edge of a support for example. With `e_r` in its place,
//! regions far from the cause change as much as the cause.

use std::ops::RangeInclusive;

use nalgebra::{DMatrix, DVector};

/// What a push asks for.
pub(super) struct Equation {
    /// `w_l`
    pub weight: f64,
    /// `b_l`: the sum of `a_lr t_r` that makes the push right
    pub wanted: f64,
    /// `a_lr`: the share of its energy in each distinct region with all copies; their sum is one
    pub shares: Vec<f64>,
}

/// `λ` over the mean diagonal entry of the system.
const DAMPING: f64 = 0.1;

/// The `t_r` within `bounds`, which include zero; `copies` are the `k_r`.
///
/// The minimum is found through one unknown per push. A `t_r` beyond a bound is set to the bound, and the others are found again, until none is beyond. Cost: for each of
/// a few passes, a product of two regions by pushes matrices.
pub(super) fn bounded_least_squares(
    equations: &[Equation],
    copies: &[u32],
    bounds: &RangeInclusive<f64>,
) -> Vec<f64> {
    let count = equations.len();
    let roots: Vec<f64> = equations.iter().map(|e| e.weight.sqrt()).collect();
    let mobilities = mobilities(equations, copies);
    // of the regions that are not at a bound
    let mut free: Vec<usize> = (0..copies.len()).filter(|&r| mobilities[r] > 0.0).collect();
    let mut found = vec![0.0; copies.len()];
    let mut damping = None;
    loop {
        let mut matrix = DMatrix::zeros(count, count);
        for (l, first) in equations.iter().enumerate() {
            for (m, second) in equations.iter().enumerate().take(l + 1) {
                let product = |&r: &usize| first.shares[r] * second.shares[r] * mobilities[r];
                let sum = roots[l] * roots[m] * free.iter().map(product).sum::<f64>();
                (matrix[(l, m)], matrix[(m, l)]) = (sum, sum);
            }
        }
        let damping = *damping.get_or_insert(DAMPING * matrix.trace() / count as f64);
        for l in 0..count {
            matrix[(l, l)] += damping;
        }
        let Some(factor) = matrix.cholesky() else {
            return found;
        };
        // what the regions at bounds leave to the others, which count as zero here
        for &r in &free {
            found[r] = 0.0;
        }
        let remaining = equations.iter().zip(&roots).map(|(equation, root)| {
            let given = equation.shares.iter().zip(&found).map(|(a, t)| a * t);
            root * (equation.wanted - given.sum::<f64>())
        });
        let multipliers = factor.solve(&DVector::from_iterator(count, remaining));
        for &r in &free {
            let of_push = |l: usize| roots[l] * equations[l].shares[r] * multipliers[l];
            found[r] = mobilities[r] * (0..count).map(of_push).sum::<f64>();
        }
        let free_before = free.len();
        free.retain(|&r| bounds.contains(&found[r]));
        for t in &mut found {
            *t = t.clamp(*bounds.start(), *bounds.end());
        }
        if free.len() == free_before {
            return found;
        }
    }
}

/// `1 / (k_r √e_r)` of each region; zero where no push stores energy.
fn mobilities(equations: &[Equation], copies: &[u32]) -> Vec<f64> {
    let of_region = |(r, &copies): (usize, &u32)| {
        let copies = f64::from(copies);
        let energy: f64 = equations.iter().map(|e| e.weight * e.shares[r]).sum();
        match energy > 0.0 {
            true => 1.0 / (copies * (energy / copies).sqrt()),
            false => 0.0,
        }
    };
    copies.iter().enumerate().map(of_region).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: RangeInclusive<f64> = -2.0..=0.0;

    fn push(wanted: f64, shares: &[f64]) -> Equation {
        Equation {
            weight: 1.0,
            wanted,
            shares: shares.to_vec(),
        }
    }

    #[test]
    fn a_region_that_also_carries_a_right_push_keeps_its_stiffness() {
        // a neck, a head, and what no push strains; a push on the head is right, and one that bends the neck is too stiff
        let equations = [push(0.0, &[0.1, 0.9, 0.0]), push(-0.5, &[0.7, 0.3, 0.0])];
        let [neck, head, idle] = bounded_least_squares(&equations, &[1; 3], &BOUNDS)[..] else {
            panic!("three regions");
        };
        assert!(
            neck < -0.4 && (-0.05..=0.0).contains(&head),
            "{neck} {head}"
        );
        assert_eq!(idle, 0.0);
        // the mean of the errors of its pushes would soften the head by half of what the neck gets
        let bend = 0.7 * neck + 0.3 * head;
        assert!((bend + 0.5).abs() < 0.15, "{bend}");
    }

    #[test]
    fn one_solution_is_the_minimum_within_the_bounds() {
        let equations = [
            push(-0.6, &[0.5, 0.3, 0.2, 0.0]),
            push(0.3, &[0.0, 0.2, 0.3, 0.5]),
            push(-2.5, &[0.6, 0.1, 0.1, 0.2]),
        ];
        let copies = [1, 2, 1, 3];
        let found = bounded_least_squares(&equations, &copies, &BOUNDS);
        assert!(found.iter().all(|t| BOUNDS.contains(t)), "{found:?}");
        let mobilities = mobilities(&equations, &copies);
        let trace: f64 = equations
            .iter()
            .flat_map(|e| e.shares.iter().zip(&mobilities).map(|(a, m)| a * a * m))
            .sum();
        let damping = DAMPING * trace / 3.0;
        let cost = |t: &[f64]| {
            let misfit = equations.iter().map(|e| {
                let sum: f64 = e.shares.iter().zip(t).map(|(a, t)| a * t).sum();
                (e.wanted - sum).powi(2)
            });
            let size = t.iter().zip(&mobilities).map(|(t, m)| t * t / m);
            misfit.sum::<f64>() + damping * size.sum::<f64>()
        };
        for r in 0..4 {
            for step in [1e-4, -1e-4] {
                let mut other = found.clone();
                other[r] = (other[r] + step).clamp(*BOUNDS.start(), *BOUNDS.end());
                assert!(cost(&other) >= cost(&found), "{r} {step} {found:?}");
            }
        }
    }

    #[test]
    fn copies_of_a_region_count_as_regions() {
        let apart = [push(-0.4, &[0.2, 0.2, 0.6])];
        let together = [push(-0.4, &[0.4, 0.6])];
        let apart = bounded_least_squares(&apart, &[1; 3], &BOUNDS);
        let together = bounded_least_squares(&together, &[2, 1], &BOUNDS);
        assert!((apart[0] - together[0]).abs() < 1e-12 && apart[0] == apart[1]);
        assert!((apart[2] - together[1]).abs() < 1e-12);
    }
}
