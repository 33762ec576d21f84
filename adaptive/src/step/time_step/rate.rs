//! From frequencies to steps: the stability limit with damping.

/// See [`super::StepControl::rate_for`].
pub(crate) fn rate_for(
    damping_time: f64,
    safety: f64,
    frequency_squared: f64,
    viscous_squared: f64,
) -> f64 {
    // the same in a form without cancellation: (b + √(b² + 4ω²)) / 4c with b = β ω_v²
    let b = damping_time * viscous_squared;
    (b + (b * b + 4.0 * frequency_squared).sqrt()) / (4.0 * safety)
}

/// `⌈rate · duration⌉`, at least 1.
pub fn substeps_for(rate: f64, duration: f64) -> u32 {
    (rate * duration).ceil().clamp(1.0, f64::from(u32::MAX)) as u32
}
