//! Parameters of the Green's functions and of contact.

use crate::greens::matrix::Precision;

/// What the bake and the model may be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuasistaticParams {
    /// Precision of the stored columns; needs a bake.
    pub precision: Precision,
    /// Most free boundary nodes that are accepted. Memory grows with the square: 3,000 nodes take 324 MB in single precision.
    pub max_boundary_nodes: usize,
    /// Most contact rows that one frame solves; more candidates are thinned, deepest first and then spread out.
    pub max_contacts: usize,
}

impl Default for QuasistaticParams {
    /// Single precision, 3,000 boundary nodes, 160 contacts.
    fn default() -> Self {
        Self {
            precision: Precision::Single,
            max_boundary_nodes: 3000,
            max_contacts: 160,
        }
    }
}
