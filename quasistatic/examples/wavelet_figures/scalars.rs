//! Thresholds of single numbers instead of whole blocks, which the paper leaves open.

use pliant_compression::transform::{MissingNeighbours, TransformSpec, WaveletTransform};

use crate::body::{Body, Failure};
use crate::table::Table;

/// Every so many columns are measured.
const STRIDE: usize = 8;
/// Thresholds of blocks that are compared.
const EPSILONS: [f64; 3] = [0.01, 0.05, 0.2];
/// Halvings of the search for the threshold of numbers.
const STEPS: usize = 12;
/// Bytes of a number and of a row's index.
const NUMBER_BYTES: usize = 4;
/// Bytes of a mask that says which of nine numbers are kept.
const MASK_BYTES: usize = 2;

/// A column and its coefficients.
struct Sample {
    values: Vec<f64>,
    coefficients: Vec<f64>,
    amplitude: f64,
    weight: f64,
}

/// What a threshold leaves.
struct Thresholded {
    numbers: usize,
    blocks: usize,
    error: f64,
}

/// Bytes of both at the same error.
pub fn write(body: &Body, table: &mut Table) -> Result<(), Failure> {
    table.section("thresholds of single numbers");
    let spec = TransformSpec {
        missing: MissingNeighbours::Renormalise,
        ..TransformSpec::default()
    };
    let transform = body.boundary().transform(&spec)?;
    let samples: Vec<Sample> = (0..body.matrix.nodes())
        .step_by(STRIDE)
        .map(|column| sample(body, &transform, column))
        .collect();
    for epsilon in EPSILONS {
        let block = apply_threshold(&transform, &samples, epsilon, true);
        let (mut low, mut high) = (1e-2 * epsilon, epsilon);
        for _ in 0..STEPS {
            let middle = (low * high).sqrt();
            match apply_threshold(&transform, &samples, middle, false).error <= block.error {
                true => low = middle,
                false => high = middle,
            }
        }
        let single = apply_threshold(&transform, &samples, low, false);
        let block_bytes = NUMBER_BYTES * (block.numbers + block.blocks);
        let indexed = 2 * NUMBER_BYTES * single.numbers;
        let masked = NUMBER_BYTES * single.numbers + (NUMBER_BYTES + MASK_BYTES) * single.blocks;
        let ours = format!(
            "{} numbers of {} ({:.2}) at RMS {:.4}; bytes with an index a number {:.2}, with an index and a mask a block {:.2} of those of blocks",
            single.numbers,
            block.numbers,
            single.numbers as f64 / block.numbers as f64,
            block.error,
            indexed as f64 / block_bytes as f64,
            masked as f64 / block_bytes as f64,
        );
        table.row(
            &format!("epsilon {epsilon}, {} columns", samples.len()),
            ours,
            "open question",
        );
    }
    Ok(())
}

fn sample(body: &Body, transform: &WaveletTransform, column: usize) -> Sample {
    let mut values = vec![0.0; 9 * body.matrix.nodes()];
    body.matrix.write_column(column, &mut values);
    let mut coefficients = values.clone();
    transform.forward(&mut coefficients, 9);
    let amplitude = values
        .as_chunks::<9>()
        .0
        .iter()
        .map(norm)
        .fold(0.0, f64::max);
    Sample {
        values,
        coefficients,
        amplitude,
        weight: body.areas[column].powi(2),
    }
}

fn norm(block: &[f64; 9]) -> f64 {
    block.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Thresholds blocks by their norm, or numbers by their size; each coarser level has half the threshold, and the base is kept.
fn apply_threshold(
    transform: &WaveletTransform,
    samples: &[Sample],
    epsilon: f64,
    by_block: bool,
) -> Thresholded {
    let domain = transform.domain();
    let (mut numbers, mut blocks) = (0, 0);
    let (mut error, mut total) = (0.0, 0.0);
    for sample in samples {
        let mut column = sample.coefficients.clone();
        for (row, block) in column.as_chunks_mut::<9>().0.iter_mut().enumerate() {
            let level = domain.level_of_row(row);
            let finer = (domain.finest() - level) as i32;
            let threshold = epsilon * sample.amplitude * 0.5_f64.powi(finer);
            let size = norm(block);
            let mut count = 0;
            for x in block.iter_mut() {
                let compared = if by_block { size } else { x.abs() };
                if level == 0 || compared >= threshold {
                    count += 1;
                } else {
                    *x = 0.0;
                }
            }
            numbers += count;
            blocks += usize::from(count > 0);
        }
        transform.inverse(&mut column, 9);
        for (x, exact) in column.iter().zip(&sample.values) {
            error += sample.weight * (x - exact).powi(2);
            total += sample.weight * exact * exact;
        }
    }
    Thresholded {
        numbers,
        blocks,
        error: (error / total).sqrt(),
    }
}
