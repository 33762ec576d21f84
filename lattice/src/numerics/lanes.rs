//! Four numbers at once: arithmetic that the compiler turns into vector instructions.

use std::ops::{Add, Mul, Sub};

/// How many numbers go together.
pub(crate) const LANES: usize = 4;

/// One number for each of [`LANES`] regions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lanes(pub [f64; LANES]);

impl Lanes {
    pub const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    pub fn splat(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    pub fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|k| f(self.0[k], other.0[k])))
    }

    #[inline(always)]
    pub fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    pub fn reciprocal(self) -> Self {
        Self(self.0.map(|x| 1.0 / x))
    }

    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    pub fn largest(self) -> f64 {
        self.0.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    #[inline(always)]
    pub fn smallest(self) -> f64 {
        self.0.into_iter().fold(f64::INFINITY, f64::min)
    }
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}
