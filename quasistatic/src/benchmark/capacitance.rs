//! The capacitance matrix: a fresh factor, an update of its inverse, and a solution.

use std::hint::black_box;

use pliant_core::bench::{BenchCase, Work};

use crate::capacitance::dense_lu::DenseLu;
use crate::capacitance::inverse::UpdatedInverse;

/// Compliance between scalar conditions like that of an elastic half space: `1 / (r₀ + r)` between nodes on a spiral.
fn compliance(i: usize, j: usize) -> f64 {
    let position = |k: usize| {
        let t = (k / 3) as f64;
        let angle = 2.399_963 * t;
        let r = 0.01 * t.sqrt();
        (r * angle.cos(), r * angle.sin())
    };
    let ((ax, ay), (bx, by)) = (position(i), position(j));
    let r = ((ax - bx).powi(2) + (ay - by).powi(2)).sqrt();
    let same_axis = if i % 3 == j % 3 { 1.0 } else { 0.15 };
    same_axis / (0.004 + r)
}

pub(super) fn factor(nodes: usize) -> Result<BenchCase, String> {
    let m = 3 * nodes;
    let mut lu = DenseLu::default();
    lu.factor(m, compliance).map_err(|_| "singular")?;
    let table = table(m);
    let work = Work {
        bytes: 0.0,
        flops: 2.0 / 3.0 * (m as f64).powi(3),
        double: true,
    };
    Ok(BenchCase::new(nodes, 1.0, work, move || {
        let done = lu.factor(m, |i, j| table[j * m + i]);
        let _ = black_box(done);
    }))
}

fn table(m: usize) -> Vec<f64> {
    (0..m * m).map(|k| compliance(k % m, k / m)).collect()
}

/// Nodes that are added before the inverse is reset.
const ADDED: usize = 8;

pub(super) fn update(nodes: usize) -> Result<BenchCase, String> {
    // the average addition has the size in the name of the case
    let first = 3 * (nodes - ADDED / 2);
    let n = first + 3 * ADDED;
    let mut inverse = UpdatedInverse::default();
    inverse.set(first, compliance).map_err(|_| "singular")?;
    let mut before = UpdatedInverse::default();
    before.set(first, compliance).map_err(|_| "singular")?;
    for _ in 0..ADDED {
        inverse.add(3, compliance).map_err(|_| "singular")?;
    }
    check_inverse(&inverse)?;
    let m = 3 * nodes;
    let mut lu = DenseLu::default();
    let (table, larger) = (table(m), table(n));
    let work = Work {
        bytes: 0.0,
        flops: 9.0 * ADDED as f64 * (m as f64).powi(2),
        double: true,
    };
    // the reset copies the inverse once for all added nodes
    Ok(BenchCase::new(nodes, ADDED as f64, work, move || {
        inverse.truncate_to(&before);
        for _ in 0..ADDED {
            let added = inverse.add(3, |i, j| larger[j * n + i]);
            let _ = black_box(added);
        }
    })
    .with_reference(1.0, move || {
        let _ = black_box(lu.factor(m, |i, j| table[j * m + i]));
    }))
}

fn check_inverse(inverse: &UpdatedInverse) -> Result<(), String> {
    let m = inverse.len();
    for i in (0..m).step_by(7) {
        for j in (0..m).step_by(11) {
            let sum: f64 = (0..m)
                .map(|k| inverse.entry(i, k) * inverse.inverse_entry(k, j))
                .sum();
            if (sum - f64::from(u8::from(i == j))).abs() > 1e-8 {
                return Err(format!("element {i}, {j} of C times its inverse is {sum}"));
            }
        }
    }
    Ok(())
}

pub(super) fn solve(nodes: usize) -> Result<BenchCase, String> {
    let m = 3 * nodes;
    let mut inverse = UpdatedInverse::default();
    inverse.set(m, compliance).map_err(|_| "singular")?;
    check_inverse(&inverse)?;
    let mut lu = DenseLu::default();
    lu.factor(m, compliance).map_err(|_| "singular")?;
    let right: Vec<f64> = (0..m).map(|k| (k % 7) as f64 - 3.0).collect();
    let (lu_right, mut lu_solution) = (right.clone(), right.clone());
    let (mut scratch, mut out) = (Vec::new(), vec![0.0; m]);
    let work = Work {
        bytes: 0.0,
        flops: 2.0 * (m as f64).powi(2),
        double: true,
    };
    Ok(BenchCase::new(nodes, 1.0, work, move || {
        inverse.apply(&right, &mut scratch, &mut out);
        black_box(&mut out);
    })
    .with_reference(1.0, move || {
        lu_solution.copy_from_slice(&lu_right);
        lu.solve(&mut lu_solution);
        black_box(&mut lu_solution);
    }))
}
