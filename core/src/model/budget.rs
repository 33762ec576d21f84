//! The part of a body in a budget that several bodies share, and the estimated cost of its next frame.

/// A body's part in a budget that bodies share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetClaim {
    /// Work units a frame of its own budget, which is added to the common one.
    pub own: u64,
    /// Number of elements at its finest resolution. Bodies that are awake get shares in proportion to it.
    pub elements: u64,
    /// Steps a frame for contact at its finest resolution.
    pub contact_steps: u64,
}

/// Estimated cost of a frame of a body whose work follows a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FrameCost {
    /// Work units that do not depend on the number of steps.
    pub work: u64,
    /// Additional work units a step.
    pub each_step: u64,
    /// Steps that the body needs.
    pub steps: u32,
    /// Number of elements at its present resolution.
    pub elements: u64,
    /// Whether its resolution cannot be lower.
    pub is_coarsest: bool,
    /// Whether viscous forces act on level 0 of degradation.
    pub is_damped: bool,
}
