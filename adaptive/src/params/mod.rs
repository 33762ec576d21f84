//! Parameters of the explicit tetrahedral method.

use pliant_core::material::MaterialLaw;

use crate::cut::Interface;
use crate::force::lanes::SimdLevel;

/// Nominal cost of one work unit in single precision, ns: one tetrahedron's elastic and viscous force with its share of the node passes and of the frame, on one core.
///
/// Budgets in milliseconds become work units by this constant, so that they do not depend on the machine. Measured on whole frames of 700 to 8,000 nodes on a core that
/// other work shared: 13 to 14 (elastic forces alone, on an idle one: 5).
pub const NANOSECONDS_PER_TET: f64 = 12.0;
/// The same in double precision: 32 to 38 beside the above.
const NANOSECONDS_PER_TET_DOUBLE: f64 = 36.0;
/// Cost of an evaluation of a cut over that of a level: groups of one rate are small, and ghosts come with them. Measured: 17 to 21 ns in single precision.
const CUT_COST: f64 = 1.3;

/// How strain becomes nodal forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ElementModel {
    /// St. Venant–Kirchhoff with Green strain (Debunne et al. 2001, Eqs. 1 to 8).
    #[default]
    Green,
    /// Infinitesimal strain: linear, wrong under rotation.
    Cauchy,
    /// The Navier form without the transposed gradient.
    Simplified,
    /// Stable neo-Hookean (Smith, de Goes, Kim 2018).
    StableNeoHookean,
    /// Infinitesimal strain in the frame of the nearest rotation (Chao et al. 2010). Computed in double precision.
    Corotated,
    /// Springs along the edges with the stiffness of Van Gelder 1998: the baseline of the 2001 paper.
    Spring,
}

impl ElementModel {
    /// All models in the order of the paper's comparison.
    pub const ALL: [Self; 6] = [
        Self::Green,
        Self::Cauchy,
        Self::Simplified,
        Self::StableNeoHookean,
        Self::Corotated,
        Self::Spring,
    ];

    /// The name used in scenes and on the command line.
    pub fn name(self) -> &'static str {
        match self.law() {
            Some(law) => law.name(),
            None => "spring",
        }
    }

    /// The model of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// The stress law; `None` for springs, which have none.
    pub fn law(self) -> Option<MaterialLaw> {
        match self {
            Self::Green => Some(MaterialLaw::Green),
            Self::Cauchy => Some(MaterialLaw::Cauchy),
            Self::Simplified => Some(MaterialLaw::SimplifiedCauchy),
            Self::StableNeoHookean => Some(MaterialLaw::StableNeoHookean),
            Self::Corotated => Some(MaterialLaw::Corotated),
            Self::Spring => None,
        }
    }
}

impl From<MaterialLaw> for ElementModel {
    fn from(law: MaterialLaw) -> Self {
        match law {
            MaterialLaw::Green => Self::Green,
            MaterialLaw::Cauchy => Self::Cauchy,
            MaterialLaw::SimplifiedCauchy => Self::Simplified,
            MaterialLaw::StableNeoHookean => Self::StableNeoHookean,
            MaterialLaw::Corotated => Self::Corotated,
        }
    }
}

/// Which level of the hierarchy is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelChoice {
    /// The finest one whose frame costs at most [`AdaptiveParams::budget_units`]; the coarsest when none does.
    #[default]
    Auto,
    /// This one, 0 is the coarsest.
    Index(usize),
}

/// How the stable time step is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StepRule {
    /// From the highest frequency of every element, its stretch and the damping: an upper bound for the assembled mesh.
    #[default]
    ElementBound,
    /// Shortest edge over wave speed (Debunne et al. 2001, Eq. 10), times 0.4 because the printed factor 1 is not stable.
    Courant,
}

/// What a damping ratio becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DampingRule {
    /// Strain damping alone, as in the 2001 paper: the ratio grows with the frequency, and with it the number of steps; on fine levels several times.
    #[default]
    Strain,
    /// As much strain damping as costs a quarter of the step, and drag relative to the body's rigid motion for the rest: the ratio is the same at
    /// the lowest mode and smaller above. Rigid motion is never braked.
    Rayleigh,
}

