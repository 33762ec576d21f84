//! What a body brings into a budget that several bodies share, and what its next frame will cost.

/// A body's part in a budget that bodies share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetClaim {
    /// Work units a frame that it would have alone; they go into the common budget.
    pub own: u64,
    /// Elements at its finest. Bodies that are awake get shares in proportion to them.
    pub elements: u64,
    /// Steps a frame that contact takes where the body is at its finest.
    pub contact_steps: u64,
}

/// What a frame takes of a body whose work follows a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Foreseen {
    /// Work units, however many steps the frame has.
    pub work: u64,
    /// Work units for each step, besides.
    pub each_step: u64,
    /// Steps that it needs.
    pub steps: u32,
    /// Elements in its present resolution.
    pub elements: u64,
    /// Whether its resolution cannot be lower.
    pub is_coarsest: bool,
    /// Whether viscous forces act where nothing is given up.
    pub is_damped: bool,
}
