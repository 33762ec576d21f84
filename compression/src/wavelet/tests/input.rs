//! Columns of other sizes, and columns that cannot be compressed.

use super::*;

#[test]
fn scalar_columns_are_compressed_alike() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let entry = |row: usize, column: usize| {
        1.0 / ((body.positions[row] - body.positions[column]).norm() + 0.2)
    };
    let fill = |column: usize, out: &mut [f64]| {
        for (row, x) in out.iter_mut().enumerate() {
            *x = entry(row, column);
        }
    };
    let columns = Columns::new(body.positions.len(), 1, &fill);
    let spec = ThresholdSpec::new(0.01);
    let (matrix, report) =
        WaveletMatrix::<f32>::compress(&body.transform, &columns, &spec, &Progress::new())?;
    assert!(
        report.max_error < 0.015 && report.compression > 2.0,
        "{report:?}"
    );
    let mut field = CoefficientField::default();
    matrix.sum_columns(&[(5, Vec3::new(2.0, 0.0, 0.0))], &mut field);
    for row in [0, 5, 60, 190] {
        assert!((field.value(row).x - 2.0 * entry(row, 5)).abs() < 0.05 * 2.0 * entry(5, 5));
    }
    Ok(())
}

#[test]
fn bad_columns_are_refused() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let broken =
        |column: usize, out: &mut [f64]| out.fill(if column == 3 { f64::NAN } else { 1.0 });
    let columns = Columns::new(5, 3, &broken);
    let compress = |columns: &Columns<'_>, epsilon: f64| {
        let spec = ThresholdSpec::new(epsilon);
        WaveletMatrix::<f32>::compress(&body.transform, columns, &spec, &Progress::new()).err()
    };
    assert_eq!(
        compress(&columns, 0.1),
        Some(CompressionError::NotFinite { column: 3 })
    );
    assert_eq!(
        compress(&columns, 2.0),
        Some(CompressionError::BadThreshold { epsilon: 2.0 })
    );
    assert!(matches!(
        compress(&columns, f64::NAN),
        Some(CompressionError::BadThreshold { .. })
    ));
    let two = Columns { size: 2, ..columns };
    assert!(matches!(
        compress(&two, 0.1),
        Some(CompressionError::WrongLength { .. })
    ));
    let weights = Columns {
        weights: Some(&[1.0]),
        ..columns
    };
    assert!(matches!(
        compress(&weights, 0.1),
        Some(CompressionError::WrongLength { .. })
    ));
    let cancelled = Progress::new();
    cancelled.cancel();
    let spec = ThresholdSpec::new(0.1);
    let stopped = WaveletMatrix::<f32>::compress(&body.transform, &columns, &spec, &cancelled);
    assert!(matches!(stopped, Err(CompressionError::Cancelled(_))));
    Ok(())
}