impl DampingRule {
    /// The name used in panels and scenes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strain => "strain",
            Self::Rayleigh => "rayleigh",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Strain, Self::Rayleigh]
            .into_iter()
            .find(|rule| rule.name() == name)
    }
}

/// Which implementation of the element forces runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ForceKernel {
    /// Fused, four tetrahedra abreast.
    #[default]
    Fast,
    /// Written like the equations; for comparison.
    Reference,
}

/// Precision of the element forces. Positions, velocities and sums over nodes are always in double precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// Double precision, four tetrahedra abreast: momenta are kept to the last digits, and the bits are the same on every machine.
    #[default]
    F64,
    /// Single precision in as many lanes as the processor has (see [`crate::force::lanes`]): about a third of the time, forces within 1e-6 of the largest.
    F32,
}

impl Precision {
    /// The name used in scenes and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
        }
    }

    /// The precision of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::F64, Self::F32]
            .into_iter()
            .find(|p| p.name() == name)
    }
}

/// Whether velocities of one level are filtered, so that steps may be twice as long (see [`crate::step::filter`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FilterRule {
    /// Not at all.
    #[default]
    Off,
    /// The whole velocity, as published (Debunne et al. 2001, Eq. 11): brakes all motion, falling too.
    Paper,
    /// What forces add in a step, by one number a node: as if stiff nodes were heavier. Rigid motion is exact.
    Scalar,
}

impl FilterRule {
    /// The name used in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Paper => "paper",
            Self::Scalar => "scalar",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Off, Self::Paper, Self::Scalar]
            .into_iter()
            .find(|rule| rule.name() == name)
    }
}

/// How elements with different steps go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Every element kicks its corners at its own rate (see [`crate::step::multirate`]): momentum is kept, energy nearly.
    #[default]
    ElementImpulses,
    /// Every node is kicked at its own rate by all elements around it, between kicks all nodes drift. What two nodes of different rates exchange does not add up:
    /// momentum is lost and made. For comparison.
    NodeDrift,
    /// The same, but a node jumps by its whole step when it is kicked (Debunne et al. 2001, figure 7 as printed): its neighbours see it where it will be. Diverges
    /// without damping. For comparison.
    NodeJump,
}

impl Scheme {
    /// The name used in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Self::ElementImpulses => "element-impulses",
            Self::NodeDrift => "node-drift",
            Self::NodeJump => "node-jump",
        }
    }

    /// The scheme of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::ElementImpulses, Self::NodeDrift, Self::NodeJump]
            .into_iter()
            .find(|scheme| scheme.name() == name)
    }
}

/// What moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Resolution {
    /// One level of the hierarchy, everywhere and with one step.
    #[default]
    Level,
    /// A cut through all levels that follows contact and strain, every element with its own step (see [`crate::cut`] and [`crate::step::multirate`]).
    Cut,
}

impl Resolution {
    /// The name used in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::Cut => "cut",
        }
    }

    /// The choice of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Level, Self::Cut]
            .into_iter()
            .find(|r| r.name() == name)
    }
}

/// What the bake does about linear tetrahedra being too stiff where they are large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Calibration {
    /// Nothing.
    Off,
    /// One factor a level, with which it vibrates like the finest (see [`crate::bake::calibration`]).
    #[default]
    Modes,
    /// A factor a tetrahedron, with which every level answers loads on any part like quadratic elements do, and then one a level (see [`crate::bake::calibration::coarsening`]).
    Local,
}

