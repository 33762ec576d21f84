//! The error of a compressed matrix, measured on all entries.

use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use rayon::prelude::*;

use crate::hierarchical_matrix::loads::SumScratch;
use crate::hierarchical_matrix::matrix::{Block, Form, HierarchicalMatrix};
use crate::hierarchical_matrix::spec::{HierarchicalMatrixError, HierarchicalReport};

/// Errors of a whole matrix, all relative.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Errors {
    /// in the Frobenius norm
    pub(crate) rms: f64,
    /// the same of the scaled matrix
    pub(crate) scaled: f64,
    /// the same of the worst block column
    pub(crate) column_rms: f64,
    /// of the worst block, over the largest of its column
    pub(crate) max: f64,
}

/// Compares every block. Cost: the sums of all columns, and one call of `block` each.
pub(crate) fn measure(
    matrix: &HierarchicalMatrix,
    block: &(impl Fn(usize, usize) -> Mat3 + Sync),
    progress: &Progress,
) -> Result<Errors, HierarchicalMatrixError> {
    let n = matrix.nodes();
    let squared_factor = |node: usize| f64::from(matrix.inverse_factors[node]).powi(-2);
    let column = |(scratch, fields): &mut (SumScratch, [Vec<f64>; 3]), j: usize| {
        progress.check()?;
        for (axis, field) in fields.iter_mut().enumerate() {
            field.clear();
            field.resize(3 * n, 0.0);
            let unit = Vec3::from_fn(|k, _| f64::from(u8::from(k == axis)));
            matrix.add_columns_on_one_thread(&[(j as u32, unit)], field, scratch);
        }
        // squared error and norm, largest squared error and norm of a block, squared scaled error and norm
        let mut sums = [0.0_f64; 6];
        for i in 0..n {
            let exact = block(i, j);
            let error = Mat3::from_fn(|r, c| fields[c][3 * i + r]) - exact;
            let (error, norm) = (error.norm_squared(), exact.norm_squared());
            sums = [
                sums[0] + error,
                sums[1] + norm,
                sums[2].max(error),
                sums[3].max(norm),
                sums[4] + error * squared_factor(i),
                sums[5] + norm * squared_factor(i),
            ];
        }
        sums[4] *= squared_factor(j);
        sums[5] *= squared_factor(j);
        Ok::<_, HierarchicalMatrixError>(sums)
    };
    let columns: Vec<[f64; 6]> = (0..n)
        .into_par_iter()
        .map_init(Default::default, column)
        .collect::<Result<_, _>>()?;
    let ratio = |part: f64, whole: f64| match whole > 0.0 {
        true => (part / whole).sqrt(),
        false if part > 0.0 => f64::INFINITY,
        false => 0.0,
    };
    let worst = |part: usize, whole: usize| {
        let ratios = columns.iter().map(|c| ratio(c[part], c[whole]));
        ratios.fold(0.0, f64::max)
    };
    let total = |k: usize| columns.iter().map(|c| c[k]).sum::<f64>();
    Ok(Errors {
        rms: ratio(total(0), total(1)),
        scaled: ratio(total(4), total(5)),
        column_rms: worst(0, 1),
        max: worst(2, 3),
    })
}

/// The errors, with the size of the matrix.
pub(crate) fn report(
    matrix: &HierarchicalMatrix,
    errors: &Errors,
    asymmetry: f64,
) -> HierarchicalReport {
    let dense = |b: &&Block| matches!(b.form, Form::Dense { .. });
    let dense_blocks = matrix.blocks.iter().filter(dense).count();
    let (bytes, dense_bytes) = (matrix.bytes(), 36 * matrix.nodes() * matrix.nodes());
    HierarchicalReport {
        bytes,
        compression: dense_bytes as f64 / bytes as f64,
        rms_error: errors.rms,
        scaled_rms_error: errors.scaled,
        column_rms_error: errors.column_rms,
        max_error: errors.max,
        asymmetry,
        low_rank_blocks: matrix.blocks.len() - dense_blocks,
        dense_blocks,
    }
}
