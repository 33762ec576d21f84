//! Wavelets beside hierarchical matrices: bytes at the same error, and times of sums and blocks.

use std::hint::black_box;

use pliant_compression::hierarchical_matrix::{
    ErrorMeasure, HierarchicalMatrix, HierarchicalSpec, SumScratch,
};
use pliant_compression::transform::MissingNeighbours;
use pliant_compression::wavelet::{CoefficientField, WaveletMatrix};
use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use rayon::prelude::*;

use crate::body::{Body, Failure, linear};
use crate::extraction::{block_alone, block_in_capacitance};
use crate::table::Table;
use crate::timing::{least, on_one_thread};

/// Relative errors at which both are compared.
const ERRORS: [f64; 2] = [0.01, 0.03];
/// Nodes of contacts.
const PATCHES: [usize; 2] = [10, 40];
/// Steps of the search for the threshold of an error.
const STEPS: usize = 4;

/// Errors of columns of forces, all relative: of the matrix, and of the worst column.
#[derive(Clone, Copy)]
struct Errors {
    rms: f64,
    column: f64,
}

/// All forms, dense columns first.
pub fn write(body: &Body, table: &mut Table) -> Result<(), Failure> {
    table.section("wavelets beside hierarchical matrices, one thread");
    let (sums, block) = on_one_thread(|| Ok(dense_times(body)))?;
    let ours = format!(
        "{:.2} MB; {}; {block:.0} ns a block",
        1e-6 * body.matrix.bytes() as f64,
        shown(sums)
    );
    table.row("dense, single precision", ours, "");
    for error in ERRORS {
        for by_column in [false, true] {
            for missing in [MissingNeighbours::Renormalise, MissingNeighbours::Zero] {
                let (matrix, found) = wavelets(body, missing, error, by_column)?;
                let times = on_one_thread(|| Ok(wavelet_times(body, &matrix)))?;
                let measure = if by_column { "worst column" } else { "matrix" };
                let what = format!("wavelets ({missing:?}), error {error} of the {measure}");
                table.row(&what, line(matrix.bytes(), body, found, times), "");
            }
        }
        for measure in [
            ErrorMeasure::Matrix,
            ErrorMeasure::ScaledMatrix,
            ErrorMeasure::EveryColumn,
        ] {
            let spec = HierarchicalSpec {
                rms_error: error,
                measure,
                ..HierarchicalSpec::default()
            };
            let block = |i: usize, j: usize| body.matrix.block(i, j);
            let made = HierarchicalMatrix::compress(&body.places, block, &spec, &Progress::new());
            let (matrix, report) = made?;
            let found = Errors {
                rms: report.rms_error,
                column: report.column_rms_error,
            };
            let times = on_one_thread(|| Ok(hierarchical_times(body, &matrix)))?;
            let what = format!("hierarchical matrix ({measure:?}), error {error}");
            table.row(&what, line(report.bytes, body, found, times), "");
        }
    }
    Ok(())
}

type Times = ([f64; 2], [f64; 2]);

fn shown(sums: [f64; 2]) -> String {
    format!(
        "sums of {} and {} nodes {:.1} and {:.1} µs",
        PATCHES[0], PATCHES[1], sums[0], sums[1]
    )
}

fn line(bytes: usize, body: &Body, errors: Errors, (sums, blocks): Times) -> String {
    format!(
        "{:.2} MB, {:.1} times smaller; RMS {:.4}, worst column {:.4}; {}; {:.0} ns a block alone, {:.0} in a capacitance",
        1e-6 * bytes as f64,
        body.matrix.bytes() as f64 / bytes as f64,
        errors.rms,
        errors.column,
        shown(sums),
        blocks[0],
        blocks[1]
    )
}

/// Columns whose error is the one asked for, by steps along the curve of error against epsilon.
fn wavelets(
    body: &Body,
    missing: MissingNeighbours,
    error: f64,
    by_column: bool,
) -> Result<(WaveletMatrix, Errors), Failure> {
    let mut epsilon = if by_column { 0.5 * error } else { error };
    let (matrix, _) = body.compressed(&linear(epsilon, missing))?;
    let mut made = (
        matrix,
        Errors {
            rms: 0.0,
            column: 0.0,
        },
    );
    made.1 = errors_of(body, &made.0);
    for _ in 0..STEPS {
        let reached = if by_column { made.1.column } else { made.1.rms };
        // the error grows somewhat slower than epsilon
        epsilon *= (error / reached).powf(1.25);
        let (matrix, _) = body.compressed(&linear(epsilon, missing))?;
        let errors = errors_of(body, &matrix);
        made = (matrix, errors);
    }
    Ok(made)
}

