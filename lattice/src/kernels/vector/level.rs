//! The choice of vector instructions.

use pliant_core::simd::arch;
use pulp::{Arch, WithSimd};

/// Vector instructions to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "tests compare instruction sets")
)]
pub(crate) enum Level {
    /// The widest that this machine has, unless the process disables them (see [`pliant_core::simd`]).
    Auto,
    /// Only those that every machine has.
    Portable,
    /// AVX2 and fused multiply-add, 8 lanes.
    Avx2,
    /// AVX-512, 16 lanes.
    Avx512,
}

impl Level {
    /// Numbers in a vector.
    pub(crate) fn lanes(self) -> usize {
        struct Lanes;
        impl WithSimd for Lanes {
            type Output = usize;
            #[inline(always)]
            fn with_simd<S: pulp::Simd>(self, _: S) -> usize {
                S::F32_LANES
            }
        }
        self.run(Lanes)
    }

    /// Runs plain loops `work` with these instructions.
    #[inline]
    pub(crate) fn apply(self, work: impl FnOnce()) {
        struct Plain<F>(F);
        impl<F: FnOnce()> WithSimd for Plain<F> {
            type Output = ();
            #[inline(always)]
            fn with_simd<S: pulp::Simd>(self, _: S) {
                (self.0)();
            }
        }
        self.run(Plain(work));
    }

    /// Runs `work` with these instructions, or with portable ones where the machine lacks them.
    #[inline]
    pub(crate) fn run<W: WithSimd>(self, work: W) -> W::Output {
        match self {
            Self::Auto => arch().dispatch(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => match pulp::x86::V3::try_new() {
                Some(simd) => pulp::Simd::vectorize(simd, work),
                None => Arch::Scalar.dispatch(work),
            },
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => match pulp::x86::V4::try_new() {
                Some(simd) => pulp::Simd::vectorize(simd, work),
                None => Arch::Scalar.dispatch(work),
            },
            _ => Arch::Scalar.dispatch(work),
        }
    }
}
