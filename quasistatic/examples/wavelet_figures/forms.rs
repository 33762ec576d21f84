//! Wavelets beside hierarchical matrices: bytes at the same error, and times of sums and blocks.

use std::path::Path;

use pliant_compression::hierarchical_matrix::{ErrorMeasure, HierarchicalMatrix, HierarchicalSpec};
use pliant_compression::transform::MissingNeighbours;
use pliant_compression::wavelet::{CoefficientField, WaveletMatrix};
use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use rayon::prelude::*;

use crate::body::{Body, Failure, linear_spec};
use crate::form_times::{self, Times};
use crate::table::{csv, markdown};
use crate::timing::on_one_thread;

/// Relative errors at which both are compared.
const ERRORS: [f64; 2] = [0.01, 0.03];
/// Times are µs of sums of [`form_times::PATCHES`], and ns of blocks.
const HEADER: [&str; 10] = [
    "form",
    "error asked for",
    "MB",
    "times smaller",
    "RMS",
    "worst column",
    "sum of 10, µs",
    "sum of 40, µs",
    "block anywhere, ns",
    "block in a capacitance, ns",
];
/// Steps of the search for the threshold of an error.
const STEPS: usize = 4;

/// Errors of columns of forces, all relative: of the matrix, and of the worst column.
#[derive(Clone, Copy)]
struct Errors {
    rms: f64,
    column: f64,
}

/// Prints a row for each form and error, and writes them as `forms.csv`.
pub fn write(body: &Body, folder: &Path) -> Result<(), Failure> {
    eprintln!("wavelets beside hierarchical matrices");
    let exact = Errors {
        rms: 0.0,
        column: 0.0,
    };
    let times = on_one_thread(|| Ok(form_times::dense(body)))?;
    let bytes = body.matrix.bytes();
    let mut rows = vec![row(
        body,
        ("dense".into(), String::new()),
        bytes,
        exact,
        &times,
    )];
    for error in ERRORS {
        for (by_column, name) in [(false, "matrix"), (true, "every column")] {
            for missing in [MissingNeighbours::Renormalise, MissingNeighbours::Zero] {
                let (matrix, errors) = wavelets(body, missing, error, by_column)?;
                let times = on_one_thread(|| Ok(form_times::wavelets(body, &matrix)))?;
                let name = (
                    format!("wavelets, {missing:?}"),
                    format!("{error} of {name}"),
                );
                rows.push(row(body, name, matrix.bytes(), errors, &times));
            }
        }
        for (measure, name) in [
            (ErrorMeasure::Matrix, "matrix"),
            (ErrorMeasure::ScaledMatrix, "scaled matrix"),
            (ErrorMeasure::EveryColumn, "every column"),
        ] {
            let spec = HierarchicalSpec {
                rms_error: error,
                measure,
                ..HierarchicalSpec::default()
            };
            let block = |i: usize, j: usize| body.matrix.block(i, j);
            let progress = Progress::new();
            let (matrix, report) =
                HierarchicalMatrix::compress(&body.positions, block, &spec, &progress)?;
            let errors = Errors {
                rms: report.rms_error,
                column: report.column_rms_error,
            };
            let times = on_one_thread(|| Ok(form_times::hierarchical(body, &matrix)))?;
            let name = ("hierarchical matrix".into(), format!("{error} of {name}"));
            rows.push(row(body, name, report.bytes, errors, &times));
        }
    }
    println!("{}", markdown(&HEADER, &rows));
    std::fs::write(folder.join("forms.csv"), csv(&HEADER, &rows))?;
    Ok(())
}

fn row(
    body: &Body,
    (form, requested_error): (String, String),
    bytes: usize,
    errors: Errors,
    times: &Times,
) -> Vec<String> {
    let smaller = body.matrix.bytes() as f64 / bytes as f64;
    let row = vec![
        form,
        requested_error,
        format!("{:.2}", 1e-6 * bytes as f64),
        format!("{smaller:.1}"),
        format!("{:.4}", errors.rms),
        format!("{:.4}", errors.column),
        format!("{:.1}", times.sums[0]),
        format!("{:.1}", times.sums[1]),
        format!("{:.0}", times.blocks[0]),
        format!("{:.0}", times.blocks[1]),
    ];
    eprintln!("  {}", row.join(" | "));
    row
}

/// Columns whose error is the one asked for, by steps along the curve of error against epsilon.
fn wavelets(
    body: &Body,
    missing: MissingNeighbours,
    error: f64,
    by_column: bool,
) -> Result<(WaveletMatrix, Errors), Failure> {
    let mut epsilon = if by_column { 0.5 * error } else { error };
    let compressed = |epsilon: f64| -> Result<(WaveletMatrix, Errors), Failure> {
        let (matrix, _) = body.compressed(&linear_spec(epsilon, missing))?;
        let errors = errors_of(body, &matrix);
        Ok((matrix, errors))
    };
    let mut result = compressed(epsilon)?;
    for _ in 0..STEPS {
        let error_reached = if by_column {
            result.1.column
        } else {
            result.1.rms
        };
        // the error grows somewhat slower than epsilon
        epsilon *= (error / error_reached).powf(1.25);
        result = compressed(epsilon)?;
    }
    Ok(result)
}

fn errors_of(body: &Body, matrix: &WaveletMatrix) -> Errors {
    let nodes = body.matrix.nodes();
    let column = |(field, exact): &mut (CoefficientField, Vec<f64>), j: usize| {
        body.matrix.write_column(j, exact);
        let (mut error, mut norm) = (0.0, 0.0);
        for (axis, unit) in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().enumerate() {
            matrix.sum_columns(&[(j as u32, unit)], field);
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
