//! Figure 17: the time of a column's sum against the share of blocks that are kept.

use std::path::Path;

use pliant_compression::transform::MissingNeighbours;
use pliant_compression::wavelet::{CoefficientField, WaveletMatrix};
use pliant_core::math::Vec3;

use crate::body::{Body, Failure, linear_spec};
use crate::table::{Table, write_curves};
use crate::timing::{on_one_thread, pseudo_random_indices, shortest_time};

const EPSILONS: [f64; 8] = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4];

/// Writes `figure-17` of each body: µs a column, all columns summed once in mixed order.
pub fn write(body: &Body, folder: &Path, table: &mut Table) -> Result<(), Failure> {
    table.section("17: fast summation, one thread");
    let mut matrices: Vec<WaveletMatrix> = Vec::new();
    for epsilon in EPSILONS.into_iter().chain([0.0]) {
        let spec = linear_spec(epsilon, MissingNeighbours::Renormalise);
        matrices.push(body.compressed(&spec)?.0);
    }
    let (points, dense) = on_one_thread(|| Ok(timed(body, &matrices)))?;
    let (all, points) = points.split_last().ok_or("no matrix was timed")?;
    let slope = points.iter().map(|[x, y]| x * y).sum::<f64>()
        / points.iter().map(|[x, _]| x * x).sum::<f64>();
    let name = format!("{} nodes", body.matrix.nodes());
    let blocks = body.matrix.nodes() as f64;
    let (mut row, paper) = (
        |what: &str, ours: String, paper: &str| table.row(&format!("{name}: {what}"), ours, paper),
        body.levels == 3,
    );
    row(
        "time against kept blocks, squared correlation",
        format!("{:.4}", correlation(points).powi(2)),
        "linear dependence",
    );
    row(
        "slope through the origin, ns a kept block",
        format!("{:.2}", 1e3 * slope / blocks),
        if paper {
            "354 (dense, 450 MHz, Java)"
        } else {
            ""
        },
    );
    row(
        "dense column, µs",
        format!("{dense:.2}"),
        if paper { "190" } else { "" },
    );
    row(
        "the line at density 1, over the dense time",
        format!("{:.2}", slope / dense),
        "1",
    );
    row(
        "wavelet columns with all blocks kept, over the dense time",
        format!("{:.2}", all[1] / dense),
        "",
    );
    for (epsilon, [density, time]) in EPSILONS.iter().zip(points) {
        if [0.01, 0.05, 0.2].contains(epsilon) {
            let ours = format!(
                "{time:.3}, {:.1} times faster than dense; compression {:.1}",
                dense / time,
                1.0 / density
            );
            row(
                &format!("epsilon {epsilon}: µs a column"),
                ours,
                "as much faster as compressed",
            );
        }
    }
    let largest = points.iter().map(|p| p[0]).fold(0.0, f64::max);
    let list = [
        ("wavelet sum".into(), points.to_vec()),
        (
            "line through the origin".into(),
            vec![[0.0, 0.0], [largest, slope * largest]],
        ),
        ("dense sum".into(), vec![[0.0, dense], [largest, dense]]),
    ];
    let title = format!("Figure 17: time of a column's sum, {name}");
    let file = format!("figure-17-{}", body.matrix.nodes());
    write_curves(folder, &file, &title, ("density", "µs a column"), &list)
}

/// Density and µs a column of each matrix, and µs of a dense column; the least of interleaved rounds.
fn timed(body: &Body, matrices: &[WaveletMatrix]) -> (Vec<[f64; 2]>, f64) {
    let nodes = body.matrix.nodes();
    let mut order: Vec<usize> = (0..nodes).collect();
    for (k, other) in pseudo_random_indices(nodes, nodes).into_iter().enumerate() {
        order.swap(k, other);
    }
    let factors: Vec<(u32, Vec3)> = order
        .iter()
        .map(|&k| (k as u32, Vec3::new(0.1, -0.2, 0.3)))
        .collect();
    let mut best = vec![f64::INFINITY; matrices.len()];
    let mut dense = f64::INFINITY;
    let mut field = CoefficientField::default();
    field.clear(nodes);
    let mut values = vec![0.0; 3 * nodes];
    for _ in 0..3 {
        for (matrix, best) in matrices.iter().zip(&mut best) {
            let finest = matrix.transform().domain().finest();
            *best = best.min(shortest_time(|| {
                matrix.add_columns(&factors, finest, &mut field)
            }));
        }
        // one column at a time, as with wavelets
        dense = dense.min(shortest_time(|| {
            for factor in &factors {
                body.matrix
                    .add_columns(std::slice::from_ref(factor), &mut values);
            }
        }));
    }
    let count = nodes as f64;
    let point = |(matrix, seconds): (&WaveletMatrix, &f64)| {
        [
            matrix.kept_blocks() as f64 / (count * count),
            1e6 * seconds / count,
        ]
    };
    let points = matrices.iter().zip(&best).map(point).collect();
    (points, 1e6 * dense / count)
}

/// Pearson's correlation.
fn correlation(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let mean = [0, 1].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / count);
    let sum = |i: usize, j: usize| {
        let product = |p: &[f64; 2]| (p[i] - mean[i]) * (p[j] - mean[j]);
        points.iter().map(product).sum::<f64>()
    };
    sum(0, 1) / (sum(0, 0) * sum(1, 1)).sqrt()
}
