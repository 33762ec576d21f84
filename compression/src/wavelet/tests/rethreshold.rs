//! Laws of larger thresholds on columns that are compressed already.

use super::*;
use crate::wavelet::columns::block_norms;

impl Body {
    /// Norm of the largest block of each exact column.
    fn amplitudes(&self) -> Vec<f64> {
        let mut dense = vec![0.0; 9 * self.positions.len()];
        let fill = self.fill();
        let columns = 0..self.positions.len();
        let amplitude = |column: usize| {
            fill(column, &mut dense);
            block_norms(&dense, 9).fold(0.0, f64::max)
        };
        columns.map(amplitude).collect()
    }
}

#[test]
fn a_larger_threshold_on_kept_columns_is_that_on_dense_ones() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let amplitudes = body.amplitudes();
    for near_field in [None, Some(body.near())] {
        let spec = |epsilon: f64| ThresholdSpec {
            epsilon,
            near_field,
        };
        let (stored, report) = body.compress_by::<f64>(&spec(0.005))?;
        assert_eq!(report.stabilised_columns, 0);
        assert!(stored.rethresholded(&amplitudes, &spec(0.005))? == stored);
        let mut last = stored.kept_blocks();
        for epsilon in [0.02, 0.05, 0.2] {
            let coarser = stored.rethresholded(&amplitudes, &spec(epsilon))?;
            let (anew, report) = body.compress_by::<f64>(&spec(epsilon))?;
            assert_eq!(report.stabilised_columns, 0);
            assert!(coarser == anew, "{epsilon}");
            assert!(coarser.kept_blocks() < last);
            last = coarser.kept_blocks();
            // nothing comes back
            let finer = coarser.rethresholded(&amplitudes, &spec(0.005))?;
            assert!(finer == coarser, "{epsilon}");
        }
    }
    Ok(())
}

#[test]
fn amplitudes_are_the_largest_blocks_of_the_columns() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let (matrix, _) = body.compress::<f32>(0.02)?;
    for (column, amplitude) in matrix.amplitudes().into_iter().enumerate() {
        let norms = (0..matrix.rows()).map(|row| matrix.block(row, column).norm());
        let largest = norms.fold(0.0, f64::max);
        assert!((amplitude - largest).abs() < 1e-5 * largest, "{column}");
    }
    Ok(())
}

#[test]
fn the_error_of_a_sample_is_about_that_of_all_columns() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let (exact, _) = body.compress::<f64>(0.0)?;
    let mut last = 0.0;
    for epsilon in [0.02, 0.05, 0.2] {
        let (matrix, report) = body.compress::<f64>(epsilon)?;
        let error = exact.sampled_error(&matrix, None)?;
        assert!(
            (0.9..1.1).contains(&(error / report.rms_error)),
            "{error} {report:?}"
        );
        assert!(error > last);
        last = error;
        assert_eq!(matrix.sampled_error(&matrix, None)?, 0.0);
        // a weight that is the same for all columns changes nothing
        let weights = vec![0.25; matrix.columns()];
        let weighted = exact.sampled_error(&matrix, Some(&weights))?;
        assert!((weighted - error).abs() < 1e-12 * error);
    }
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let (matrix, _) = body.compress::<f32>(0.05)?;
    let spec = ThresholdSpec::new(0.1);
    assert!(matches!(
        matrix.rethresholded(&[1.0], &spec),
        Err(CompressionError::WrongLength { .. })
    ));
    let beyond = ThresholdSpec::new(1.5);
    assert_eq!(
        matrix.rethresholded(&matrix.amplitudes(), &beyond).err(),
        Some(CompressionError::BadThreshold { epsilon: 1.5 })
    );
    assert!(matches!(
        matrix.sampled_error(&matrix, Some(&[1.0])),
        Err(CompressionError::WrongLength { .. })
    ));
    Ok(())
}
