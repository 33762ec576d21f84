//! Bars of the progressive file: its size at an error of 1 %, the speed of decoding, and the bytes before the first picture. The file holds the columns alone, without skin and supports.

use std::hint::black_box;

use pliant_compression::stream::{ReadLimits, Stage, StreamReader, StreamSpec, TransformSource};
use pliant_compression::stream::{read, write as write_stream};
use pliant_compression::transform::MissingNeighbours;
use pliant_compression::wavelet::{CoefficientField, WaveletMatrix};
use pliant_core::math::Vec3;

use crate::body::{Body, Failure, linear_spec};
use crate::table::{Table, format_optional, interpolate_log};
use crate::timing::{on_one_thread, shortest_time};

const EPSILONS: [f64; 5] = [0.005, 0.008, 0.012, 0.018, 0.027];
/// The error of the bars.
const ERROR: f64 = 0.01;
const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Sizes and errors of whole files, then speed and progress of the one whose error is nearest to 1 %.
pub fn write(body: &Body, table: &mut Table) -> Result<(), Failure> {
    table.section("progressive file");
    let nodes = body.matrix.nodes();
    let dense_bytes = 36.0 * (nodes * nodes) as f64;
    let boundary = body.boundary();
    let areas = boundary.areas();
    let source = TransformSource {
        hierarchy: boundary.hierarchy,
        areas: Some(&areas),
    };
    let mut by_error = Vec::new();
    let mut nearest: Option<(f64, Vec<u8>)> = None;
    for epsilon in EPSILONS {
        let (matrix, report) = body.compressed(&linear_spec(epsilon, MissingNeighbours::Zero))?;
        let spec = StreamSpec {
            epsilon,
            ..StreamSpec::default()
        };
        let bytes = write_stream(&matrix, &source, &[], &spec)?;
        let whole = read(&bytes, &ReadLimits::default())?.matrix;
        let error = relative_error(body, &whole);
        let times = dense_bytes / bytes.len() as f64;
        let ours = format!(
            "{:.3} MB, {times:.1} times smaller, RMS {error:.4} ({:.4} before rounding)",
            1e-6 * bytes.len() as f64,
            report.rms_error
        );
        table.row(&format!("{nodes} nodes, epsilon {epsilon}"), ours, "");
        by_error.push([error, times]);
        let distance = (error / ERROR).ln().abs();
        if nearest.as_ref().is_none_or(|(least, _)| distance < *least) {
            nearest = Some((distance, bytes));
        }
    }
    let times = format_optional(interpolate_log(&by_error, ERROR));
    table.row("times smaller than dense at RMS 0.01", times, "bar 50");
    if let Some((_, bytes)) = nearest {
        decoding(&bytes, dense_bytes, table)?;
        progress(body, &bytes, table)?;
    }
    Ok(())
}

/// Relative error of columns of unit tractions.
fn relative_error(body: &Body, matrix: &WaveletMatrix) -> f64 {
    let (mut error, mut norm) = (0.0, 0.0);
    expand(matrix, |column, axis, field| {
        let weight = body.areas[column].powi(2);
        for row in 0..matrix.rows() {
            let exact = body.matrix.block(row, column).column(axis).into_owned();
            error += weight * (field.value(row) - exact).norm_squared();
            norm += weight * exact.norm_squared();
        }
    });
    (error / norm).sqrt()
}

/// Reconstructs every column.
fn expand(matrix: &WaveletMatrix, mut visit: impl FnMut(usize, usize, &CoefficientField)) {
    let mut field = CoefficientField::default();
    for column in 0..matrix.columns() {
        for (axis, direction) in AXES.into_iter().enumerate() {
            let force = [(column as u32, Vec3::from(direction))];
            matrix.sum_columns(&force, &mut field);
            visit(column, axis, &field);
        }
    }
}

/// Bytes of dense columns that one thread decodes in a second.
fn decoding(bytes: &[u8], dense_bytes: f64, table: &mut Table) -> Result<(), Failure> {
    let matrix = read(bytes, &ReadLimits::default())?.matrix;
    let reading = on_one_thread(|| {
        Ok(shortest_time(|| {
            black_box(read(bytes, &ReadLimits::default()).is_ok());
        }))
    })?;
    let expanding = on_one_thread(|| {
        Ok(shortest_time(|| {
            expand(&matrix, |_, _, field| {
                black_box(field.value(0));
            });
        }))
    })?;
    let rate = |seconds: f64| 1e-6 * dense_bytes / seconds;
    let ours = format!(
        "{:.0}; {:.0} with all columns expanded",
        rate(reading),
        rate(reading + expanding)
    );
    table.row("decoding, MB/s of dense columns", ours, "bar 200");
    Ok(())
}

/// The share of the bytes after which each level is complete, and the error there.
fn progress(body: &Body, bytes: &[u8], table: &mut Table) -> Result<(), Failure> {
    let mut reader = StreamReader::open(bytes, &ReadLimits::default())?;
    while let Some(packet) = reader.next_packet()? {
        if packet.first_column + packet.columns < body.matrix.nodes() {
            continue;
        }
        let (name, bar) = match packet.stage {
            Stage::Preview => ("preview of the base".to_string(), "bar 5 %"),
            Stage::Level(level) => (format!("level {level}"), ""),
        };
        let ours = format!(
            "{:.1} % of the bytes, RMS {:.3}",
            100.0 * packet.end as f64 / bytes.len() as f64,
            relative_error(body, &reader.matrix())
        );
        table.row(&format!("complete: {name}"), ours, bar);
    }
    Ok(())
}
