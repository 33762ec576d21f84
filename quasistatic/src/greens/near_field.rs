//! The near field of columns by wavelets, which keep all coefficients near their own node.

use pliant_compression::wavelet::NearField;
use pliant_core::math::Vec3;

/// Specification of the near field of columns by wavelets. A larger threshold keeps the same near field.
#[derive(Debug, Clone, PartialEq)]
pub struct NearFieldSpec {
    /// Distance from its own node, in mean edges of each level, within which a column keeps all coefficients.
    pub edges: f64,
    /// Mean edge of each level of the boundary, coarse first, m.
    pub edge_of_level: Vec<f64>,
    /// Position of each node, m.
    pub nodes: Vec<Vec3>,
}

impl NearFieldSpec {
    /// The near field of columns of all nodes.
    pub fn near_field(&self) -> NearField<'_> {
        NearField {
            edges: self.edges,
            edge_of_level: &self.edge_of_level,
            rows: &self.nodes,
            columns: &self.nodes,
        }
    }

    /// Whether the numbers of levels and nodes are these, and all values are finite.
    pub(crate) fn fits(&self, levels: usize, nodes: usize) -> bool {
        let finite = |x: &f64| x.is_finite();
        let counts = (self.edge_of_level.len(), self.nodes.len()) == (levels, nodes);
        counts
            && finite(&self.edges)
            && self.edge_of_level.iter().all(finite)
            && self.nodes.iter().all(|x| x.iter().all(finite))
    }
}
