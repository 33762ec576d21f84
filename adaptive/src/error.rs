//! Errors of the construction of a model.

use pliant_core::math::numbers::decimal;

/// Parameters that do not fit the hierarchy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AdaptiveModelError {
    /// The chosen level does not exist.
    #[error(
        "there is no level {asked}, the body has {levels}\n  remedy: choose a level below {levels}, 0 is the coarsest"
    )]
    NoSuchLevel {
        /// Level asked for.
        asked: usize,
        /// Number of levels.
        levels: usize,
    },
    /// The threshold of the criterion is not a positive length.
    #[error(
        "gamma_max {gamma_max} m is not a positive length\n  remedy: give metres, or leave it out"
    )]
    BadGamma {
        /// Given, m.
        gamma_max: f64,
    },
    /// Even the coarsest cut costs more than twice the budget.
    #[error(
        "the coarsest cut takes {} ms a frame, more than twice the budget of {} ms\n  remedy: raise adaptive.budget_ms, or give fewer nodes for the coarsest level",
        decimal(*.coarsest_ms), decimal(*.budget_ms)
    )]
    BudgetInfeasible {
        /// Of the nominal machine, ms a frame.
        coarsest_ms: f64,
        /// Of the nominal machine, ms a frame.
        budget_ms: f64,
    },
    /// A parameter is out of range.
    #[error(
        "parameter `{name}` is out of range\n  remedy: safety in (0, 1], frame_duration, strength and toughness above 0"
    )]
    BadParameter {
        /// Which.
        name: &'static str,
    },
    /// Springs have no stress, by which a cut is refined.
    #[error(
        "a cut through the levels needs tetrahedra, the element model is `spring`\n  remedy: choose another element model, or resolution = \"level\""
    )]
    CutNeedsTetrahedra,
    /// Springs have no stress.
    #[error(
        "strength and toughness need tetrahedra, the element model is `spring`\n  remedy: choose another element model, or neither of them"
    )]
    FractureNeedsTetrahedra,
    /// The published interface is unstable without damping.
    #[error(
        "the interface `paper` is unstable without damping: the ratio is {zeta1:.3}, it needs {minimum}\n  remedy: interface = \"conservative\", zeta = {minimum} or more, or allow_unstable = true"
    )]
    InterfaceNeedsDamping {
        /// Damping ratio of the lowest mode.
        zeta1: f64,
        /// Smallest stable damping ratio.
        minimum: f64,
    },
}

pliant_core::error_code!(AdaptiveModelError);
