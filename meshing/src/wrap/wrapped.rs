//! What wrapping returns.

use pliant_core::mesh::SurfaceMesh;

/// What [`wrap`](super::wrapping::wrap) gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Wrapped {
    /// Closed, edge-manifold, counter-clockwise from outside, with the input's vertex groups by nearest vertex.
    pub surface: SurfaceMesh,
    /// Share of the input's area that is outside the wrap and farther than 1 % of the diagonal (on coarse grids 1.5 cells) from it.
    pub lost_area_share: f64,
    /// Area of the wrap that is farther than a cell from the input, over the area of the input that the wrap stands for.
    pub new_area_share: f64,
    /// Largest distance of the input to the wrap, in the unit of the input, without what lies inside the wrap; sampled about every second cell.
    pub max_distance: f64,
    /// What a user should know, a sentence each.
    pub notes: Vec<String>,
}
