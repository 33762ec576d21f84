//! Which instructions the kernels use.

use pulp::{Scalar128b, Simd, WithSimd};

/// Width and kind of the vector instructions.
///
/// Levels with fused multiply-add give the same bits; [`SimdLevel::Portable`] rounds after every product and differs in the last digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimdLevel {
    /// The widest that the processor has.
    Auto,
    /// What every processor of the architecture has.
    Portable,
    /// Eight lanes with fused multiply-add (AVX2 and FMA).
    Avx2,
    /// Sixteen lanes with fused multiply-add (AVX-512).
    Avx512,
}

/// Proof that the processor has the instructions.
#[derive(Debug, Clone, Copy)]
pub(super) enum Machine {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    #[cfg(target_arch = "x86_64")]
    Avx512(pulp::x86::V4),
}

/// A kernel for any width; `FUSED` says whether products are rounded before they are added.
pub(super) trait Kernel {
    type Output;
    fn run<S: Simd, const FUSED: bool>(self, simd: S) -> Self::Output;
}

struct Fused<K>(K);

impl<K: Kernel> WithSimd for Fused<K> {
    type Output = K::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> K::Output {
        self.0.run::<S, true>(simd)
    }
}

impl Machine {
    /// The requested instructions, or the widest ones below them that the processor has.
    pub(super) fn best(requested: SimdLevel) -> Self {
        #[cfg(target_arch = "x86_64")]
        if requested != SimdLevel::Auto || !pliant_core::simd::is_portable() {
            if matches!(requested, SimdLevel::Auto | SimdLevel::Avx512)
                && let Some(simd) = pulp::x86::V4::try_new()
            {
                return Self::Avx512(simd);
            }
            if requested != SimdLevel::Portable
                && let Some(simd) = pulp::x86::V3::try_new()
            {
                return Self::Avx2(simd);
            }
        }
        let _ = requested;
        Self::Portable
    }

    /// Runs `kernel` with the instructions of this machine.
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Self::Portable => kernel.run::<Scalar128b, false>(Scalar128b),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => Simd::vectorize(simd, Fused(kernel)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(simd) => Simd::vectorize(simd, Fused(kernel)),
        }
    }
}

/// Arithmetic on lanes.
#[derive(Clone, Copy)]
pub(super) struct Lanes<S, const FUSED: bool>(pub(super) S);

impl<S: Simd, const FUSED: bool> Lanes<S, FUSED> {
    #[inline(always)]
    pub(super) fn splat(self, a: f32) -> S::f32s {
        self.0.splat_f32s(a)
    }

    #[inline(always)]
    pub(super) fn add(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.add_f32s(a, b)
    }

    #[inline(always)]
    pub(super) fn sub(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.sub_f32s(a, b)
    }

    #[inline(always)]
    pub(super) fn mul(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.mul_f32s(a, b)
    }

    #[inline(always)]
    pub(super) fn div(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.div_f32s(a, b)
    }

    /// `a b + c`.
    #[inline(always)]
    pub(super) fn fma(self, a: S::f32s, b: S::f32s, c: S::f32s) -> S::f32s {
        if FUSED {
            self.0.mul_add_f32s(a, b, c)
        } else {
            self.add(self.mul(a, b), c)
        }
    }

    /// `Σ_k a_k b_k` of three products.
    #[inline(always)]
    pub(super) fn dot(self, a: [S::f32s; 3], b: [S::f32s; 3]) -> S::f32s {
        self.fma(a[0], b[0], self.fma(a[1], b[1], self.mul(a[2], b[2])))
    }

    /// `−(a_0 + a_1 + a_2)`.
    #[inline(always)]
    pub(super) fn minus_sum(self, a: [S::f32s; 3]) -> S::f32s {
        self.sub(self.splat(0.0), self.add(self.add(a[0], a[1]), a[2]))
    }

    /// `a d − b c`.
    #[inline(always)]
    pub(super) fn minor(self, a: S::f32s, d: S::f32s, b: S::f32s, c: S::f32s) -> S::f32s {
        self.sub(self.mul(a, d), self.mul(b, c))
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_never_wider_than_requested() {
        let best = Machine::best;
        assert!(matches!(best(SimdLevel::Portable), Machine::Portable));
        assert!(!matches!(best(SimdLevel::Avx2), Machine::Avx512(_)));
    }
}
