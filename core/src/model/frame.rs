//! The request for a frame, and the report of the model.

use crate::boundary::BoundaryConditions;
use crate::model::degradation::Degradation;
use crate::model::energy::EnergyAccount;

/// The request for a frame: how long it is, the conditions that hold in it, and the work that it may take.
pub struct FrameRequest<'a> {
    /// Length of the frame, s.
    pub duration: f64,
    /// Constraints (targets hold at the END of the frame), loads and gravity.
    pub boundary: &'a BoundaryConditions,
    /// Most work to spend. What a model gives up to keep it is [`FrameReport::degraded`].
    pub budget: WorkBudget,
}

impl<'a> FrameRequest<'a> {
    /// A frame of `duration` (s) under `boundary`, with no limit to its work.
    pub fn new(duration: f64, boundary: &'a BoundaryConditions) -> Self {
        Self {
            duration,
            boundary,
            budget: WorkBudget::UNLIMITED,
        }
    }

    /// The same within `budget`.
    pub fn within(self, budget: WorkBudget) -> Self {
        Self { budget, ..self }
    }
}

/// Most work that a frame may spend, in units that each model documents (tetrahedron evaluations, particle steps, ...).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkBudget(pub u64);

impl WorkBudget {
    /// No limit.
    pub const UNLIMITED: Self = Self(u64::MAX);

    /// This budget, or `own` units, the model's own, if the frame has no limit.
    pub fn units_or(self, own: u64) -> u64 {
        match self {
            Self::UNLIMITED => own,
            Self(units) => units,
        }
    }
}

/// The report on a frame. It has no wall times: the same frame gives the same report.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameReport {
    /// Steps taken inside the frame.
    pub substeps: u32,
    /// Work units spent.
    pub work_used: u64,
    /// The quality that was given up to keep the budget, if any.
    pub degraded: Option<Degradation>,
    /// Deepest penetration or largest distance from a held target at the end of the frame, m.
    pub max_violation: f64,
    /// Energies at the end of the frame; `None` for a model without an energy.
    pub energy: Option<EnergyAccount>,
}
