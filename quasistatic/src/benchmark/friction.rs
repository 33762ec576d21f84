//! Friction of many contacts as `pliant bench` times it.

use std::hint::black_box;

use pliant_core::bench::{BenchCase, Work};

use crate::contact::{DiscProblem, DiscSolver};

/// Distance of contacts, and where the compliance of a place ends to grow, m.
const SPACING: f64 = 0.01;
const CORE: f64 = 0.04;
/// Displacement of one solution that may differ from the other, as a share of the drag.
const TOLERANCE: f64 = 1e-4;

/// Tangential forces under a finger that is dragged and turned, so that it sticks in the middle and slides around it; every other contact nearly repeats
/// its neighbour, as those of a skin finer than its mesh do. The reference is sweeps alone.
pub(crate) fn discs(contacts: usize) -> Result<BenchCase, String> {
    if contacts == 0 || contacts > 2_000 {
        return Err("1 to 2000 contacts".into());
    }
    let places: Vec<[f64; 2]> = (0..contacts).map(place).collect();
    let size = 2 * contacts;
    let mut compliance = Vec::with_capacity(size * size);
    for i in 0..size {
        let [ax, ay] = places[i / 2];
        compliance.extend((0..size).map(|j| {
            let [bx, by] = places[j / 2];
            let same_axis = if i % 2 == j % 2 { 1.0 } else { 0.15 };
            same_axis / (CORE + (ax - bx).hypot(ay - by))
        }));
    }
    let radius = place(contacts)[0].hypot(place(contacts)[1]).max(SPACING);
    // what each would carry if all stuck
    let mean = 1.0 / compliance[..size].iter().sum::<f64>();
    let limit = |[x, y]: &[f64; 2]| {
        let share = (x * x + y * y) / (radius * radius);
        3.0 * mean * (1.0 - share).max(0.05).sqrt()
    };
    let limits: Vec<f64> = places.iter().map(limit).collect();
    let turned = |[x, y]: &[f64; 2]| [-1.0 - y / radius, x / radius];
    let free_slip: Vec<f64> = places.iter().flat_map(turned).collect();
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
    let (ours, theirs) = (solve(&mut solver, false), solve(&mut sweeps, true));
    let apart = ours.iter().zip(&theirs).map(|(a, b)| (a - b).abs());
    let apart = apart.fold(0.0, f64::max);
    if apart > TOLERANCE {
        return Err(format!(
            "Newton steps and sweeps alone lie {apart:e} m apart"
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

/// On a spiral, two by two, m.
fn place(contact: usize) -> [f64; 2] {
    let t = (contact / 2) as f64;
    let (angle, r) = (2.399_963 * t, SPACING * t.sqrt());
    let beside = (contact % 2) as f64 * 0.02 * SPACING;
    [r * angle.cos() + beside, r * angle.sin()]
}
