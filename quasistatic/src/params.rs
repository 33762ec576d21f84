//! Parameters of the Green's functions and of contact.

use crate::greens::matrix::Precision;

/// Where Green's functions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generator {
    /// Linear tetrahedra and one sparse factorisation: any shape, stiffer than the body, Poisson's ratio up to 0.45.
    #[default]
    Fem,
    /// Boundary elements with linear triangles and one dense factorisation: needs no inside, any Poisson's ratio up to 0.5.
    BemLinear,
    /// Boundary elements with constant triangles: as above, with the triangles as nodes, and too soft on coarse meshes where the others are too stiff.
    BemConstant,
}

/// What the bake and the model may be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuasistaticParams {
    /// Where the columns come from; needs a bake.
    pub generator: Generator,
    /// Precision of the stored columns; needs a bake.
    pub precision: Precision,
    /// Most free boundary nodes that are accepted. Memory grows with the square: 3,000 nodes take 324 MB in single precision.
    pub max_boundary_nodes: usize,
    /// Most contact rows that one frame solves; more candidates are thinned, deepest first and then spread out.
    pub max_contacts: usize,
}

impl Default for QuasistaticParams {
    /// Finite elements, single precision, 3,000 boundary nodes, 160 contacts.
    fn default() -> Self {
        Self {
            generator: Generator::Fem,
            precision: Precision::Single,
            max_boundary_nodes: 3000,
            max_contacts: 160,
        }
    }
}
