//! A semi-regular remesh, how good it is, and which of two is better.

use pliant_core::mesh::SurfaceMesh;

use super::spec::GOOD_DISTANCE;

use crate::remeshing::subdivide::{EdgeTable, SharpEdges};

/// How the vertices were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Through the map between the base and the surface.
    Mapped,
    /// No map was free of folds and near enough: midpoints of a decimated mesh, moved to the closest points of the surface but for those that would fold or cross there.
    Projected,
}

/// A surface with subdivision connectivity.
#[derive(Debug, Clone, PartialEq)]
pub struct SemiRegular {
    /// The base and its refinements. Vertices lie on the input surface and keep number and place from level to level. A vertex belongs to the groups
    /// of the input vertex nearest to it in its triangle.
    pub levels: Vec<SurfaceMesh>,
    /// Edges of each level but the finest: edge `e` of level `l` is the parent of vertex `levels[l].vertex_count() + e` of level `l + 1`.
    pub edges: Vec<EdgeTable>,
    /// Edges of each level that run along sharp lines of the input (it bends there by more than 40 degrees); for Loop subdivision of a level.
    pub sharp: Vec<SharpEdges>,
    /// Two-sided distance of the finest level from the input over its diagonal, sampled at vertices, edges and faces (`geometry/distance.rs`);
    /// long edges of the input are split first, which adds samples there.
    pub distance_rel: f64,
    /// Distance from samples of the finest level to the input, over its diagonal.
    pub distance_to_input_rel: f64,
    /// Distance from samples of the input to the finest level, over the diagonal: what the mesh cuts off.
    pub distance_from_input_rel: f64,
    /// Triangles of the finest level whose normal is more than a right angle from that of the input beside them.
    pub folded_triangles: usize,
    /// Pairs of triangles of the finest level that cross.
    pub self_intersections: usize,
    /// Whether the finest level is a closed, oriented manifold with the components and the Euler number of the input.
    pub same_topology: bool,
    /// Least number of neighbours of a base vertex.
    pub base_valence_min: usize,
    /// Largest number of neighbours of a base vertex.
    pub base_valence_max: usize,
    /// Longest edge of the finest level over the mean.
    pub longest_edge_ratio: f64,
    /// Bases that were tried.
    pub attempts: usize,
    /// How the vertices were found.
    pub origin: Origin,
}

impl SemiRegular {
    /// The coarsest level.
    pub fn base(&self) -> &SurfaceMesh {
        &self.levels[0]
    }

    /// Whether the result is free of folds, does not cross itself, and is within 0.5 % of the diagonal.
    pub fn is_good(&self) -> bool {
        self.is_within(GOOD_DISTANCE)
    }

    /// Whether the result is free of folds, does not cross itself, and is within this share of the diagonal.
    pub(crate) fn is_within(&self, distance: f64) -> bool {
        self.defects() == 0 && self.distance_rel <= distance
    }

    /// Folded triangles, crossing pairs, and one for a changed topology.
    pub(crate) fn defects(&self) -> usize {
        self.folded_triangles + self.self_intersections + usize::from(!self.same_topology)
    }
}

/// Keeps the result with fewer defects, then the closer one; of equal ones the earlier.
pub(crate) fn keep_better(best: &mut Option<SemiRegular>, found: SemiRegular) {
    // distances are not negative, so their bits are in order
    let rank = |r: &SemiRegular| (r.defects(), r.distance_rel.to_bits());
    if best.as_ref().is_none_or(|b| rank(&found) < rank(b)) {
        *best = Some(found);
    }
}
