//! Where nodes lie, for columns that keep all coefficients near their own node.

use pliant_compression::wavelet::NearField;
use pliant_core::math::Vec3;

/// What makes the near field of columns by wavelets: a larger threshold keeps the same places.
#[derive(Debug, Clone, PartialEq)]
pub struct NearPlaces {
    /// Distance from its own node, in mean edges of each level, within which a column keeps all coefficients.
    pub edges: f64,
    /// Mean edge of each level of the boundary, coarse first, m.
    pub edge_of_level: Vec<f64>,
    /// Place of each node, m.
    pub nodes: Vec<Vec3>,
}

impl NearPlaces {
    /// The near field of columns of all nodes.
    pub fn near_field(&self) -> NearField<'_> {
        NearField {
            edges: self.edges,
            edge_of_level: &self.edge_of_level,
            rows: &self.nodes,
            columns: &self.nodes,
        }
    }

    /// Whether these are so many levels and nodes, and all numbers are finite.
    pub(crate) fn fits(&self, levels: usize, nodes: usize) -> bool {
        let finite = |x: &f64| x.is_finite();
        let counts = (self.edge_of_level.len(), self.nodes.len()) == (levels, nodes);
        counts
            && finite(&self.edges)
            && self.edge_of_level.iter().all(finite)
            && self.nodes.iter().all(|x| x.iter().all(finite))
    }
}
