//! The weights of Loop subdivision away from sharp edges (Loop 1987).

/// Weight of each of `n` neighbours in the new place of a smooth even vertex (Loop 1987).
pub(crate) fn ring_weight(n: usize) -> f64 {
    let wave = 0.375 + 0.25 * (2.0 * std::f64::consts::PI / n as f64).cos();
    (0.625 - wave * wave) / n as f64
}

/// Weights of a smooth even vertex and of each of its `n` neighbours.
pub(crate) fn even_place(n: usize) -> (f64, f64) {
    if n == 0 {
        return (1.0, 0.0);
    }
    let each = ring_weight(n);
    (1.0 - n as f64 * each, each)
}
