//! Wall time of the stages of a bake, for reports only.

/// Wall time of the stages of a bake, s.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StageTimes {
    /// Assembling the system.
    pub assemble: f64,
    /// Factorising it.
    pub factor: f64,
    /// Solving for the columns.
    pub columns: f64,
    /// Compressing the columns.
    pub compress: f64,
    /// Relative error of the compressed columns, and the largest error of a block over the largest block of its column; zero without compression.
    pub compression_error: [f64; 2],
}
