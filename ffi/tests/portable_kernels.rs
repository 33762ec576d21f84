//! The choice of kernels holds for a whole process, so that it has a test program of its own.

use pliant_ffi::PliantStatus;
use pliant_ffi::border::about::pliant_use_portable_kernels;

#[test]
fn portable_kernels_are_used_from_the_call_on() {
    assert!(!pliant::core::simd::is_portable());
    for _ in 0..2 {
        assert_eq!(pliant_use_portable_kernels(), PliantStatus::Ok);
        assert!(pliant::core::simd::is_portable());
    }
}
