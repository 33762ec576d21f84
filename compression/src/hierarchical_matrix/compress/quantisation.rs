//! Uniform quantisation: vectors as small integers times one step.

use super::low_rank::LowRank;

/// Bytes of an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// One byte: 255 values.
    Narrow,
    /// Two bytes: 65,535 values.
    Wide,
}

impl Width {
    pub(crate) const BOTH: [Self; 2] = [Self::Narrow, Self::Wide];

    fn largest(self) -> f64 {
        match self {
            Self::Narrow => 127.0,
            Self::Wide => 32_767.0,
        }
    }

    /// The step for which the largest number just fits.
    pub(crate) fn step(self, values: impl Iterator<Item = f64>) -> f64 {
        let largest = values.fold(0.0_f64, |a, x| a.max(x.abs()));
        // stored in single precision, rounded up so that nothing overflows
        f64::from((largest / self.largest()) as f32).next_up()
    }

    /// The nearest integer.
    pub(crate) fn round(self, value: f64, step: f64) -> i16 {
        if step > 0.0 {
            let limit = self.largest();
            (value / step).round().clamp(-limit, limit) as i16
        } else {
            0
        }
    }
}

/// One quantised term of a decomposition.
pub(crate) struct Term {
    /// factor of the product of both vectors
    pub(crate) scale: f32,
    /// the left vector, then the right one
    pub(crate) numbers: Vec<i16>,
    /// squared Frobenius norm of the error
    pub(crate) error: f64,
}

/// Term `t` of a decomposition of a block with `rows` rows.
///
/// The scale is optimal for the rounded vectors. It is not the product of singular value and steps.
pub(crate) fn quantise_term(from: &LowRank, t: usize, size: [usize; 2], width: Width) -> Term {
    let [rows, columns] = size;
    let mut numbers = Vec::with_capacity(rows + columns);
    let mut scale = from.values[t];
    let mut kept_share = 1.0;
    for vector in [
        &from.left[t * rows..][..rows],
        &from.right[t * columns..][..columns],
    ] {
        let step = width.step(vector.iter().map(|x| f64::from(*x)));
        let (mut square, mut product) = (0.0, 0.0);
        for &x in vector {
            let q = width.round(f64::from(x), step);
            square += f64::from(q) * f64::from(q);
            product += f64::from(q) * f64::from(x);
            numbers.push(q);
        }
        scale *= product / square;
        kept_share *= product * product / square;
    }
    Term {
        scale: scale as f32,
        numbers,
        // the vectors have norm one up to rounding
        error: from.values[t].powi(2) * (1.0 - kept_share).max(0.0),
    }
}

/// A quantised column: its step, the integers, and the squared error.
pub(crate) fn quantise_column(column: &[f64], width: Width) -> (f32, Vec<i16>, f64) {
    let step = width.step(column.iter().copied()) as f32;
    let step = if step.is_normal() { step } else { 0.0 };
    let exact = f64::from(step);
    let mut error = 0.0;
    let numbers = column.iter().map(|&x| {
        let q = width.round(x, exact);
        error += (x - f64::from(q) * exact).powi(2);
        q
    });
    let numbers = numbers.collect();
    (step, numbers, error)
}