fn errors_of(body: &Body, matrix: &WaveletMatrix) -> Errors {
    let nodes = body.matrix.nodes();
    let finest = matrix.transform().domain().finest();
    let column = |(field, exact): &mut (CoefficientField, Vec<f64>), j: usize| {
        body.matrix.write_column(j, exact);
        let (mut error, mut norm) = (0.0, 0.0);
        for (axis, unit) in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().enumerate() {
            field.clear(nodes);
            matrix.add_columns(&[(j as u32, unit)], finest, field);
            matrix.reconstruct(finest, field);
            for (row, block) in exact.as_chunks::<9>().0.iter().enumerate() {
                let exact = Vec3::from_column_slice(&block[3 * axis..3 * axis + 3]);
                error += (field.value(row) - exact).norm_squared();
                norm += exact.norm_squared();
            }
        }
        [error, norm]
    };
    let memory = || (CoefficientField::default(), vec![0.0; 9 * nodes]);
    let columns = (0..nodes).into_par_iter().map_init(memory, column);
    let columns: Vec<[f64; 2]> = columns.collect();
    let sum = |k: usize| columns.iter().map(|c| c[k]).sum::<f64>();
    let worst = columns.iter().map(|c| c[0] / c[1]).fold(0.0, f64::max);
    Errors {
        rms: (sum(0) / sum(1)).sqrt(),
        column: worst.sqrt(),
    }
}

fn forces(body: &Body, count: usize) -> Vec<(u32, Vec3)> {
    let force = |node| (node, Vec3::new(0.1, -0.2, 0.3));
    body.patch(count).into_iter().map(force).collect()
}

/// µs of sums, and ns of a block.
fn dense_times(body: &Body) -> ([f64; 2], f64) {
    let mut field = vec![0.0; 3 * body.matrix.nodes()];
    let sums = PATCHES.map(|count| {
        let forces = forces(body, count);
        1e6 * least(|| body.matrix.add_columns(&forces, &mut field))
    });
    let block = block_time(body, |i, j| {
        black_box(body.matrix.block(i, j));
    });
    (sums, block)
}

/// ns of a block between the nodes of the larger contact.
fn block_time(body: &Body, read: impl Fn(usize, usize)) -> f64 {
    let patch = body.patch(PATCHES[1]);
    let all = || {
        for &j in &patch {
            for &i in &patch {
                read(i as usize, j as usize);
            }
        }
    };
    1e9 * least(all) / (patch.len() * patch.len()) as f64
}

/// µs of sums with their inverse transform, ns of a block anywhere and in a capacitance.
fn wavelet_times(body: &Body, matrix: &WaveletMatrix) -> Times {
    let finest = matrix.transform().domain().finest();
    let mut field = CoefficientField::default();
    let sums = PATCHES.map(|count| {
        let forces = forces(body, count);
        1e6 * least(|| {
            field.clear(matrix.rows());
            matrix.add_columns(&forces, finest, &mut field);
            matrix.reconstruct(finest, &mut field);
        })
    });
    let patch = body.patch(PATCHES[1]);
    let blocks = [block_alone(matrix), block_in_capacitance(matrix, &patch)];
    (sums, blocks.map(|seconds| 1e9 * seconds))
}

fn hierarchical_times(body: &Body, matrix: &HierarchicalMatrix) -> Times {
    let mut field = vec![0.0; 3 * matrix.nodes()];
    let mut scratch = SumScratch::default();
    let sums = PATCHES.map(|count| {
        let forces = forces(body, count);
        1e6 * least(|| matrix.add_columns_on_one_thread(&forces, &mut field, &mut scratch))
    });
    let places = crate::timing::scattered(2 * 10_000, matrix.nodes());
    let alone = least(|| {
        for pair in places.as_chunks::<2>().0 {
            black_box(matrix.block(pair[0], pair[1]));
        }
    });
    let inside = block_time(body, |i, j| {
        black_box(matrix.block(i, j));
    });
    (sums, [1e5 * alone, inside])
}
