//! Updated sets against fresh ones.

use super::*;
use crate::capacitance::complementarity::tests::{numbered, problem};
use crate::capacitance::problem::{ContactProblem, ContactReport, SolveStop};

/// Compliance of a point on a half space to another.
fn compliance(size: usize) -> Vec<f64> {
    let entry = |i: usize, j: usize| {
        let distance = (i as f64 - j as f64).abs();
        1.0 / (1.0 + 0.4 * distance) + 0.003 * ((i.min(j) * 5 + i.max(j)) % 7) as f64
    };
    (0..size * size)
        .map(|k| entry(k / size, k % size))
        .collect()
}

#[test]
fn updated_sets_equal_fresh_factors_and_few_are_factored() {
    let n = 90;
    let matrix = compliance(n);
    let rows = numbered(n);
    let gaps: Vec<f64> = (0..n).map(|k| (0.3 * k as f64).sin() - 1.2).collect();
    let mut solver = SetSolver::default();
    let mut report = ContactReport::default();
    for frame in 0..300_usize {
        // a window of candidates slides over the rows, and within it the set
        let start = frame / 5 % 20;
        let window = start..start + 70;
        let compliance: Vec<f64> = window
            .clone()
            .flat_map(|i| window.clone().map(move |j| i * n + j))
            .map(|k| matrix[k])
            .collect();
        let problem = ContactProblem {
            stamp: 1 + frame as u64 / 5,
            ..problem(&rows[window.clone()], &compliance, &gaps[window.clone()])
        };
        let active: Vec<bool> = (0..70)
            .map(|i| (i + start) % 20 > 5 && (i * 7 + frame) % 31 != 0)
            .collect();
        let (mut force, mut fresh) = (vec![0.0; 70], vec![0.0; 70]);
        solver
            .solve(&problem, &active, &mut force, &mut report)
            .expect("regular");
        SetSolver::default()
            .solve(&problem, &active, &mut fresh, &mut ContactReport::default())
            .expect("regular");
        let largest = fresh.iter().fold(0.0_f64, |a, f| a.max(f.abs()));
        for (a, b) in force.iter().zip(&fresh) {
            assert!((a - b).abs() < 1e-11 * largest, "frame {frame}: {a} {b}");
        }
        for i in (0..70).filter(|&i| active[i]) {
            assert!(solver.gap(&problem, i, &force).abs() < 1e-12);
        }
    }
    assert_eq!(report.solves, 300);
    assert!(report.updates > 300, "{report:?}");
    assert!(report.factorisations < 30, "{report:?}");
}

#[test]
fn a_singular_set_is_refused_and_the_next_one_is_solved() {
    let n = 12;
    let mut matrix = compliance(n);
    for j in 0..n {
        matrix[7 * n + j] = matrix[3 * n + j];
    }
    for i in 0..n {
        matrix[i * n + 7] = matrix[i * n + 3];
    }
    let (rows, gaps) = (numbered(n), [-1.0; 12]);
    let problem = problem(&rows, &matrix, &gaps);
    let mut solver = SetSolver::default();
    let mut force = vec![0.0; n];
    let mut report = ContactReport::default();
    let mut active = vec![true; n];
    active[7] = false;
    assert!(
        solver
            .solve(&problem, &active, &mut force, &mut report)
            .is_ok()
    );
    active[7] = true;
    let refused = solver.solve(&problem, &active, &mut force, &mut report);
    assert!(matches!(refused, Err(SolveStop::Singular(pivot)) if pivot.row < n));
    active[3] = false;
    assert!(
        solver
            .solve(&problem, &active, &mut force, &mut report)
            .is_ok()
    );
    assert!(solver.gap(&problem, 7, &force).abs() < 1e-12);
}

/// Sets by factors and by updates, abandoned at any part of their work.
#[test]
fn an_abandoned_attempt_leaves_the_bits_of_one_that_was_not_begun() {
    let n = 60;
    let matrix = compliance(n);
    let gaps: Vec<f64> = (0..n).map(|k| (0.3 * k as f64).sin() - 1.2).collect();
    let rows = numbered(n);
    let problem = problem(&rows, &matrix, &gaps);
    let regularised = ContactProblem {
        stamp: 2,
        nearly_dependent: true,
        ..problem
    };
    let set = |first: usize, count: usize| -> Vec<bool> {
        (0..n).map(|i| i >= first && i < first + count).collect()
    };
    let solve = |solver: &mut SetSolver, problem: &ContactProblem<'_>, active: &[bool]| {
        let mut force = vec![0.0; n];
        let report = &mut ContactReport::default();
        solver
            .solve(problem, active, &mut force, report)
            .map(|()| force)
    };
    // a factor; an inverse that was updated; another update of it
    let history = [set(0, 50), set(2, 50), set(3, 50)];
    let last = set(4, 50);
    // an update, a factor of a set that shares little with it, and an update of that
    let attempted = [set(5, 50), set(30, 30), set(31, 29)];
    for frames in 0..=history.len() {
        let begun = || {
            let mut solver = SetSolver::default();
            for active in &history[..frames] {
                assert!(solve(&mut solver, &problem, active).is_ok());
            }
            solver
        };
        let mut untouched = begun();
        let before = untouched.cached();
        let expected = solve(&mut untouched, &problem, &last);
        let mut attempts = 0;
        for limit in (0..).step_by(700) {
            let mut solver = begun();
            solver.begin_attempt(Some(limit));
            let outcome = attempted
                .iter()
                .try_for_each(|active| solve(&mut solver, &problem, active).map(|_| ()))
                .and_then(|()| solve(&mut solver, &regularised, &attempted[0]));
            if outcome.is_ok() {
                break;
            }
            assert_eq!(outcome, Err(SolveStop::Abandoned));
            assert!(solver.meter().used() <= limit);
            solver.abandon();
            assert_eq!(solver.cached(), before);
            assert_eq!(solve(&mut solver, &problem, &last), expected);
            attempts += 1;
        }
        assert!(attempts > 10, "{attempts}");
    }
}

/// A limit that is not reached changes nothing.
#[test]
fn a_limit_that_pays_for_everything_has_the_bits_of_none() {
    let n = 40;
    let matrix = compliance(n);
    let (rows, gaps) = (numbered(n), [-1.0; 40]);
    let problem = problem(&rows, &matrix, &gaps);
    let (mut limited, mut free) = (SetSolver::default(), SetSolver::default());
    for frame in 0..12 {
        let active: Vec<bool> = (0..n).map(|i| i >= frame && i < frame + 25).collect();
        let (mut force, mut expected) = (vec![0.0; n], vec![0.0; n]);
        limited.begin_attempt(Some(u64::MAX));
        for (solver, force) in [(&mut limited, &mut force), (&mut free, &mut expected)] {
            let report = &mut ContactReport::default();
            assert!(solver.solve(&problem, &active, force, report).is_ok());
        }
        assert_eq!(force, expected);
    }
}
