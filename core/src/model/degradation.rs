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

crate::named!(Degradation {
    RefinementWithheld => "refinement_withheld",
    CoarserConstraints => "coarser_constraints",
    FewerSubsteps => "fewer_substeps",
    DampingSkipped => "damping_skipped",
    SlowMotion => "slow_motion",
    ConstraintsReleased => "constraints_released",
    StoodStill => "stood_still",
});
