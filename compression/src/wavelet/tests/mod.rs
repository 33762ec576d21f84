//! Laws of compressed matrices.

mod block_reader;
mod input;
mod region;
mod rethreshold;

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use pliant_fuzzing::on_threads;

use super::*;
use crate::error::CompressionError;
use crate::number::Number;
use crate::test_bodies::{kelvin, octahedron};
use crate::transform::{TransformSpec, WaveletBasis, WaveletTransform};

struct Body {
    transform: Arc<WaveletTransform>,
    positions: Vec<Vec3>,
}

fn body(spec: &TransformSpec) -> Result<Body, CompressionError> {
    let (hierarchy, middles) = octahedron(3)?;
    let x: Vec<Vec3> = middles.iter().map(|p| p.normalize()).collect();
    let inside: Vec<bool> = x.iter().map(|p| p.y > -0.6).collect();
    let transform = Arc::new(WaveletTransform::new(&hierarchy, &inside, None, spec)?);
    let positions = transform
        .domain()
        .vertices()
        .iter()
        .map(|&v| x[v as usize])
        .collect();
    Ok(Body {
        transform,
        positions,
    })
}

impl Body {
    fn exact(&self, row: usize, column: usize) -> Mat3 {
        kelvin(self.positions[row] - self.positions[column])
    }

    fn fill(&self) -> impl Fn(usize, &mut [f64]) + Sync + '_ {
        |column, out| {
            for (row, block) in out.chunks_exact_mut(9).enumerate() {
                block.copy_from_slice(self.exact(row, column).as_slice());
            }
        }
    }

    fn compress<T: Number>(
        &self,
        epsilon: f64,
    ) -> Result<(WaveletMatrix<T>, CompressionReport), CompressionError> {
        self.compress_by(&ThresholdSpec::new(epsilon))
    }

    fn compress_by<T: Number>(
        &self,
        spec: &ThresholdSpec<'_>,
    ) -> Result<(WaveletMatrix<T>, CompressionReport), CompressionError> {
        let fill = self.fill();
        let columns = Columns::new(self.positions.len(), 3, &fill);
        WaveletMatrix::compress(&self.transform, &columns, spec, &Progress::new())
    }

    fn near(&self) -> NearField<'_> {
        NearField {
            edges: 2.2,
            edge_of_level: &[1.4, 0.8, 0.4, 0.2],
            rows: &self.positions,
            columns: &self.positions,
        }
    }

    fn factors(&self) -> Vec<(u32, Vec3)> {
        let n = self.positions.len();
        (0..17)
            .map(|k| {
                (
                    (k * 13 % n) as u32,
                    Vec3::new(0.3, (k as f64).sin(), -0.1 * k as f64),
                )
            })
            .collect()
    }
}

#[test]
fn without_a_threshold_nothing_is_lost() -> Result<(), CompressionError> {
    for basis in WaveletBasis::ALL {
        let body = body(&TransformSpec {
            basis,
            ..TransformSpec::default()
        })?;
        let (matrix, report) = body.compress::<f64>(0.0)?;
        assert!(
            report.rms_error < 1e-12 && report.max_error < 1e-12,
            "{report:?}"
        );
        assert_eq!(report.kept_blocks, report.dense_blocks);
        for (row, column) in [(0, 0), (40, 3), (200, 150), (7, 190)] {
            let error = matrix.block(row, column) - body.exact(row, column);
            assert!(error.norm() < 1e-12, "{row} {column}: {}", error.norm());
        }
    }
    Ok(())
}

#[test]
fn fast_sums_equal_sums_of_blocks() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    for epsilon in [0.0, 0.02, 0.2] {
        let (matrix, _) = body.compress::<f64>(epsilon)?;
        let (single, _) = body.compress::<f32>(epsilon)?;
        let factors = body.factors();
        let mut field = CoefficientField::default();
        matrix.sum_columns(&factors, &mut field);
        let mut fast = CoefficientField::<f32>::default();
        single.sum_columns(&factors, &mut fast);
        let mut sums = vec![Vec3::zeros(); matrix.rows()];
        for &(column, factor) in &factors {
            for (row, sum) in sums.iter_mut().enumerate() {
                *sum += matrix.block(row, column as usize) * factor;
            }
        }
        let size = sums.iter().map(Vec3::norm).fold(0.0, f64::max);
        for (row, sum) in sums.iter().enumerate() {
            assert!((field.value(row) - sum).norm() < 1e-12 * size);
            assert!((fast.value(row) - sum).norm() < 1e-5 * size);
            assert!((matrix.value_at(row, &field) - field.value(row)).norm() < 1e-12 * size);
        }
    }
    Ok(())
}

