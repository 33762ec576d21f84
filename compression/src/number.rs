//! Precision of stored coefficients.

use std::fmt::Debug;
use std::ops::{AddAssign, Mul};

/// A stored number: `f32` for models that run, `f64` for reference solutions.
pub trait Number:
    Copy + Debug + Default + PartialEq + Mul<Output = Self> + AddAssign + Send + Sync + 'static
{
    /// The nearest number of this kind.
    fn from_f64(x: f64) -> Self;
    /// The same number.
    fn to_f64(self) -> f64;
    /// `self · factor + addend`, rounded once.
    fn mul_add(self, factor: Self, addend: Self) -> Self;
}

impl Number for f32 {
    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        x as Self
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self.mul_add(factor, addend)
    }
}

impl Number for f64 {
    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self.mul_add(factor, addend)
    }
}
