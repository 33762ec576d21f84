//! Several `f32` at once, with operators, for the selected instruction set; and memory on cache lines.

use std::ops::{Add, Mul, Sub};

use pliant_core::aligned::Aligned;
use pulp::Simd;

/// Numbers in a cache line; planes are multiples of it, so that every instruction set divides them.
pub(crate) const LINE: usize = 16;

/// One number for each lane of the instruction set `S`.
#[derive(Clone, Copy)]
pub(crate) struct Pack<S: Simd> {
    pub simd: S,
    pub value: S::f32s,
}

impl<S: Simd> Pack<S> {
    #[inline(always)]
    pub fn new(simd: S, value: S::f32s) -> Self {
        Self { simd, value }
    }

    #[inline(always)]
    pub fn splat(simd: S, value: f32) -> Self {
        Self::new(simd, simd.splat_f32s(value))
    }

    /// `self · b + c`
    #[inline(always)]
    pub fn times_plus(self, b: Self, c: Self) -> Self {
        Self::new(
            self.simd,
            self.simd.mul_add_e_f32s(self.value, b.value, c.value),
        )
    }

    /// `c − self · b`
    #[inline(always)]
    pub fn times_from(self, b: Self, c: Self) -> Self {
        let simd = self.simd;
        Self::new(
            simd,
            simd.negate_mul_add_e_f32s(self.value, b.value, c.value),
        )
    }

    /// Without `abs_f32s`, which compilers do not always inline: with that call in the inner loop wide windows took 1.6 times as long.
    #[inline(always)]
    pub fn abs(self) -> Self {
        self.max(Self::splat(self.simd, 0.0) - self)
    }

    #[inline(always)]
    pub fn min(self, b: Self) -> Self {
        Self::new(self.simd, self.simd.min_f32s(self.value, b.value))
    }

    #[inline(always)]
    pub fn max(self, b: Self) -> Self {
        Self::new(self.simd, self.simd.max_f32s(self.value, b.value))
    }

    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self::new(self.simd, self.simd.sqrt_f32s(self.value))
    }

    #[inline(always)]
    pub fn over(self, b: Self) -> Self {
        Self::new(self.simd, self.simd.div_f32s(self.value, b.value))
    }

    #[inline(always)]
    pub fn largest(self) -> f32 {
        self.simd.reduce_max_f32s(self.value)
    }

    #[inline(always)]
    pub fn smallest(self) -> f32 {
        self.simd.reduce_min_f32s(self.value)
    }

    /// The numbers of all lanes, then zeros.
    pub fn numbers(&self) -> [f32; LINE] {
        let mut out = [0.0; LINE];
        let own = bytemuck::cast_slice(std::slice::from_ref(&self.value));
        out[..S::F32_LANES].copy_from_slice(own);
        out
    }

    /// Sets the lanes to the first of `numbers`.
    pub fn set_numbers(&mut self, numbers: &[f32; LINE]) {
        let own: &mut [f32] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut self.value));
        own.copy_from_slice(&numbers[..S::F32_LANES]);
    }
}

impl<S: Simd> Add for Pack<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self::new(self.simd, self.simd.add_f32s(self.value, b.value))
    }
}

impl<S: Simd> Sub for Pack<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self::new(self.simd, self.simd.sub_f32s(self.value, b.value))
    }
}

impl<S: Simd> Mul for Pack<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Self::new(self.simd, self.simd.mul_f32s(self.value, b.value))
    }
}

/// The `count` numbers of `from` that begin at `at`, as vectors. They need not lie on vector boundaries.
#[inline(always)]
pub(crate) fn packs<S: Simd>(from: &[f32], at: usize, count: usize) -> &[S::f32s] {
    S::as_simd_f32s(&from[at..at + count]).0
}

/// [`packs`] to write to.
#[inline(always)]
pub(crate) fn packs_mut<S: Simd>(from: &mut [f32], at: usize, count: usize) -> &mut [S::f32s] {
    S::as_mut_simd_f32s(&mut from[at..at + count]).0
}

/// A value aligned to a cache line. Vectors alone are aligned like their numbers, and access to a wide one across two lines costs twice.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct OnLine<T>(pub T);

/// Numbers that begin on a cache line.
pub(crate) type Numbers = Aligned<f32>;
