//! Cores and vector instructions.

use pliant_core::simd::kernels;

/// One line about the machine for reports.
pub fn machine_line() -> String {
    format!(
        "{} {}, {} cores, {} kernels",
        std::env::consts::OS,
        std::env::consts::ARCH,
        cores(),
        kernels()
    )
}

/// Cores that may be used.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Vector instructions that the processor has.
#[cfg(target_arch = "x86_64")]
pub fn simd() -> Vec<&'static str> {
    let mut found = vec!["sse2"];
    if std::arch::is_x86_feature_detected!("avx2") {
        found.push("avx2");
    }
    if std::arch::is_x86_feature_detected!("fma") {
        found.push("fma");
    }
    if std::arch::is_x86_feature_detected!("avx512f") {
        found.push("avx512");
    }
    found
}

/// Vector instructions that the processor has.
#[cfg(not(target_arch = "x86_64"))]
pub fn simd() -> Vec<&'static str> {
    vec!["portable"]
}
