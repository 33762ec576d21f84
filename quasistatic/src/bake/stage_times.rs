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
}