#[test]
fn larger_thresholds_keep_less_and_err_more_but_not_beyond_the_threshold()
-> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let mut last = (usize::MAX, 0.0);
    for epsilon in [0.0, 0.005, 0.02, 0.05, 0.2] {
        let (matrix, report) = body.compress::<f32>(epsilon)?;
        assert!(report.kept_blocks <= last.0 && report.rms_error >= last.1);
        // a threshold holds for single coefficients; the sum of what is dropped is about as large
        assert!(
            report.max_error <= (1.5 * epsilon).max(1e-6),
            "{epsilon}: {report:?}"
        );
        assert_eq!(matrix.kept_of_level(), report.kept_of_level);
        last = (report.kept_blocks, report.rms_error);
    }
    assert!(last.0 * 6 < body.positions.len().pow(2), "{last:?}");
    Ok(())
}

#[test]
fn errors_are_those_of_the_expanded_matrix() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let (matrix, report) = body.compress::<f32>(0.05)?;
    let (mut error, mut total, mut worst) = (0.0, 0.0, 0.0_f64);
    for column in 0..matrix.columns() {
        let blocks =
            (0..matrix.rows()).map(|row| (body.exact(row, column), matrix.block(row, column)));
        let blocks: Vec<_> = blocks.collect();
        let largest = blocks
            .iter()
            .map(|(exact, _)| exact.norm())
            .fold(0.0, f64::max);
        for (exact, kept) in blocks {
            error += (exact - kept).norm_squared();
            total += exact.norm_squared();
            worst = worst.max((exact - kept).norm() / largest);
        }
    }
    let rms = f64::sqrt(error / total);
    assert!(
        (rms - report.rms_error).abs() < 1e-4 * rms,
        "{rms} {report:?}"
    );
    assert!(
        (worst - report.max_error).abs() < 1e-4 * worst,
        "{worst} {report:?}"
    );
    Ok(())
}

#[test]
fn a_truncated_sum_equals_the_same_levels_of_the_whole_one() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let (matrix, _) = body.compress::<f32>(0.02)?;
    let domain = body.transform.domain();
    let (mut whole, mut part) = (CoefficientField::default(), CoefficientField::default());
    whole.clear(matrix.rows());
    matrix.add_columns(&body.factors(), 3, &mut whole);
    for level in 0..3 {
        part.clear(matrix.rows());
        matrix.add_columns(&body.factors(), level, &mut part);
        matrix.reconstruct(level, &mut part);
        matrix.reconstruct(level, &mut whole);
        for row in 0..domain.rows_to(level) {
            assert_eq!(part.value(row), whole.value(row));
        }
    }
    Ok(())
}

#[test]
fn the_epsilon_for_an_error_gives_it() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let fill = body.fill();
    let columns = Columns::new(body.positions.len(), 3, &fill);
    for wanted in [0.003, 0.02] {
        let epsilon = epsilon_for_error(&body.transform, &columns, wanted, &Progress::new())?;
        let (_, report) = body.compress::<f32>(epsilon)?;
        assert!(
            (0.8..1.1).contains(&(report.rms_error / wanted)),
            "{wanted}: {report:?}"
        );
    }
    Ok(())
}

#[test]
fn near_fields_are_kept_and_mend_the_nearest_blocks() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let spec = ThresholdSpec {
        epsilon: 0.2,
        near_field: Some(body.near()),
    };
    let (kept, report) = body.compress_by::<f32>(&spec)?;
    let (plain, before) = body.compress::<f32>(0.2)?;
    assert!(report.kept_blocks > before.kept_blocks && report.rms_error < before.rms_error);
    let own_error = |matrix: &WaveletMatrix| -> f64 {
        let own = |k: usize| (matrix.block(k, k) - body.exact(k, k)).norm();
        (0..body.positions.len()).map(own).sum()
    };
    assert!(
        own_error(&kept) < 0.5 * own_error(&plain),
        "{} {}",
        own_error(&kept),
        own_error(&plain)
    );
    Ok(())
}

#[test]
fn the_same_bits_for_any_number_of_threads() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let mut seen = Vec::new();
    for threads in [1, 2, 8] {
        seen.push(on_threads(threads, || body.compress::<f32>(0.05))?);
    }
    assert!(seen.windows(2).all(|w| w[0] == w[1]));
    Ok(())
}
