//! Laws of the blocks that a capacitance matrix reads.

use super::*;
use crate::transform::tests::every_spec;

/// One row of each level, all rows up to each level, five anywhere, and all backwards.
pub(super) fn patches(transform: &WaveletTransform) -> Vec<Vec<u32>> {
    let domain = transform.domain();
    let rows = domain.rows() as u32;
    let mut patches = Vec::new();
    for level in 0..=domain.finest() {
        let end = domain.rows_to(level) as u32;
        patches.push(vec![end - 1]);
        patches.push((0..end).collect());
    }
    patches.push((0..5).map(|k| (k * 7919 + 13) % rows).collect());
    patches.push((0..rows).rev().collect());
    patches
}

/// The blocks of a column at all rows, by whole inverse transforms.
fn reconstructed<T: Number>(matrix: &WaveletMatrix<T>, column: u32) -> Vec<Mat3> {
    let mut blocks = vec![Mat3::zeros(); matrix.rows()];
    let mut field = CoefficientField::default();
    for (axis, force) in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().enumerate() {
        matrix.sum_columns(&[(column, force)], &mut field);
        for (row, block) in blocks.iter_mut().enumerate() {
            block.set_column(axis, &field.value(row));
        }
    }
    blocks
}

/// Blocks have the bits of the whole transform, and are those of [`WaveletMatrix::block`] within `rounding` of the largest number of the column.
fn check_blocks<T: Number>(body: &Body, rounding: f64) -> Result<(), CompressionError> {
    let (matrix, _) = body.compress::<T>(0.05)?;
    let spec = body.transform.spec();
    let mut reader = BlockReader::<T>::default();
    for column in [0, 57, matrix.columns() as u32 - 1] {
        let whole = reconstructed(&matrix, column);
        let largest = whole.iter().map(|block| block.amax()).fold(0.0, f64::max);
        for rows in patches(&body.transform) {
            reader.select(&body.transform, &rows);
            let blocks: Vec<Mat3> = reader.read(&matrix, column).collect();
            assert_eq!(blocks.len(), rows.len());
            for (block, &row) in blocks.iter().zip(&rows) {
                let (row, count) = (row as usize, rows.len());
                assert_eq!(*block, whole[row], "{spec:?}, row {row} of {count}");
                let error = (block - matrix.block(row, column as usize)).amax();
                assert!(
                    error <= rounding * largest,
                    "{spec:?}, row {row} of {count}: {error:e} of {largest}"
                );
            }
        }
    }
    Ok(())
}

#[test]
fn blocks_of_any_rows_are_those_of_the_whole_inverse_transform() -> Result<(), CompressionError> {
    for spec in every_spec() {
        let body = body(&spec)?;
        check_blocks::<f32>(&body, 2e-6)?;
        check_blocks::<f64>(&body, 1e-14)?;
    }
    Ok(())
}

#[test]
fn one_reader_serves_matrices_of_any_size_and_scalar_ones() -> Result<(), CompressionError> {
    let large = body(&TransformSpec::default())?;
    let (matrix, _) = large.compress::<f64>(0.05)?;
    let mut reader = BlockReader::default();
    assert_eq!(reader.read(&matrix, 3).count(), 0, "nothing is selected");
    reader.select(&large.transform, &patches(&large.transform)[7]);
    assert!(reader.read(&matrix, 3).all(|block| block != Mat3::zeros()));
    let (hierarchy, x) = octahedron(1)?;
    let all = vec![true; x.len()];
    let spec = TransformSpec::default();
    let small = Arc::new(WaveletTransform::new(&hierarchy, &all, None, &spec)?);
    let potential = |column: usize, out: &mut [f64]| {
        for (value, row) in out.iter_mut().zip(&x) {
            *value = 1.0 / ((row - x[column]).norm() + 0.3);
        }
    };
    let columns = Columns::new(x.len(), 1, &potential);
    let spec = ThresholdSpec::new(0.02);
    let (scalar, _) = WaveletMatrix::<f64>::compress(&small, &columns, &spec, &Progress::new())?;
    for rows in patches(&small) {
        reader.select(&small, &rows);
        for column in 0..scalar.columns() {
            let blocks = reader.read(&scalar, column as u32);
            for (block, &row) in blocks.zip(&rows) {
                let error = block - scalar.block(row as usize, column);
                assert!(error.amax() < 1e-13, "{row} {column}: {error}");
            }
        }
    }
    Ok(())
}
