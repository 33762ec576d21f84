//! The resolution of a body: one level of the hierarchy, or a cut through all of them.

/// Which level of the hierarchy is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelChoice {
    /// The finest one whose frame costs at most [`crate::AdaptiveParams::budget_units`]; the coarsest when none does.
    #[default]
    Auto,
    /// This one, 0 is the coarsest.
    Index(usize),
}

/// The resolution of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Resolution {
    /// One level of the hierarchy everywhere.
    #[default]
    Level,
    /// A cut through all levels that adapts to contact and strain, every element with its own step (see [`crate::cut`] and [`crate::step::multirate`]).
    Cut,
}
