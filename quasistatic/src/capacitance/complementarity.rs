//! The linear complementarity problem of unilateral contact: it determines the conditions that push.
//!
//! `gap = g⁰ + M λ`, `λ ≥ 0`, `gap ≥ 0`, `λ·gap = 0`. James and Pai exchange all violated conditions and solve again. That usually takes two to
//! five solutions, but it may cycle. Here the exchange has a safeguard. All violated conditions are exchanged while their number falls. After a few
//! stalls only the last violated one is exchanged, which ends for every P-matrix (Murty's least-index rule).

use crate::capacitance::problem::{ContactProblem, ContactReport, SolveStop};
use crate::capacitance::set::SetSolver;

/// A tensile force below this share of the largest force counts as zero.
const PULL_TOLERANCE: f64 = 1e-9;
/// A released condition becomes active again only where it penetrates by this many tolerances.
const HYSTERESIS: f64 = 10.0;
/// Exchanges without progress that are allowed before the safeguard.
const MAX_STALLS: u32 = 5;

/// Solves contact problems; keeps its factor and memory between frames.
#[derive(Debug, Default)]
pub struct ContactSolver {
    pub(super) set: SetSolver,
    violated: Vec<u32>,
    released: Vec<bool>,
    pub(super) step: Vec<f64>,
}

impl ContactSolver {
    /// Finds forces `force` (N) and the pushing set, starting from `active`. Unilateral forces are never negative.
    ///
    /// Well-conditioned problems are solved by the exchange with its safeguard. Descent follows where rows nearly repeat each other or the exchange does
    /// not end in time. Without convergence the forces still only push and stay bounded.
    ///
    /// # Errors
    /// [`SolveStop::Singular`] with the row whose condition follows from others; [`SolveStop::Abandoned`] where a limit of the work does not pay for the solution.
    pub fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        active: &mut [bool],
        force: &mut [f64],
    ) -> Result<ContactReport, SolveStop> {
        for (a, row) in active.iter_mut().zip(problem.rows) {
            *a |= !row.unilateral;
        }
        let mut report = ContactReport::default();
        if !problem.nearly_dependent {
            self.exchange(problem, active, force, &mut report)?;
        }
        if !report.converged {
            self.descend(problem, active, force, &mut report)?;
        }
        for ((f, a), row) in force.iter_mut().zip(active).zip(problem.rows) {
            if row.unilateral && *f <= 0.0 {
                *f = 0.0;
                *a = false;
            }
        }
        Ok(report)
    }

    fn exchange(
        &mut self,
        problem: &ContactProblem<'_>,
        active: &mut [bool],
        force: &mut [f64],
        report: &mut ContactReport,
    ) -> Result<(), SolveStop> {
        self.released.clear();
        self.released.resize(problem.gaps.len(), false);
        let (mut best, mut stalls_left) = (usize::MAX, MAX_STALLS);
        loop {
            self.set.solve(problem, active, force, report)?;
            self.find_violated(problem, active, force);
            if self.violated.is_empty() {
                report.converged = true;
                return Ok(());
            }
            if report.solves >= problem.max_solves {
                return Ok(());
            }
            if self.violated.len() < best {
                best = self.violated.len();
                stalls_left = MAX_STALLS;
            } else if stalls_left > 0 {
                stalls_left -= 1;
            } else {
                self.violated.drain(..self.violated.len() - 1);
            }
            for &i in &self.violated {
                let i = i as usize;
                self.released[i] |= active[i];
                active[i] = !active[i];
            }
        }
    }

    /// Collects pulling rows of the set and penetrating rows outside it, ascending.
    fn find_violated(&mut self, problem: &ContactProblem<'_>, active: &[bool], force: &[f64]) {
        let largest = force.iter().fold(0.0_f64, |a, f| a.max(f.abs()));
        self.violated.clear();
        for i in 0..problem.gaps.len() {
            let is_violated = if !problem.rows[i].unilateral {
                false
            } else if active[i] {
                force[i] < -PULL_TOLERANCE * largest
            } else {
                let hysteresis = if self.released[i] { HYSTERESIS } else { 1.0 };
                self.set.gap(problem, i, force) < -hysteresis * problem.gap_tolerance
            };
            if is_violated {
                self.violated.push(i as u32);
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::capacitance::ContactRow;
    use pliant_core::math::Vec3;

    use super::*;

    /// A problem with an exact tolerance.
    pub(crate) fn problem<'a>(
        rows: &'a [ContactRow],
        compliance: &'a [f64],
        gaps: &'a [f64],
    ) -> ContactProblem<'a> {
        ContactProblem {
            rows,
            compliance,
            stamp: 1,
            gaps,
            gap_tolerance: 1e-12,
            nearly_dependent: false,
            max_solves: 100,
        }
    }

    fn solve(m: &[f64], g: &[f64], warm: &[bool]) -> (Vec<f64>, Vec<bool>, ContactReport) {
        let (mut active, mut force) = (warm.to_vec(), vec![0.0; g.len()]);
        let rows = numbered(g.len());
        let problem = problem(&rows, m, g);
        let report = ContactSolver::default()
            .solve(&problem, &mut active, &mut force)
            .expect("P-matrix");
        (force, active, report)
    }

    /// Conditions that differ.
    pub(crate) fn numbered(count: usize) -> Vec<ContactRow> {
        let row = |k: usize| ContactRow {
            vertex: k as u32,
            direction: Vec3::y(),
            unilateral: true,
        };
        (0..count).map(row).collect()
    }

    pub(super) fn assert_complementary(m: &[f64], g: &[f64], force: &[f64]) {
        for i in 0..g.len() {
            let gap = g[i]
                + (0..g.len())
                    .map(|j| m[i * g.len() + j] * force[j])
                    .sum::<f64>();
            assert!(force[i] >= 0.0 && gap > -1e-9 && (force[i] * gap).abs() < 1e-9);
        }
    }

    #[test]
    fn the_case_on_which_plain_exchange_cycles_is_solved() {
        #[rustfmt::skip]
        let m = [
            1.0, 1.0, 0.0, 0.0,
            -2.0, 1.0, 1.0, 0.0,
            -1.0, -1.0, 1.0, 2.0,
            -2.0, 2.0, -1.0, 1.0,
        ];
        let g = [-2.0, -0.5, -3.0, 1.0];
        let (force, _, report) = solve(&m, &g, &[false; 4]);
        assert_complementary(&m, &g, &force);
        assert!(report.converged);
        assert_eq!(report.solves, 9);
    }

    #[test]
    fn random_positive_definite_problems_are_solved_from_any_start() {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for _ in 0..200 {
            let n = 8;
            let a: Vec<f64> = (0..n * n).map(|_| random()).collect();
            let mut m = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    m[i * n + j] = (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum::<f64>();
                }
                m[i * n + i] += 0.05;
            }
            let g: Vec<f64> = (0..n).map(|_| random()).collect();
            let (force, active, report) = solve(&m, &g, &vec![false; n]);
            assert!(report.converged);
            assert_complementary(&m, &g, &force);
            let warm: Vec<bool> = (0..n).map(|_| random() > 0.0).collect();
            let (again, _, _) = solve(&m, &g, &warm);
            assert!(force.iter().zip(&again).all(|(x, y)| (x - y).abs() < 1e-9));
            let (_, _, repeated) = solve(&m, &g, &active);
            assert_eq!(repeated.solves, 1);
        }
    }
}
