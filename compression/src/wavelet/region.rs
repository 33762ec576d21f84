//! Sums of columns at the rows of a region, without the rest of the field.

use pliant_core::math::Vec3;

use super::matrix::WaveletMatrix;
use crate::number::Number;
use crate::transform::{SelectiveInverse, WaveletTransform, add_scaled};

/// Sums columns at selected rows: coefficients and lifting steps that no selected row needs are left out (James and Pai 2003, sections 5 and 9: reconstruction on parts of the
/// boundary reduces the cost of both the sum and the inverse transform).
///
/// The rows that selected ones are predicted from are made, too: with linear wavelets, 400 neighbouring rows of 2,172 take 433. Each value has the bits of
/// [`WaveletMatrix::reconstruct`], whatever the other rows are.
#[derive(Debug, Clone, Default)]
pub struct RegionSum<T = f32> {
    plan: SelectiveInverse<T>,
    /// Places of the coefficients in the plan, ascending by row.
    order: Vec<u32>,
    /// End of each level in `order`, coarse first.
    level_ends: Vec<usize>,
    coefficients: Vec<[T; 4]>,
    values: Vec<[T; 4]>,
}

impl<T: Number> RegionSum<T> {
    /// Selects the rows at which columns are summed from now on, in any order, for all matrices with this transform. Cost: a few look-ups for each row that is needed.
    ///
    /// # Panics
    /// For a row that the transform does not have.
    pub fn select(&mut self, transform: &WaveletTransform, rows: &[u32]) {
        self.plan.select(transform, rows);
        let used = self.plan.coefficients();
        let row = |place: &u32| used[*place as usize].row;
        self.order.clear();
        self.order.extend(0..used.len() as u32);
        self.order.sort_unstable_by_key(row);
        let domain = transform.domain();
        let order = &self.order;
        let end = |level: usize| {
            let end = domain.rows_to(level);
            order.partition_point(|place| (row(place) as usize) < end)
        };
        self.level_ends.clear();
        self.level_ends.extend((0..=domain.finest()).map(end));
    }

    /// Number of rows whose values a sum makes: the selected ones, and those that they are predicted from.
    pub fn needed_rows(&self) -> usize {
        self.plan.values()
    }

    /// The sum of columns times vectors (for blocks of one number the first component) at the selected rows, in the order of the selection. Each coefficient is one sum in the order of
    /// `factors`. Cost: a look-up for each kept block of the columns, a product for each that is needed, and a few products for each row that is needed.
    ///
    /// # Panics
    /// For a column that the matrix does not have.
    pub fn sum(
        &mut self,
        matrix: &WaveletMatrix<T>,
        factors: &[(u32, Vec3)],
    ) -> impl Iterator<Item = Vec3> {
        let Self {
            plan,
            order,
            level_ends,
            coefficients,
            values,
        } = self;
        let used = plan.coefficients();
        coefficients.clear();
        coefficients.resize(used.len(), [T::default(); 4]);
        matrix.add_columns_at(factors, plan.place_of_row(), coefficients);
        values.clear();
        values.resize(plan.values(), [T::default(); 4]);
        let mut first = 0;
        for (predictions, &end) in plan.levels().iter().zip(level_ends.iter()) {
            for &place in &order[first..end] {
                let (used, x) = (&used[place as usize], coefficients[place as usize]);
                for (value, factor) in used.updates {
                    if let Some(value) = values.get_mut(value as usize) {
                        add_scaled(value, x, factor);
                    }
                }
                if let Some(value) = values.get_mut(used.value as usize) {
                    *value = x;
                }
            }
            first = end;
            for prediction in predictions {
                let mut sum = values[prediction.value as usize];
                for &(value, weight) in plan.parts(prediction) {
                    add_scaled(&mut sum, values[value as usize], weight);
                }
                values[prediction.value as usize] = sum;
            }
        }
        let values = &values[..];
        plan.selected().iter().map(move |&value| {
            let [x, y, z, _] = values[value as usize];
            Vec3::new(x.to_f64(), y.to_f64(), z.to_f64())
        })
    }
}
