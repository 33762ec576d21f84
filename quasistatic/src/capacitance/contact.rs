//! Unilateral contact: which conditions push.
//!
//! `gap = g⁰ + M λ`, `λ ≥ 0`, `gap ≥ 0`, `λ·gap = 0`. James and Pai exchange all wrong conditions and solve again, which usually needs two to
//! five solutions but has no proof of ending. This is the guarded form of it: exchange all while the number of wrong conditions falls,
//! allow a few stalls, then exchange only the last wrong one, which ends for every P-matrix (Murty's least-index rule).

use crate::capacitance::factor::{DenseLu, SingularPivot};

/// A mixed problem: bilateral rows hold their gap at zero, unilateral rows may only push.
#[derive(Debug, Clone, Copy)]
pub struct ContactProblem<'a> {
    /// Compliance `M`, row by row, m/N.
    pub compliance: &'a [f64],
    /// Changes whenever `compliance` does: equal stamps let the factor be used again.
    pub stamp: u64,
    /// Gaps without contact forces, m.
    pub gaps: &'a [f64],
    /// Which rows may only push.
    pub unilateral: &'a [bool],
    /// Penetration that counts as none, m.
    pub gap_tolerance: f64,
    /// Most systems to solve.
    pub max_solves: u32,
}

/// How the exchange ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContactReport {
    /// Systems solved.
    pub solves: u32,
    /// Factorisations among them; an unchanged set needs none.
    pub factorisations: u32,
    /// Whether every condition is right.
    pub converged: bool,
}

/// Pulling that counts as none, as a share of the largest force.
const PULL_TOLERANCE: f64 = 1e-9;
/// A condition that was let go comes back only when this many tolerances deep.
const HYSTERESIS: f64 = 10.0;
/// Exchanges without progress before the safeguard.
const STALLS: u32 = 5;

/// Solves contact problems; keeps its factor and memory between frames.
#[derive(Debug, Default)]
pub struct ContactSolver {
    lu: DenseLu,
    /// Set and stamp that `lu` belongs to.
    factored: Option<(u64, Vec<u32>)>,
    set: Vec<u32>,
    right: Vec<f64>,
    wrong: Vec<u32>,
    released: Vec<bool>,
}

impl ContactSolver {
    /// Finds forces `force` (N) and the pushing set, starting from `active`. Unilateral forces are never negative.
    ///
    /// Without convergence the last set is kept and its pulling rows get no force.
    ///
    /// # Errors
    /// [`SingularPivot`] with the row whose condition follows from others.
    pub fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        active: &mut [bool],
        force: &mut [f64],
    ) -> Result<ContactReport, SingularPivot> {
        let size = problem.gaps.len();
        self.released.clear();
        self.released.resize(size, false);
        for (a, &unilateral) in active.iter_mut().zip(problem.unilateral) {
            *a |= !unilateral;
        }
        let mut report = ContactReport::default();
        let (mut best, mut tries) = (usize::MAX, STALLS);
        loop {
            self.solve_set(problem, active, force, &mut report)?;
            self.find_wrong(problem, active, force);
            if self.wrong.is_empty() {
                report.converged = true;
                break;
            }
            if report.solves >= problem.max_solves {
                break;
            }
            if self.wrong.len() < best {
                best = self.wrong.len();
                tries = STALLS;
            } else if tries > 0 {
                tries -= 1;
            } else {
                self.wrong.drain(..self.wrong.len() - 1);
            }
            for &i in &self.wrong {
                let i = i as usize;
                self.released[i] |= active[i];
                active[i] = !active[i];
            }
        }
        for ((f, a), &unilateral) in force.iter_mut().zip(active).zip(problem.unilateral) {
            if unilateral && *f <= 0.0 {
                *f = 0.0;
                *a = false;
            }
        }
        Ok(report)
    }

    /// Forces of the set `active` that close its gaps.
    fn solve_set(
        &mut self,
        problem: &ContactProblem<'_>,
        active: &[bool],
        force: &mut [f64],
        report: &mut ContactReport,
    ) -> Result<(), SingularPivot> {
        let size = problem.gaps.len();
        self.set.clear();
        self.set
            .extend((0..size as u32).filter(|&i| active[i as usize]));
        let current = self
            .factored
            .as_ref()
            .is_some_and(|(stamp, set)| *stamp == problem.stamp && *set == self.set);
        if !current {
            let set = &self.set;
            let entry =
                |r: usize, c: usize| problem.compliance[set[r] as usize * size + set[c] as usize];
            let mut kept = self.factored.take().map(|(_, set)| set).unwrap_or_default();
            self.lu
                .factor(set.len(), entry)
                .map_err(|pivot| SingularPivot {
                    row: set[pivot.row] as usize,
                })?;
            kept.clone_from(&self.set);
            self.factored = Some((problem.stamp, kept));
            report.factorisations += 1;
        }
        self.right.clear();
        let gaps = self.set.iter().map(|&i| -problem.gaps[i as usize]);
        self.right.extend(gaps);
        self.lu.solve(&mut self.right);
        force.fill(0.0);
        for (&i, &f) in self.set.iter().zip(&self.right) {
            force[i as usize] = f;
        }
        report.solves += 1;
        Ok(())
    }

    /// Collects pulling rows of the set and penetrating rows outside it, ascending.
    fn find_wrong(&mut self, problem: &ContactProblem<'_>, active: &[bool], force: &[f64]) {
        let size = problem.gaps.len();
        let largest = force.iter().fold(0.0_f64, |a, f| a.max(f.abs()));
        self.wrong.clear();
        for i in 0..size {
            let is_wrong = if !problem.unilateral[i] {
                false
            } else if active[i] {
                force[i] < -PULL_TOLERANCE * largest
            } else {
                let row = &problem.compliance[i * size..(i + 1) * size];
                let closing: f64 = self
                    .set
                    .iter()
                    .map(|&j| row[j as usize] * force[j as usize])
                    .sum();
                let hysteresis = if self.released[i] { HYSTERESIS } else { 1.0 };
                problem.gaps[i] + closing < -hysteresis * problem.gap_tolerance
            };
            if is_wrong {
                self.wrong.push(i as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(m: &[f64], g: &[f64], warm: &[bool]) -> (Vec<f64>, Vec<bool>, ContactReport) {
        let (mut active, mut force) = (warm.to_vec(), vec![0.0; g.len()]);
        let problem = ContactProblem {
            compliance: m,
            stamp: 1,
            gaps: g,
            unilateral: &vec![true; g.len()],
            gap_tolerance: 1e-12,
            max_solves: 100,
        };
        let report = ContactSolver::default()
            .solve(&problem, &mut active, &mut force)
            .expect("P-matrix");
        (force, active, report)
    }

    fn assert_complementary(m: &[f64], g: &[f64], force: &[f64]) {
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
