//! The state of a body that moves on a cut, besides its dynamics.

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;

use crate::cut::Cut;
use crate::governor::Governor;
use crate::governor::contact_focus::ContactFocus;
use crate::model::co_stepping::state::CutCoStepping;
use crate::model::cut_body::fallback_hold::FallbackHold;
use crate::model::cut_body::skin_fade::SkinFade;
use crate::step::multirate::{CutDynamics, EnergyMonitor, FrameTotals};
use pliant_core::model::degradation_levels::DegradationLevels;

/// Step levels by which all elements are raised when a frame is repeated.
pub(crate) const RETRY_LEVELS: u8 = 2;
/// Longest time between firings of elements that a tool holds, s: forces for the hand need a kilohertz.
pub(crate) const TOUCH_STEP: f64 = 1e-3;

/// The moving cut of a model.
#[derive(Debug, Clone)]
pub(crate) struct CutBody {
    pub(crate) dynamics: CutDynamics,
    pub(crate) focus: ContactFocus,
    pub(crate) governor: Governor,
    /// nodes of the constraints of this frame, ascending
    pub(crate) touched: Vec<u32>,
    /// the constraints, numbered by themselves, and their rows over active nodes
    pub(crate) constraints: Vec<DisplacementConstraint>,
    pub(crate) embedding: SkinEmbedding,
    pub(crate) scratch: Vec<f64>,
    pub(crate) good_state: [Vec<Vec3>; 4],
    pub(crate) frame_totals: FrameTotals,
    pub(crate) withheld: bool,
    /// refused splits since the last reset, counted once a frame
    pub(crate) refused: u64,
    /// firings a frame of a mean element of the finest level: how often contact acts at the finest resolution
    pub(crate) contact_ticks: u64,
    /// frames in which the cut may not grow yet, since it cost too much
    pub(crate) refinement_cooldown: u8,
    /// successive frames that would have exceeded the budget without degradation
    pub(crate) frames_over_budget: u8,
    pub(crate) monitor: EnergyMonitor,
    pub(crate) degradation: DegradationLevels,
    /// work of the last frame without degradation, over its actual work
    pub(crate) excess: f64,
    /// budget of the last frame, in tetrahedron evaluations
    pub(crate) budget: f64,
    /// the cut that the governor works on
    pub(crate) next_cut: Cut,
    /// whether the rows of the constraints belong to the present cut
    pub(crate) is_attached: bool,
    /// skin vertices of these rows
    pub(crate) attached: Vec<u32>,
    /// nodes of all rows
    pub(crate) row_nodes: usize,
    /// nodes with loads
    pub(crate) loaded: Vec<u32>,
    /// nodes of torn elements that were put back
    pub(crate) recovered_nodes: u32,
    pub(crate) fallback_hold: FallbackHold,
    /// frames in which the cut changed
    pub(crate) changes: u32,
    /// work of changes of the cut in the present frame
    pub(crate) change_units: u64,
    /// whether an update of the indicators was due when the cut changed
    pub(crate) update_is_due: bool,
    /// remaining offsets of the skin after changes of the cut
    pub(crate) fade: SkinFade,
    /// state of co-stepping
    pub(crate) co_stepping: CutCoStepping,
}

impl CutBody {
    pub(crate) fn new(dynamics: CutDynamics, governor: Governor) -> Self {
        let nodes = dynamics.forest.node_count();
        Self {
            focus: ContactFocus::new(&dynamics.forest),
            governor,
            touched: Vec::new(),
            constraints: Vec::new(),
            embedding: SkinEmbedding::default(),
            scratch: vec![0.0; nodes],
            good_state: Default::default(),
            frame_totals: FrameTotals::default(),
            withheld: false,
            refused: 0,
            contact_ticks: dynamics.finest_firings(),
            refinement_cooldown: 0,
            frames_over_budget: 0,
            monitor: EnergyMonitor::default(),
            degradation: DegradationLevels::default(),
            excess: 1.0,
            budget: 0.0,
            next_cut: dynamics.cut.clone(),
            is_attached: false,
            attached: Vec::new(),
            row_nodes: 0,
            loaded: Vec::new(),
            recovered_nodes: 0,
            fallback_hold: FallbackHold::default(),
            changes: 0,
            change_units: 0,
            update_is_due: false,
            fade: SkinFade::new(dynamics.blend.len()),
            co_stepping: CutCoStepping::default(),
            dynamics,
        }
    }

    /// Resets to rest on the coarsest cut.
    pub(crate) fn reset(&mut self) {
        self.dynamics.reset();
        self.focus.reset();
        self.governor.reset();
        self.fade.reset();
        self.co_stepping.reset(0);
        self.frame_totals = FrameTotals::default();
        self.is_attached = false;
        self.monitor = EnergyMonitor::default();
        self.dynamics.steps.extra_levels = 0;
        self.degradation = DegradationLevels::default();
        self.dynamics
            .resume_degradation_level(&self.degradation.present());
        (self.refinement_cooldown, self.budget, self.excess) = (0, 0.0, 1.0);
        (self.changes, self.recovered_nodes, self.withheld) = (0, 0, false);
        self.refused = 0;
        self.frames_over_budget = 0;
        self.update_is_due = false;
        self.fallback_hold = FallbackHold::default();
    }

    /// Whether a constraint of the last frame acts on a node.
    pub(crate) fn touches(&self, node: u32) -> bool {
        self.touched.binary_search(&node).is_ok()
    }
}
