//! One level of detail and its measures.

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use super::shape::Shape;

/// One level of detail and how well it fits the surface it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The tetrahedra.
    pub mesh: TetMesh,
    /// Smallest dihedral angle, degrees.
    pub min_dihedral_deg: f64,
    /// Largest dihedral angle, degrees.
    pub max_dihedral_deg: f64,
    /// Smallest and largest dihedral angle of the tetrahedra that touch no matched feature, degrees.
    pub away_dihedral_deg: (f64, f64),
    /// Nodes that were put onto corners, sharp edges and tips of the input.
    pub matched: usize,
    /// Features off the boundary, because a node there would have made too flat or too sharp a tetrahedron.
    pub refused: usize,
    /// Smallest volume of a tetrahedron, m³.
    pub min_volume: f64,
    /// Volume over the volume that the input surface encloses.
    pub volume_ratio: f64,
    /// Largest distance between the boundary and the input over the input's box diagonal, both ways, over all points of all
    /// triangles; up to 0.05 % of the diagonal or 4 % of itself too small.
    pub hausdorff_rel: f64,
    /// Where that distance was found, m.
    pub farthest_at: Vec3,
    /// Components and handles of the boundary.
    pub shape: Shape,
    /// Mean edge length of the boundary, m.
    pub boundary_edge: f64,
    /// Mean edge length, m.
    pub edge_mean: f64,
    /// Largest circumradius of a tetrahedron over its shortest edge.
    pub radius_edge: f64,
    /// How far walls were moved outwards so that they survive, m; 0 normally.
    pub thickened: f64,
    /// Time the level took, with all attempts, s.
    pub seconds: f64,
}
