//! Which vector instructions this process uses.
//!
//! Kernels take the widest that the processor has. Sums of lanes of another width round differently, so that machines differ in the last bits; who
//! needs the same bits on all of them does without.
//!
//! ```
//! pliant_core::simd::use_portable();
//! assert!(matches!(pliant_core::simd::arch(), pulp::Arch::Scalar));
//! ```

use std::sync::atomic::{AtomicBool, Ordering};

use pulp::Arch;

static PORTABLE: AtomicBool = AtomicBool::new(false);

/// From now on no vector instructions but what every machine has. Call it before models are made.
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
