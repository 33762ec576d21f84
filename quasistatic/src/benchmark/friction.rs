//! Friction of many contacts as `pliant bench` times it.

use std::hint::black_box;

use pliant_core::bench::{BenchCase, Work};

use crate::contact::{DiscProblem, DiscSolver};

/// Distance of contacts, and radius within which the compliance stays finite, m.
const SPACING: f64 = 0.01;
const CORE: f64 = 0.04;
/// Largest difference of the slip of both solutions, as a share of the drag.
const TOLERANCE: f64 = 1e-4;

/// Tangential forces under a finger that is dragged and turned, so that it sticks in the middle and slides around it. Every other contact nearly repeats
/// its neighbour, as on a skin that is finer than its mesh. The reference uses sweeps alone.
pub(crate) fn discs(contacts: usize) -> Result<BenchCase, String> {
    if contacts == 0 || contacts > 2_000 {
        return Err("1 to 2000 contacts".into());
    }
    let positions: Vec<[f64; 2]> = (0..contacts).map(position).collect();
    let size = 2 * contacts;
    let mut compliance = Vec::with_capacity(size * size);
    for i in 0..size {
        let [ax, ay] = positions[i / 2];
        compliance.extend((0..size).map(|j| {
            let [bx, by] = positions[j / 2];
            let same_axis = if i % 2 == j % 2 { 1.0 } else { 0.15 };
            same_axis / (CORE + (ax - bx).hypot(ay - by))
        }));
    }
    let radius = position(contacts)[0]
        .hypot(position(contacts)[1])
        .max(SPACING);
    // mean force if all stuck
    let mean = 1.0 / compliance[..size].iter().sum::<f64>();
    let limit = |[x, y]: &[f64; 2]| {
        let share = (x * x + y * y) / (radius * radius);
        3.0 * mean * (1.0 - share).max(0.05).sqrt()
    };
    let limits: Vec<f64> = positions.iter().map(limit).collect();
    let turned = |[x, y]: &[f64; 2]| [-1.0 - y / radius, x / radius];
    let free_slip: Vec<f64> = positions.iter().flat_map(turned).collect();
    let (mut solver, mut sweeps) = (DiscSolver::default(), DiscSolver::default());
    let solve = move |solver: &mut DiscSolver, alone: bool| -> Vec<f64> {
        let problem = DiscProblem {
            compliance: &compliance,
            free_slip: &free_slip,
            limits: &limits,
        };
        let mut force = vec![0.0; size];
        solver.invalidate();
        match alone {
            true => solver.relax(&problem, &mut force),
            false => solver.solve(&problem, &mut force),
        };
        let mut slip = Vec::new();
        problem.slip(&force, &mut slip);
        slip
    };
    let (newton_slip, sweep_slip) = (solve(&mut solver, false), solve(&mut sweeps, true));
    let difference = newton_slip
        .iter()
        .zip(&sweep_slip)
        .map(|(a, b)| (a - b).abs());
    let difference = difference.fold(0.0, f64::max);
    if difference > TOLERANCE {
        return Err(format!(
            "Newton steps and sweeps alone lie {difference:e} m apart"
        ));
    }
    let count = contacts as f64;
    let work = Work {
        bytes: 0.0,
        // a factor, a sweep and a Newton step
        flops: 8.0 / 3.0 * count.powi(3) + 16.0 * count * count,
        double: true,
    };
    let again = solve.clone();
    let case = BenchCase::new(contacts, 1.0, work, move || {
        black_box(solve(&mut solver, false));
    });
    Ok(case.with_reference(1.0, move || {
        black_box(again(&mut sweeps, true));
    }))
}

/// Position of a contact on a spiral of pairs, m.
fn position(contact: usize) -> [f64; 2] {
    let t = (contact / 2) as f64;
    let (angle, r) = (2.399_963 * t, SPACING * t.sqrt());
    let pair_offset = (contact % 2) as f64 * 0.02 * SPACING;
    [r * angle.cos() + pair_offset, r * angle.sin()]
}