/// Everything that a model may be told besides its hierarchy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveParams {
    /// Element model; `None` takes the law of the body's material.
    pub model: Option<ElementModel>,
    /// Which level is simulated.
    pub level: LevelChoice,
    /// Most work a frame should cost, in tetrahedron evaluations (see [`NANOSECONDS_PER_TET`]).
    pub budget_units: u64,
    /// Length of a frame for which the level is chosen, s.
    pub frame_duration: f64,
    /// Share of the stable step that is used, 0 to 1; 0.5 keeps the energy at 25 % strain.
    pub safety: f64,
    /// Rule for the stable step.
    pub step_rule: StepRule,
    /// What a damping ratio becomes; φ and ψ given directly are always taken as they are.
    pub damping_rule: DampingRule,
    /// Whether an energy of its volume pushes a Green tetrahedron open that has less than a fifth of it, so that it does not turn inside out.
    pub recover: bool,
    /// Largest share of a supported body's mass that may be added to its stiffest elements for a longer step (see
    /// [`crate::step::mass_scaling`]); 0 for none. Free bodies are never scaled.
    pub mass_scaling: f64,
    /// What the bake does about the stiffness of coarse levels; nothing for the figures of the paper.
    pub calibration: Calibration,
    /// Filter of velocities when one level moves; a cut has none.
    pub filter: FilterRule,
    /// Implementation of the element forces.
    pub kernel: ForceKernel,
    /// Precision of the fast implementation; springs and the readable one are always in double precision.
    pub precision: Precision,
    /// Instructions that single precision uses.
    pub simd: SimdLevel,
    /// Whether one level moves or a cut through all of them.
    pub resolution: Resolution,
    /// What tetrahedra at the interface between levels do.
    pub interface: Interface,
    /// How elements with different steps go together on a cut.
    pub scheme: Scheme,
    /// Whether the interface of the paper may run without damping.
    pub allow_unstable: bool,
    /// Departure from linear motion (m) from which a cut is refined; `None` for a share of the body's diagonal.
    pub gamma_max: Option<f64>,
    /// Share of the budget (0 to 1) for a level that the whole body is kept at when a cut moves; 0 leaves it as coarse as the criterion allows.
    pub floor_share: f64,
    /// Departure (m) below which a cut is coarsened; `None` for the largest value that does not split again at once.
    pub gamma_min: Option<f64>,
}

impl Default for AdaptiveParams {
    /// 8 ms a frame at 60 frames a second.
    fn default() -> Self {
        Self {
            model: None,
            level: LevelChoice::Auto,
            budget_units: units_of_milliseconds(8.0),
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
            simd: SimdLevel::Auto,
            resolution: Resolution::default(),
            interface: Interface::default(),
            scheme: Scheme::default(),
            allow_unstable: false,
            gamma_max: None,
            gamma_min: None,
            floor_share: 0.0,
        }
    }
}

/// Work units that fit into `milliseconds` on the nominal machine, in the precision that scenes use by default (f32).
pub fn units_of_milliseconds(milliseconds: f64) -> u64 {
    units_in(milliseconds, Precision::F32)
}

/// Work units of a level or of a cut that fit into `milliseconds` on the nominal machine.
pub fn units_for(milliseconds: f64, precision: Precision, resolution: Resolution) -> u64 {
    match resolution {
        Resolution::Level => units_in(milliseconds, precision),
        Resolution::Cut => units_in(milliseconds / CUT_COST, precision),
    }
}

/// Work units that fit into `milliseconds` on the nominal machine, one level moving.
pub fn units_in(milliseconds: f64, precision: Precision) -> u64 {
    let each = match precision {
        Precision::F32 => NANOSECONDS_PER_TET,
        Precision::F64 => NANOSECONDS_PER_TET_DOUBLE,
    };
    (milliseconds.max(0.0) * 1e6 / each) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_found_by_its_name() {
        for model in ElementModel::ALL {
            assert_eq!(ElementModel::from_name(model.name()), Some(model));
            if let Some(law) = model.law() {
                assert_eq!(ElementModel::from(law), model);
            }
        }
        assert_eq!(ElementModel::from_name("rubber"), None);
        assert_eq!(units_of_milliseconds(6.0), 500_000);
        assert_eq!(units_in(-1.0, Precision::F64), 0);
        let cut = units_for(7.8, Precision::F32, Resolution::Cut);
        assert!(cut.abs_diff(units_of_milliseconds(6.0)) <= 1);
        assert!(units_in(6.0, Precision::F64) < 200_000);
    }
}
