//! Parameters of the Green's functions and of contact, and the named parameters of a running model.

use std::sync::Arc;

use pliant_core::inspect::ParameterInfo;
use pliant_core::scene::Selection;
pub use pliant_core::scene::{ConstraintLevel, Fibres, GreensElements, GreensLoads};

use crate::asset::inside::NamedPoint;
use crate::greens::matrix::Precision;

/// Work units of the model in a millisecond of the nominal machine: 2 ns for a 3×3 block times a force.
pub const WORK_UNITS_PER_MS: f64 = 5e5;

/// Source of the Green's functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generator {
    /// Tetrahedra, see [`GreensElements`], and one sparse factorisation: any shape.
    #[default]
    Fem,
    /// Boundary elements with linear triangles and one dense factorisation: needs no mesh of the inside, any Poisson's ratio up to 0.5.
    BemLinear,
    /// Boundary elements with constant triangles: as above, but with the triangles as nodes. Too soft on coarse meshes, where the others are too stiff.
    BemConstant,
}

impl Generator {
    /// The name that scenes and the command line use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fem => "fem",
            Self::BemLinear => "bem-linear",
            Self::BemConstant => "bem-constant",
        }
    }
}

/// Factors on the stiffness of tetrahedra.
#[derive(Debug, Clone, PartialEq)]
pub enum StiffnessPart {
    /// One factor for a selection: tetrahedra whose centroid lies in it or, for lists and groups, is closest to selected skin.
    Region {
        /// The selection.
        selection: Selection,
        /// The factor.
        factor: f64,
    },
    /// A factor at each skin vertex; a tetrahedron takes that of the skin closest to its centroid.
    Skin(Arc<[f64]>),
    /// A factor for each tetrahedron.
    Tetrahedra(Arc<[f64]>),
}

/// Parameters of the bake and of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct QuasistaticParams {
    /// Source of the columns; needs a bake.
    pub generator: Generator,
    /// The elements of [`Generator::Fem`]; needs a bake.
    pub elements: GreensElements,
    /// Where forces act on quadratic elements; needs a bake.
    pub loads: GreensLoads,
    /// Precision of the stored columns; needs a bake.
    pub precision: Precision,
    /// Most free boundary nodes that are accepted. Memory grows with the square: 3,000 nodes take 324 MB in single precision.
    pub max_boundary_nodes: usize,
    /// Most contact rows that one frame solves; more candidates are thinned, deepest first and then spread out.
    pub max_contacts: usize,
    /// Factors on the stiffness of parts of the body; where parts overlap, the last one applies. Finite elements only, needs a bake.
    pub stiffness: Vec<StiffnessPart>,
    /// Fibres, if the body has any; finite elements only, needs a bake.
    pub fibres: Option<Fibres>,
    /// Points inside the body whose state is computed and that can be loaded; all but the loads need a bake.
    pub inside: Vec<NamedPoint>,
    /// Names of supports that can be released from the finished asset; finite elements only, needs a bake.
    pub releasable: Vec<String>,
    /// Relative error bound, 1e-4 to 0.5, of each column compressed as a hierarchical matrix; dense columns if `None`. Needs a bake.
    pub hierarchical: Option<f64>,
    /// The level of the constraints of touched vertices; without wavelets always [`ConstraintLevel::Fine`].
    pub constraint_level: ConstraintLevel,
    /// Work units of a frame for which no other budget is given; unlimited if `None`.
    pub budget: Option<u64>,
}

impl Default for QuasistaticParams {
    /// Finite elements, single precision, 3,000 boundary nodes, 160 contacts, one isotropic material, no budget.
    fn default() -> Self {
        Self {
            generator: Generator::Fem,
            elements: GreensElements::Linear,
            loads: GreensLoads::Faces,
            precision: Precision::Single,
            max_boundary_nodes: 3000,
            max_contacts: 160,
            stiffness: Vec::new(),
            fibres: None,
            inside: Vec::new(),
            releasable: Vec::new(),
            hierarchical: None,
            constraint_level: ConstraintLevel::Fine,
            budget: None,
        }
    }
}

/// Parameters of every body.
const PARAMETERS: [ParameterInfo; 4] = pliant_core::parameters! {
    "young", "Pa", 1.0 => 1e12, Immediate, "Young's modulus; compliances are scaled, nothing is baked again.";
    "density", "kg/m^3", 0.0 => 1e5, Immediate, "Density at rest; determines the sag under gravity.";
    "poisson", "", -0.99 => 0.45, NeedsBake, "Poisson's ratio of the baked Green's functions.";
    "max_contacts", "", 1.0 => 1000.0, Immediate, "Largest number of contact conditions that one frame solves.";
};

/// The parameters of a body with `levels` coarser levels of constraints and wavelet columns stored with `threshold`.
pub(crate) fn parameters_of(levels: usize, threshold: Option<f64>) -> Vec<ParameterInfo> {
    let mut parameters = PARAMETERS.to_vec();
    if levels > 0 {
        parameters.extend(pliant_core::parameters! {
            "constraint_level", "", -1.0 => levels as f64, Immediate, "Levels by which constraints are coarser than the finest; -1 takes the finest that the budget allows.";
        });
    }
    if let Some(threshold) = threshold {
        parameters.extend(pliant_core::parameters! {
            "threshold", "", threshold => 1.0, Immediate, "Share of a column's largest block below which its details are left out; at least that of the stored columns.";
        });
    }
    parameters
}
