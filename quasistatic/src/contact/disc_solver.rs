//! Solves Tresca's problem by projected block Gauss-Seidel with Newton steps in between.
//!
//! Sweeps go over the contacts in a fixed order. They need no independent rows, so that a skin finer than its mesh is no special case. Between
//! sweeps [`super::disc_newton`] moves all contacts at once, where the energy falls.

use crate::contact::disc_newton::DiscNewton;
use crate::contact::disc_problem::DiscProblem;

/// Report of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DiscReport {
    /// Sweeps over all contacts.
    pub sweeps: u32,
    /// Newton steps that were taken.
    pub newton_steps: u32,
    /// Whether forces stopped changing.
    pub converged: bool,
}

/// Relative change of forces at which the solution has converged.
const CONVERGENCE_TOLERANCE: f64 = 1e-11;
/// Most sweeps.
const MAX_SWEEPS: u32 = 2_000;
/// Sweeps before the first Newton step.
const SWEEPS_BEFORE_NEWTON: u32 = 2;
/// Most sweeps between a rejected Newton step and the next; their number doubles with each rejection.
const MAX_SWEEPS_BEFORE_NEWTON: u32 = 64;

/// Finds forces within discs; keeps its memory.
#[derive(Debug, Default)]
pub struct DiscSolver {
    slip: Vec<f64>,
    own_compliance: Vec<f64>,
    newton: DiscNewton,
}

impl DiscSolver {
    /// Drops the factor. Call this when the compliance changes.
    pub fn invalidate(&mut self) {
        self.newton.invalidate();
    }

    /// Solves from the `force` given, two numbers a contact. Cost: `8 k²` flops a sweep, as much a Newton step, and up to `8/3 k³` for a new factor where
    /// other contacts than before slide.
    pub fn solve(&mut self, problem: &DiscProblem<'_>, force: &mut [f64]) -> DiscReport {
        self.iterate(problem, force, SWEEPS_BEFORE_NEWTON)
    }

    /// Solves by sweeps alone: the reference.
    pub fn relax(&mut self, problem: &DiscProblem<'_>, force: &mut [f64]) -> DiscReport {
        self.iterate(problem, force, u32::MAX)
    }

    fn iterate(
        &mut self,
        problem: &DiscProblem<'_>,
        force: &mut [f64],
        mut sweeps_left: u32,
    ) -> DiscReport {
        problem.slip(force, &mut self.slip);
        problem.own_compliance(&mut self.own_compliance);
        let largest = problem.limits.iter().fold(0.0_f64, |a, r| a.max(*r));
        let mut report = DiscReport::default();
        let mut sweeps_before_newton = SWEEPS_BEFORE_NEWTON;
        while report.sweeps < MAX_SWEEPS {
            report.sweeps += 1;
            let change = problem.sweep(force, &mut self.slip, &self.own_compliance);
            if change <= CONVERGENCE_TOLERANCE * largest {
                report.converged = true;
                break;
            }
            sweeps_left -= 1;
            if sweeps_left > 0 {
                continue;
            }
            let (slip, own_compliance) = (&mut self.slip, &self.own_compliance);
            sweeps_left = if self.newton.try_step(problem, force, slip, own_compliance) {
                report.newton_steps += 1;
                1
            } else {
                sweeps_before_newton = (2 * sweeps_before_newton).min(MAX_SWEEPS_BEFORE_NEWTON);
                sweeps_before_newton
            };
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contacts on a line of an elastic body, some held weakly.
    fn line(k: usize) -> [Vec<f64>; 3] {
        let size = 2 * k;
        let mut compliance = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..size {
                let distance = (i / 2).abs_diff(j / 2) as f64;
                let same = if i % 2 == j % 2 { 1.0 } else { 0.1 };
                compliance[i * size + j] = same / (1.0 + distance);
            }
        }
        let free_slip = (0..size).map(|i| 0.3 * (1.7 * i as f64).sin()).collect();
        let limits = (0..k).map(|c| 0.05 + 0.6 * (c % 4) as f64).collect();
        [compliance, free_slip, limits]
    }

    fn problem([compliance, free_slip, limits]: &[Vec<f64>; 3]) -> DiscProblem<'_> {
        DiscProblem {
            compliance,
            free_slip,
            limits,
        }
    }

