//! Contact by descent (non-negative least squares): slower than the exchange, but it always converges.
//!
//! The forces minimise `½ λᵀMλ + g⁰ᵀλ` over `λ ≥ 0`. Following Lawson and Hanson (*Solving Least Squares Problems*, 1974, chapter 23), the
//! deepest row joins the set, and the step towards the new solution stops where a force would become negative; that row leaves. The
//! objective falls with every step, so that no set occurs twice, and an early stop leaves bounded forces that push. A skin much finer than its mesh needs
//! this, because many of its contacts depend on a few nodes.

use crate::capacitance::complementarity::ContactSolver;
use crate::capacitance::problem::{ContactProblem, ContactReport, SolveStop};

/// Most systems to solve.
const MAX_SOLVES: u32 = 500;

impl ContactSolver {
    /// Descends from `λ = 0` with the rows of `active` tried first. Bilateral rows have no sign and stay in the set.
    pub(super) fn descend(
        &mut self,
        problem: &ContactProblem<'_>,
        active: &mut [bool],
        force: &mut [f64],
        report: &mut ContactReport,
    ) -> Result<(), SolveStop> {
        let size = problem.gaps.len();
        let mut step = std::mem::take(&mut self.step);
        step.clear();
        step.resize(size, 0.0);
        force.fill(0.0);
        let limit = report.solves + MAX_SOLVES;
        let mut refused = None;
        let outcome = loop {
            if let Err(pivot) = self.inner_loop(problem, active, force, &mut step, report) {
                break Err(pivot);
            }
            let deepest = (0..size)
                .filter(|&i| problem.rows[i].unilateral && !active[i] && refused != Some(i))
                .map(|i| (self.set.gap(problem, i, force), i))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, next)) = deepest.filter(|(gap, _)| *gap < -problem.gap_tolerance) else {
                report.converged = refused.is_none();
                break Ok(());
            };
            if report.solves >= limit {
                break Ok(());
            }
            active[next] = true;
            if let Err(pivot) = self.set.solve(problem, active, &mut step, report) {
                break Err(pivot);
            }
            // by round-off the deepest row may not push. It is left out once, so that the search ends.
            if step[next] <= 0.0 {
                active[next] = false;
                refused = Some(next);
            } else {
                refused = None;
            }
        };
        self.step = step;
        outcome
    }

    /// Lawson and Hanson's inner loop: moves `force` to the solution of the set and drops rows that would pull.
    fn inner_loop(
        &mut self,
        problem: &ContactProblem<'_>,
        active: &mut [bool],
        force: &mut [f64],
        step: &mut [f64],
        report: &mut ContactReport,
    ) -> Result<(), SolveStop> {
        loop {
            self.set.solve(problem, active, step, report)?;
            let pulls = |i: usize, active: &[bool]| {
                problem.rows[i].unilateral && active[i] && step[i] < 0.0
            };
            let first = (0..force.len())
                .filter(|&i| pulls(i, active))
                .map(|i| (force[i] / (force[i] - step[i]), i))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let share = first.map_or(1.0, |(share, _)| share);
            for i in 0..force.len() {
                let moved = force[i] + share * (step[i] - force[i]);
                if pulls(i, active) && (moved <= 0.0 || first.is_some_and(|(_, k)| k == i)) {
                    active[i] = false;
                    force[i] = 0.0;
                } else {
                    force[i] = moved;
                }
            }
            if first.is_none() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capacitance::complementarity::tests::{numbered, problem};

    #[test]
    fn forty_contacts_on_three_freedoms_are_complementary() {
        // rows of rank three with a thin layer, as contacts inside one triangle have it
        let n = 40;
        let row = |i: usize| {
            let a = i as f64 * 0.7;
            [1.0, 0.3 * a.cos(), 0.3 * (1.7 * a).sin()]
        };
        let mut m = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                m[i * n + j] = row(i).iter().zip(row(j)).map(|(x, y)| x * y).sum::<f64>();
            }
            m[i * n + i] *= 1.0 + 1e-7;
        }
        let gaps: Vec<f64> = (0..n)
            .map(|i| -1.0 + 0.02 * ((i * 7 % 11) as f64))
            .collect();
        let rows = numbered(n);
        for warm in [false, true] {
            let (mut active, mut force) = (vec![warm; n], vec![0.0; n]);
            let problem = ContactProblem {
                gap_tolerance: 1e-9,
                nearly_dependent: true,
                ..problem(&rows, &m, &gaps)
            };
            let report = ContactSolver::default()
                .solve(&problem, &mut active, &mut force)
                .expect("regular with the layer");
            assert!(report.converged && report.solves < 60, "{report:?}");
            for i in 0..n {
                let gap = gaps[i] + (0..n).map(|j| m[i * n + j] * force[j]).sum::<f64>();
                assert!(force[i] >= 0.0 && gap > -1e-8 && (force[i] * gap).abs() < 1e-8);
            }
        }
    }
}
