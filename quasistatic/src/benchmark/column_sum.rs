//! The sum of columns as `pliant bench` times it.

use std::hint::black_box;
use std::sync::Arc;

use pliant_core::bench::{BenchCase, Work};
use pliant_core::large_pages::LargePages;
use pliant_core::math::Vec3;

use crate::greens::GreensMatrix;
use crate::greens::matrix::Columns;
use crate::greens::table::Table;

/// Nodes of the table of columns: 700 MB in single precision, far beyond any cache.
const TABLE_NODES: usize = 4400;
/// Numbers of a large page.
const PAGE: usize = (2 << 20) / 4;

pub(crate) fn column_sum(contacts: usize) -> Result<BenchCase, String> {
    if contacts == 0 || contacts > TABLE_NODES {
        return Err(format!("1 to {TABLE_NODES} contact nodes"));
    }
    let rows = 3 * TABLE_NODES;
    let entry = |k: usize| ((k.wrapping_mul(2_654_435_761)) >> 12 & 1023) as f32 / 1023.0 - 0.5;
    let mut values = Table::zeroed(rows * rows);
    let mut bandwidth_memory = LargePages::zeros(rows * rows);
    // the first write to a page allocates it
    let pages = values
        .chunks_mut(PAGE)
        .zip(bandwidth_memory.chunks_mut(PAGE));
    for (n, (page, other)) in pages.enumerate() {
        for (k, value) in page.iter_mut().enumerate() {
            *value = entry(n * PAGE + k);
        }
        other.fill(1.0);
    }
    let matrix =
        GreensMatrix::new(TABLE_NODES, Columns::Single(values)).ok_or("the table's size")?;
    let matrix = Arc::new(matrix);
    // scattered over the table, and other columns at each run
    let forces_of = move |run: usize| -> Vec<(u32, Vec3)> {
        (0..contacts)
            .map(|k| {
                let node = (run * contacts + k) * 1789 % TABLE_NODES;
                (node as u32, Vec3::new(0.3, -1.0, 0.2 + k as f64 * 1e-3))
            })
            .collect()
    };
    let forces = forces_of(0);
    let mut field = vec![0.0; rows];
    matrix.add_columns(&forces, &mut field);
    for i in (0..TABLE_NODES).step_by(97) {
        let sum: Vec3 = forces
            .iter()
            .map(|(j, f)| matrix.block(i, *j as usize) * f)
            .sum();
        let got = Vec3::new(field[3 * i], field[3 * i + 1], field[3 * i + 2]);
        if (got - sum).norm() > 1e-5 * contacts as f64 {
            return Err(format!("node {i} differs from the plain sum"));
        }
    }
    let runs = (TABLE_NODES / contacts).max(1);
    let all: Arc<Vec<Vec<(u32, Vec3)>>> = Arc::new((0..runs).map(forces_of).collect());
    // bytes read: the columns, and the field that they are added to, which a run of the bandwidth limit has evicted from the nearer caches
    let entries = (contacts * 3 * rows) as f64;
    let work = Work {
        bytes: 4.0 * entries + 8.0 * rows as f64,
        flops: 2.0 * entries,
        double: false,
    };
    let (plain, lists, mut at) = (matrix.clone(), all.clone(), 0);
    let mut sums = vec![0.0; rows];
    let reference = move || {
        at = (at + 1) % lists.len();
        for i in 0..TABLE_NODES {
            let mut sum = Vec3::zeros();
            for (j, f) in &lists[at] {
                sum += plain.block(i, *j as usize) * f;
            }
            sums[3 * i] = sum.x;
        }
        black_box(&mut sums);
    };
    let mut at = 0;
    let mut case = BenchCase::new(contacts, 1.0, work, move || {
        at = (at + 1) % all.len();
        matrix.add_columns(&all[at], &mut field);
        black_box(&mut field);
    });
    case.bandwidth_memory = Some(bandwidth_memory);
    Ok(case.with_reference(1.0, reference))
}
