//! A sum of columns: its coefficients, and its reconstructed values.

use pliant_core::math::Vec3;

use crate::number::Number;

/// Coefficients and values of a sum of columns. Memory is kept from frame to frame.
///
/// The fourth lane of each row has no meaning.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CoefficientField<T = f32> {
    pub(super) coefficients: Vec<[T; 4]>,
    pub(super) values: Vec<[T; 4]>,
}

impl<T: Number> CoefficientField<T> {
    /// Sets all coefficients and values to zero, for `rows` rows.
    pub fn clear(&mut self, rows: usize) {
        self.coefficients.clear();
        self.coefficients.resize(rows, [T::default(); 4]);
        self.values.clear();
        self.values.resize(rows, [T::default(); 4]);
    }

    /// The values of the last reconstruction, by row.
    pub fn value(&self, row: usize) -> Vec3 {
        let [x, y, z, _] = self.values[row];
        Vec3::new(x.to_f64(), y.to_f64(), z.to_f64())
    }

    /// The coefficient of `row`.
    pub fn coefficient(&self, row: usize) -> Vec3 {
        let [x, y, z, _] = self.coefficients[row];
        Vec3::new(x.to_f64(), y.to_f64(), z.to_f64())
    }
}