    #[test]
    fn forces_hold_inside_and_drag_on_the_rim() {
        let numbers = line(12);
        let problem = problem(&numbers);
        let (mut force, mut solver) = (vec![0.0; 24], DiscSolver::default());
        let report = solver.solve(&problem, &mut force);
        assert!(report.converged, "{report:?}");
        let mut slip = Vec::new();
        problem.slip(&force, &mut slip);
        let (mut inside, mut rim) = (0, 0);
        for (c, limit) in problem.limits.iter().enumerate() {
            let (t, d) = (
                [force[2 * c], force[2 * c + 1]],
                [slip[2 * c], slip[2 * c + 1]],
            );
            let length = t[0].hypot(t[1]);
            assert!(length <= limit * (1.0 + 1e-12));
            if length < limit * (1.0 - 1e-9) {
                inside += 1;
                assert!(d[0].hypot(d[1]) < 1e-8, "a force inside its disc holds");
            } else {
                rim += 1;
                let along = t[0] * d[0] + t[1] * d[1];
                let across = t[0] * d[1] - t[1] * d[0];
                assert!(along < 1e-9 && across.abs() < 1e-7, "{along} {across}");
            }
        }
        assert!(inside > 0 && rim > 0);
        // the same from another start, and without Newton steps
        let mut again = vec![0.05; 24];
        solver.solve(&problem, &mut again);
        assert!(force.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-8));
        let mut slowly = vec![0.0; 24];
        assert_eq!(solver.relax(&problem, &mut slowly).newton_steps, 0);
        assert!(force.iter().zip(&slowly).all(|(a, b)| (a - b).abs() < 1e-8));
    }

    #[test]
    fn newton_steps_save_nine_sweeps_of_ten_and_lead_to_the_same_forces() {
        let (mut sweeps, mut alone) = (0, 0);
        let mut solver = DiscSolver::default();
        for round in 0..40 {
            let k = 5 + round % 7 * 6;
            let [mut compliance, mut free_slip, mut limits] = line(k);
            // every other contact nearly repeats its neighbour, in some rounds to the bit
            let size = 2 * k;
            let shift = if round % 3 == 0 { 0.0 } else { 1e-3 };
            let position = |i: usize| (i / 4) as f64 + shift * (i / 2 % 2) as f64;
            for i in 0..size {
                for j in 0..size {
                    let same = if i % 2 == j % 2 { 1.0 } else { 0.1 };
                    let distance = (position(i) - position(j)).abs() / (2.0 + (round % 5) as f64);
                    compliance[i * size + j] = same * (-distance * distance).exp();
                }
            }
            // dragged along, hardly turned
            for (i, o) in free_slip.iter_mut().enumerate() {
                *o = (1 - i % 2) as f64 + 0.1 * (0.2 * i as f64).sin();
            }
            let scale = 0.1 * f64::from(1 + round as u32 % 11);
            limits.iter_mut().for_each(|r| *r *= scale);
            let numbers = [compliance, free_slip, limits];
            let problem = problem(&numbers);
            solver.invalidate();
            let (mut fast, mut slow) = (vec![0.0; size], vec![0.0; size]);
            let report = solver.solve(&problem, &mut fast);
            assert!(report.converged, "{round}: {report:?}");
            sweeps += report.sweeps;
            let relaxed = solver.relax(&problem, &mut slow);
            alone += relaxed.sweeps;
            // displacements are unique, forces of repeated contacts are not
            let (mut one, mut other) = (Vec::new(), Vec::new());
            problem.slip(&fast, &mut one);
            problem.slip(&slow, &mut other);
            let energy = |t: &[f64], d: &[f64]| -> f64 {
                let terms = t.iter().zip(d).zip(problem.free_slip);
                terms.map(|((t, d), o)| 0.5 * t * (d + o)).sum()
            };
            let (newton_energy, sweep_energy) = (energy(&fast, &one), energy(&slow, &other));
            assert!(
                newton_energy <= sweep_energy + 1e-13,
                "{round}: {newton_energy} {sweep_energy}"
            );
            if relaxed.converged {
                let distance = one.iter().zip(&other).map(|(a, b)| (a - b).abs());
                assert!(distance.fold(0.0, f64::max) < 1e-7, "{round}");
            }
        }
        assert!(
            10 * sweeps < alone,
            "{sweeps} sweeps, {alone} without Newton steps"
        );
    }

    #[test]
    fn repeated_contacts_share_their_load() {
        // the same contact twice: forces are not unique, their sum is
        let compliance = vec![
            1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0,
        ];
        let numbers = [compliance, vec![-1.0, 0.5, -1.0, 0.5], vec![5.0, 5.0]];
        let mut force = vec![0.0; 4];
        let report = DiscSolver::default().solve(&problem(&numbers), &mut force);
        assert!(report.converged);
        assert!((force[0] + force[2] - 1.0).abs() < 1e-9);
        assert!((force[1] + force[3] + 0.5).abs() < 1e-9);
    }
}
