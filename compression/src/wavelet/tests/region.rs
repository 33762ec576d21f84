//! Laws of sums at the rows of a region.

use super::block_reader::patches;
use super::*;
use crate::transform::tests::every_spec;

/// The values of the last reconstruction at some rows.
fn values_at<T: Number>(field: &CoefficientField<T>, rows: &[u32]) -> Vec<Vec3> {
    let values = rows.iter().map(|&row| field.value(row as usize));
    values.collect()
}

/// Sums at any rows have the bits of those of the whole field.
fn check_sums<T: Number>(body: &Body) -> Result<(), CompressionError> {
    let (matrix, _) = body.compress::<T>(0.05)?;
    let spec = body.transform.spec();
    let mut region = RegionSum::<T>::default();
    let factors = body.factors();
    for factors in [&factors[..], &factors[..1], &factors[..0]] {
        let mut field = CoefficientField::default();
        matrix.sum_columns(factors, &mut field);
        for rows in patches(&body.transform) {
            region.select(&body.transform, &rows);
            let sums: Vec<Vec3> = region.sum(&matrix, factors).collect();
            let count = rows.len();
            assert_eq!(sums, values_at(&field, &rows), "{spec:?}, {count} rows");
            assert!((count..=matrix.rows()).contains(&region.needed_rows()));
            // memory of the last sum does not matter
            let again: Vec<Vec3> = region.sum(&matrix, factors).collect();
            assert_eq!(again, sums);
        }
    }
    Ok(())
}

#[test]
fn sums_at_any_rows_are_those_of_the_whole_field() -> Result<(), CompressionError> {
    for spec in every_spec() {
        let body = body(&spec)?;
        check_sums::<f32>(&body)?;
        check_sums::<f64>(&body)?;
    }
    Ok(())
}

#[test]
fn a_region_leaves_out_the_rest_of_the_field() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let (matrix, _) = body.compress::<f32>(0.05)?;
    let mut region = RegionSum::default();
    assert_eq!(region.sum(&matrix, &body.factors()).count(), 0);
    // a vertex of the finest level and those around it
    let centre = body.positions[matrix.rows() - 1];
    let near = |row: &u32| (body.positions[*row as usize] - centre).norm() < 0.4;
    let rows: Vec<u32> = (0..matrix.rows() as u32).filter(near).collect();
    assert!((5..matrix.rows() / 5).contains(&rows.len()));
    region.select(&body.transform, &rows);
    let needed = region.needed_rows();
    assert!(needed < matrix.rows() / 2, "{needed} of {}", matrix.rows());
    assert_eq!(region.sum(&matrix, &body.factors()).count(), rows.len());
    Ok(())
}

#[test]
fn scalar_columns_are_summed_alike() -> Result<(), CompressionError> {
    let body = body(&TransformSpec::default())?;
    let potential = |column: usize, out: &mut [f64]| {
        for (value, row) in out.iter_mut().zip(&body.positions) {
            *value = 1.0 / ((row - body.positions[column]).norm() + 0.3);
        }
    };
    let columns = Columns::new(body.positions.len(), 1, &potential);
    let spec = ThresholdSpec::new(0.02);
    let (matrix, _) =
        WaveletMatrix::<f64>::compress(&body.transform, &columns, &spec, &Progress::new())?;
    let mut field = CoefficientField::default();
    matrix.sum_columns(&body.factors(), &mut field);
    let mut region = RegionSum::default();
    for rows in patches(&body.transform) {
        region.select(&body.transform, &rows);
        let sums: Vec<Vec3> = region.sum(&matrix, &body.factors()).collect();
        assert_eq!(sums, values_at(&field, &rows));
    }
    Ok(())
}
