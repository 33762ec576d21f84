//! Values of the same rows in many sums of columns, as the responses to coarse constraints need them.

use pliant_core::math::Vec3;

use super::field::CoefficientField;
use crate::number::Number;
use crate::transform::{SelectiveInverse, WaveletTransform};

/// Reconstructs selected rows of one sum of columns after the other: the part of the inverse transform that these rows need.
///
/// The bits of a value are those of [`WaveletMatrix::reconstruct`](super::WaveletMatrix::reconstruct), whatever the other rows are.
#[derive(Debug, Clone, Default)]
pub struct RowReader<T = f32> {
    plan: SelectiveInverse<T>,
    selected: Vec<u32>,
    /// Rows whose coefficients are needed, ascending, and the end of each level among them.
    rows: Vec<u32>,
    ends: Vec<usize>,
    values: Vec<[T; 4]>,
}

impl<T: Number> RowReader<T> {
    /// Selects the rows that are read from now on, in any order, of sums of matrices with this transform. Cost: a few look-ups for each row that is needed, and a sort of these rows.
    ///
    /// # Panics
    /// For a row that the transform does not have.
    pub fn select(&mut self, transform: &WaveletTransform, rows: &[u32]) {
        self.plan.select(transform, rows);
        self.selected.clear();
        self.selected.extend_from_slice(rows);
        self.rows.clear();
        self.rows.extend(self.plan.used_rows());
        self.rows.sort_unstable();
        let (domain, rows) = (transform.domain(), &self.rows);
        let end = |level: usize| {
            let end = domain.rows_to(level);
            rows.partition_point(|&row| (row as usize) < end)
        };
        self.ends.clear();
        self.ends.extend((0..=domain.finest()).map(end));
    }

    /// The rows of the last selection.
    pub fn selected(&self) -> &[u32] {
        &self.selected
    }

    /// The values of the selected rows of a sum, in the order of the selection, from its coefficients. Cost: a few products for each row that is needed.
    ///
    /// # Panics
    /// For a sum of a matrix with fewer rows than the transform of the selection.
    pub fn read(&mut self, field: &CoefficientField<T>) -> impl Iterator<Item = Vec3> {
        let Self {
            plan,
            rows,
            ends,
            values,
            ..
        } = self;
        values.clear();
        values.resize(plan.values(), [T::default(); 4]);
        let mut begin = 0;
        for (predictions, &end) in plan.levels().iter().zip(&*ends) {
            for &row in &rows[begin..end] {
                let Some(used) = plan.coefficient(row) else {
                    continue;
                };
                let x = field.coefficients[row as usize];
                for (value, factor) in used.updates {
                    if let Some(value) = values.get_mut(value as usize) {
                        add_scaled(value, x, factor);
                    }
                }
                if let Some(value) = values.get_mut(used.value as usize) {
                    *value = x;
                }
            }
            begin = end;
            for prediction in predictions {
                let mut sum = values[prediction.value as usize];
                for &(value, weight) in plan.parts(prediction) {
                    add_scaled(&mut sum, values[value as usize], weight);
                }
                values[prediction.value as usize] = sum;
            }
        }
        let (selected, values) = (plan.selected(), &values[..]);
        let vector = move |&value: &u32| {
            let [x, y, z, _] = values[value as usize];
            Vec3::new(x.to_f64(), y.to_f64(), z.to_f64())
        };
        selected.iter().map(vector)
    }
}

#[inline(always)]
fn add_scaled<T: Number>(sum: &mut [T; 4], x: [T; 4], factor: T) {
    for (s, x) in sum.iter_mut().zip(x) {
        *s += factor * x;
    }
}
