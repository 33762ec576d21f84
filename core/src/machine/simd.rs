//! The vector instructions that this process uses.
//!
//! Kernels use the widest vectors of the processor. Sums over vectors of another width round differently, so that results of different machines differ in the last bits. Programs that
//! need the same bits on all machines switch vector instructions off.
//!
//! ```
//! pliant_core::simd::use_portable();
//! assert!(matches!(pliant_core::simd::arch(), pulp::Arch::Scalar));
//! ```

use std::sync::atomic::{AtomicBool, Ordering};

use pulp::Arch;

static PORTABLE: AtomicBool = AtomicBool::new(false);

/// From now on, only instructions that every machine has are used. Call it before models are created.
pub fn use_portable() {
    PORTABLE.store(true, Ordering::Relaxed);
}

/// Whether [`use_portable`] was called.
pub fn is_portable() -> bool {
    PORTABLE.load(Ordering::Relaxed)
}

/// The instructions to use.
#[inline]
pub fn arch() -> Arch {
    match is_portable() {
        true => Arch::Scalar,
        false => Arch::new(),
    }
}

/// Name of the instructions that kernels use, for recordings and reports.
pub fn kernels() -> &'static str {
    match arch() {
        #[cfg(target_arch = "x86_64")]
        Arch::V4(_) => "AVX-512",
        #[cfg(target_arch = "x86_64")]
        Arch::V3(_) => "AVX2",
        _ => "portable",
    }
}
