//! A body that moves on a cut: what the model keeps for it besides its dynamics.

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;

use crate::cut::Cut;
use crate::governor::Governor;
use crate::governor::contact_focus::ContactFocus;
use crate::model::co_stepping::cut_state::CutCoStepping;
use crate::model::cut_body::fallback_hold::FallbackHold;
use crate::model::cut_body::skin_fade::SkinFade;
use crate::step::multirate::{CutDynamics, EnergyMonitor, FrameTotals};
use pliant_core::model::degradation_levels::DegradationLevels;

/// Levels by which all elements are faster in each further try of a frame.
pub(crate) const RETRY_LEVELS: u8 = 2;
/// Longest time between firings of elements that a tool holds, s: forces for the hand need a kilohertz.
pub(crate) const TOUCH_STEP: f64 = 1e-3;

/// The moving cut of a model.
#[derive(Debug, Clone)]
pub(crate) struct CutBody {
    pub(crate) dynamics: CutDynamics,
    pub(crate) focus: ContactFocus,
    pub(crate) governor: Governor,
    /// nodes behind the constraints of this frame, ascending
    pub(crate) touched: Vec<u32>,
    /// the constraints, numbered by themselves, and their rows over active nodes
    pub(crate) constraints: Vec<DisplacementConstraint>,
    pub(crate) embedding: SkinEmbedding,
    pub(crate) scratch: Vec<f64>,
    pub(crate) good: [Vec<Vec3>; 4],
    pub(crate) frame_totals: FrameTotals,
    pub(crate) withheld: bool,
    /// splits that were wanted and refused since the last reset, counted once a frame
    pub(crate) refused: u64,
    /// firings a frame of a mean element of the finest level: how often contact acts at the finest resolution
    pub(crate) contact_ticks: u64,
    /// frames in which the cut may not grow yet, since it cost too much
    pub(crate) refinement_cooldown: u8,
    /// frames in succession that would have taken more than the budget with nothing given up
    pub(crate) frames_over_budget: u8,
    pub(crate) monitor: EnergyMonitor,
    pub(crate) degradation: DegradationLevels,
    /// work that the last frame would have taken with nothing given up, over what it took
    pub(crate) excess: f64,
    /// budget of the last frame, in tetrahedron evaluations
    pub(crate) budget: f64,
    /// the cut that the governor works on
    pub(crate) next: Cut,
    /// whether the rows of the constraints belong to the present cut
    pub(crate) is_attached: bool,
    /// skin vertices of these rows
    pub(crate) attached: Vec<u32>,
    /// nodes of all rows
    pub(crate) row_nodes: usize,
    /// nodes that carry a load
    pub(crate) loaded: Vec<u32>,
    /// nodes of torn elements that were put back
    pub(crate) recovered_nodes: u32,
    pub(crate) fallback_hold: FallbackHold,
    /// frames in which the cut changed
    pub(crate) changes: u32,
    /// work of what was done for a change of it in the present one
    pub(crate) change_units: u64,
    /// whether a look at the criterion was due when the cut changed
    pub(crate) owes_look: bool,
    /// what is left of the jumps of the skin at such frames
    pub(crate) fade: SkinFade,
    /// what frames of co-stepping need
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
            embedding: SkinEmbedding::from_rows(std::iter::empty()),
            scratch: vec![0.0; nodes],
            good: Default::default(),
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
            next: dynamics.cut.clone(),
            is_attached: false,
            attached: Vec::new(),
            row_nodes: 0,
            loaded: Vec::new(),
            recovered_nodes: 0,
            fallback_hold: FallbackHold::default(),
            changes: 0,
            change_units: 0,
            owes_look: false,
            fade: SkinFade::new(dynamics.blend.len()),
            co_stepping: CutCoStepping::default(),
            dynamics,
        }
    }

    /// Back to rest on the coarsest cut, without memory of anything.
    pub(crate) fn reset(&mut self) {
        self.dynamics.reset();
        self.focus.reset();
        self.governor.reset();
        self.fade.reset();
        self.co_stepping.reset();
        self.frame_totals = FrameTotals::default();
        self.is_attached = false;
        self.monitor = EnergyMonitor::default();
        self.dynamics.steps.set_extra_levels(0);
        self.degradation = DegradationLevels::default();
        self.dynamics
            .resume_degradation_level(&self.degradation.present());
        (self.refinement_cooldown, self.budget, self.excess) = (0, 0.0, 1.0);
        (self.changes, self.recovered_nodes, self.withheld) = (0, 0, false);
        self.refused = 0;
        self.frames_over_budget = 0;
        self.owes_look = false;
        self.fallback_hold = FallbackHold::default();
    }

    /// Whether constraints of the last frame hold a node.
    pub(crate) fn touches(&self, node: u32) -> bool {
        self.touched.binary_search(&node).is_ok()
    }

    /// Forgets the rows of the constraints: the cut is another.
    pub(crate) fn detach(&mut self) {
        self.is_attached = false;
    }
}
