//! Single rows of the inverse transform: the coefficients that make the value of one vertex.

use pliant_core::mesh::{WeightedRows, merge_duplicates};

use super::lifting::WaveletTransform;
use crate::number::Number;

/// The rows of `W⁻¹`, sparse: the value of row `v` is `Σ weight · coefficient` (James and Pai 2003, selective reconstruction).
///
/// With linear lifted wavelets 45 coefficients make a value of a closed surface at four levels, with butterflies 135.
#[derive(Debug, Clone, PartialEq)]
pub struct RowTable<T = f32> {
    rows: WeightedRows<T>,
}

impl<T: Number> RowTable<T> {
    /// All rows. Memory: 8 bytes for each weight in single precision.
    pub fn new(transform: &WaveletTransform) -> Self {
        let mut rows = WeightedRows::default();
        for row in sparse_rows(transform) {
            let row = row.into_iter();
            rows.push(row.map(|(column, weight)| (column, T::from_f64(weight))));
        }
        Self { rows }
    }

    /// The coefficients and weights of row `v`, ascending.
    pub fn row(&self, v: usize) -> (&[u32], &[T]) {
        self.rows.row(v)
    }

    /// Bytes that the table holds.
    pub fn bytes(&self) -> usize {
        self.rows.bytes()
    }
}

impl WaveletTransform {
    /// The interpolating hat of each row of `level` (James and Pai 2003, the hierarchical basis): the rows where it is not zero, ascending, and its values.
    pub fn hats(&self, level: usize) -> Vec<Vec<(u32, f64)>> {
        let mut hats = vec![Vec::new(); self.domain().rows_to(level)];
        for (row, parts) in self.hats_at_rows(level).into_iter().enumerate() {
            for (hat, value) in parts {
                hats[hat as usize].push((row as u32, value));
            }
        }
        hats
    }

    /// For each row the hats of `level` that are not zero there, ascending, and their values: the transpose of [`Self::hats`]. Empty where no row of the level is near enough.
    pub fn hats_at_rows(&self, level: usize) -> Vec<Vec<(u32, f64)>> {
        let coarse = self.domain().rows_to(level) as u32;
        let mut rows: Vec<Vec<(u32, f64)>> = (0..coarse).map(|row| vec![(row, 1.0)]).collect();
        for step in self.steps().iter().skip(level) {
            for k in 0..step.len() {
                let mut sum = Vec::new();
                for (row, weight) in step.predictor(k) {
                    sum.extend(rows[row].iter().map(|(hat, value)| (*hat, weight * value)));
                }
                rows.push(merged(sum));
            }
        }
        rows
    }
}

/// The rows of `W⁻¹` in double precision. Each level subtracts shares of the details from coarser values, then adds the predictions to the new values.
pub(super) fn sparse_rows(transform: &WaveletTransform) -> Vec<Vec<(u32, f64)>> {
    let domain = transform.domain();
    let mut rows: Vec<Vec<(u32, f64)>> = (0..domain.rows() as u32)
        .map(|row| vec![(row, 1.0)])
        .collect();
    for step in transform.steps() {
        for k in 0..step.len() {
            let detail = (step.first + k) as u32;
            for (row, share) in step.update(k) {
                rows[row].push((detail, -share));
            }
        }
        for k in 0..step.len() {
            let mut sum = Vec::new();
            for (row, weight) in step.predictor(k) {
                sum.extend(rows[row].iter().map(|(column, w)| (*column, weight * w)));
            }
            sum.push(((step.first + k) as u32, 1.0));
            rows[step.first + k] = merged(sum);
        }
    }
    rows.into_iter().map(merged).collect()
}

/// Sorts a row by columns and adds entries of the same column.
fn merged(mut row: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    row.sort_by_key(|(column, _)| *column);
    merge_duplicates(&mut row);
    row
}
