//! Qualities that a frame gives up to keep its budget.

/// A quality that a frame gave up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Degradation {
    /// A finer resolution would have exceeded the budget.
    RefinementWithheld,
    /// Fewer constraints than requested were solved, or only a part of their motion.
    CoarserConstraints,
    /// Fewer steps than needed were taken.
    FewerSubsteps,
    /// Viscous forces were left out.
    DampingSkipped,
    /// The body was stepped through a part of the frame only.
    SlowMotion,
    /// Constraints were released: nothing touched the body.
    ConstraintsReleased,
    /// The frame could not be computed, and the body stood still instead.
    StoodStill,
}

impl Degradation {
    /// All of them, in the order of the enum.
    pub const ALL: [Self; 7] = [
        Self::RefinementWithheld,
        Self::CoarserConstraints,
        Self::FewerSubsteps,
        Self::DampingSkipped,
        Self::SlowMotion,
        Self::ConstraintsReleased,
        Self::StoodStill,
    ];

    /// Name for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::RefinementWithheld => "refinement_withheld",
            Self::CoarserConstraints => "coarser_constraints",
            Self::FewerSubsteps => "fewer_substeps",
            Self::DampingSkipped => "damping_skipped",
            Self::SlowMotion => "slow_motion",
            Self::ConstraintsReleased => "constraints_released",
            Self::StoodStill => "stood_still",
        }
    }
}
