//! Parameters of a model besides its hierarchy.

use pliant_core::material::FractureLimits;

use crate::params::element_model::ElementModel;
use crate::params::force_kernel::{ForceKernel, Precision};
use crate::params::levels::{Calibration, Interface, LevelChoice, Resolution};
use crate::params::time_integration::{DampingRule, FilterRule, Scheme, StepRule};
use crate::params::work_units::units_of_milliseconds;

/// Parameters of a model besides its hierarchy. Rules of the paper that others have replaced are kept for comparison.
///
/// ```
/// use pliant_adaptive::{AdaptiveParams, Precision, Resolution};
///
/// // fine where it is touched, in at most 4 ms a frame on the nominal machine
/// let params = AdaptiveParams {
///     resolution: Resolution::Cut,
///     precision: Precision::F32,
///     budget_units: pliant_adaptive::params::units_for(4.0, Precision::F32, Resolution::Cut),
///     ..AdaptiveParams::default()
/// };
/// // a unit costs 1.3 · 12 ns
/// assert_eq!(params.budget_units, 256_410);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveParams {
    /// Element model; `None` takes the law of the body's material.
    pub model: Option<ElementModel>,
    /// The level that is simulated.
    pub level: LevelChoice,
    /// Largest work of a frame, in tetrahedron evaluations (see [`crate::NANOSECONDS_PER_TET`]).
    pub budget_units: u64,
    /// Work of a frame beyond the budget, over the budget, that is allowed if the frame changes the cut or if compressed elements take shorter steps for less than half a
    /// second. Both are rare. With 0 every frame keeps the budget, but a part of it stays unused in all other frames, and the cut, and with it the force, changes more often.
    pub overrun_allowance: f64,
    /// Whether a new cut is prepared a frame before it is used, if the budget allows it, so that the work of the change is divided between two frames.
    pub prepares_changes: bool,
    /// Length of a frame for which the level is chosen, s.
    pub frame_duration: f64,
    /// Share of the stable step that is used, 0 to 1; 0.5 keeps the energy at 25 % strain.
    pub safety: f64,
    /// Rule for the stable step.
    pub step_rule: StepRule,
    /// Rule that derives the damping from a damping ratio; φ and ψ given directly are used as they are.
    pub damping_rule: DampingRule,
    /// Whether a volume energy opens Green tetrahedra that have less than a fifth of their rest volume, so that they do not invert.
    pub recover: bool,
    /// Largest share of a body's mass by which its stiffest elements may become heavier for a longer step (see [`crate::step::mass_scaling`]); 0 for none. A free body
    /// keeps its mass: its other elements become lighter. A level that blades may cut is never scaled, so that pieces that are cut off fall correctly.
    pub mass_scaling: f64,
    /// Correction of the stiffness of coarse levels by the bake; off for the figures of the paper.
    pub calibration: Calibration,
    /// Velocity filter of a single level; a cut has none.
    pub filter: FilterRule,
    /// Implementation of the element forces.
    pub kernel: ForceKernel,
    /// Precision of the fast implementation; springs and the reference implementation are always in double precision.
    pub precision: Precision,
    /// Whether one level moves or a cut through all of them.
    pub resolution: Resolution,
    /// Whether blades may cut the body. With [`Resolution::Cut`] it moves on the cut until one reaches it, and then on the level that [`AdaptiveParams::level`] says, with the same budget in time.
    /// A body that is stepped together with others is not handed over: it is cut, and breaks, only with [`Resolution::Level`].
    pub blades: bool,
    /// Whether stiff elements of a body that may be cut or break take shorter steps than the others. In a body that is stepped together with others they never do: without subcycling,
    /// [`LevelChoice::Auto`] takes the level whose equal steps fit into the budget.
    pub subcycling: bool,
    /// Fracture limits of the material; a body that can break needs tetrahedra instead of springs. With [`Resolution::Cut`] it moves on the cut until its stress comes near the strength, and then on the
    /// level as with [`AdaptiveParams::blades`]. A toughness alone begins no crack, so that only a blade ends the cut.
    pub fracture: FractureLimits,
    /// Coefficient of friction between cut faces and between pieces of a body that is cut or breaks.
    pub friction: f64,
    /// Rule for tetrahedra at the interface between levels.
    pub interface: Interface,
    /// Coupling of elements with different steps on a cut.
    pub scheme: Scheme,
    /// Whether the interface of the paper may run without damping.
    pub allow_unstable: bool,
    /// Departure from linear motion (m) from which a cut is refined; `None` for a share of the body's diagonal.
    pub gamma_max: Option<f64>,
    /// Share of the budget (0 to 1) for a level that the whole body on a cut has at least; with 0 it is as coarse as the criterion allows.
    pub floor_share: f64,
    /// Departure from linear motion (m) below which a cut is coarsened (Debunne et al. 2001, section 3.3). The upper limit, and the value for `None`, is the largest one
    /// that does not cause a split again at once. With 0 a cut that fits into the budget is never coarsened.
    pub gamma_min: Option<f64>,
}

impl Default for AdaptiveParams {
    /// One level, 60 frames a second, and a budget of 8 ms a frame in single precision. [`Precision::F64`], the default, takes about three times as long for the same work.
    fn default() -> Self {
        Self {
            model: None,
            level: LevelChoice::Auto,
            budget_units: units_of_milliseconds(8.0),
            overrun_allowance: 0.0,
            prepares_changes: false,
            frame_duration: 1.0 / 60.0,
            safety: 0.5,
            step_rule: StepRule::ElementBound,
            damping_rule: DampingRule::Strain,
            recover: true,
            mass_scaling: 0.0,
            calibration: Calibration::default(),
            filter: FilterRule::default(),
            kernel: ForceKernel::Fast,
            precision: Precision::default(),
            resolution: Resolution::default(),
            blades: false,
            subcycling: true,
            fracture: FractureLimits::default(),
            friction: 0.3,
            interface: Interface::default(),
            scheme: Scheme::default(),
            allow_unstable: false,
            gamma_max: None,
            gamma_min: None,
            floor_share: 0.0,
        }
    }
}

impl AdaptiveParams {
    /// Whether the body may break into pieces: by blades, or by fracture.
    pub(crate) fn may_break_apart(&self) -> bool {
        self.blades || self.fracture.breaks()
    }
}
