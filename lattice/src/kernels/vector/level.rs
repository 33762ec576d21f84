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
    ///
    /// The only place that dispatches, and not inlined: portable kernels are compiled anew at each dispatch, and all kernels in each copy of this function.
    pub(crate) fn run<W: WithSimd>(self, work: W) -> W::Output {
        self.arch().dispatch(work)
    }

    /// As [`Self::run`], for bodies in single precision. Machines without vectors have none (see
    /// [`SinglePrecision::is_enabled`](crate::step::single::single_precision::SinglePrecision::is_enabled)), so that only tests compile the kernels for them.
    pub(crate) fn run_vectors(self, work: impl WithSimd<Output = ()>) {
        #[cfg(all(target_arch = "x86_64", not(test)))]
        match Arch::new() {
            Arch::V4(simd) => pulp::Simd::vectorize(simd, work),
            Arch::V3(simd) => pulp::Simd::vectorize(simd, work),
            _ => {}
        }
        #[cfg(not(all(target_arch = "x86_64", not(test))))]
        self.run(work);
    }

    fn arch(self) -> Arch {
        match self {
            Self::Auto => arch(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => pulp::x86::V3::try_new().map_or(Arch::Scalar, Arch::V3),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => pulp::x86::V4::try_new().map_or(Arch::Scalar, Arch::V4),
            _ => Arch::Scalar,
        }
    }
}
