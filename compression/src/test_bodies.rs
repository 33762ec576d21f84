//! Meshes and columns for tests.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::procedural;

use crate::error::CompressionError;
use crate::subdivision::SubdivisionHierarchy;

/// The octahedron subdivided `levels` times, and the positions of its vertices at midpoints of edges.
pub fn octahedron(levels: usize) -> Result<(SubdivisionHierarchy, Vec<Vec3>), CompressionError> {
    let triangles = procedural::octahedron().triangles;
    let hierarchy = SubdivisionHierarchy::subdivided(6, &triangles, levels)?;
    let positions = octahedron_positions(&hierarchy);
    Ok((hierarchy, positions))
}

/// Positions of the vertices of a hierarchy over the octahedron, at midpoints of edges.
pub fn octahedron_positions(hierarchy: &SubdivisionHierarchy) -> Vec<Vec3> {
    hierarchy.midpoint_positions(&procedural::octahedron().positions)
}

/// Triangles of a torus of `n` x `n` vertices, regular everywhere.
pub fn torus(n: u32) -> Vec<[u32; 3]> {
    let at = |i: u32, j: u32| (i % n) * n + j % n;
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..n {
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    triangles
}

/// Kelvin's solution for two points at a distance of `d`, smoothed at the pole.
pub fn kelvin(d: Vec3) -> Mat3 {
    let r = (d.norm_squared() + 0.01).sqrt();
    (Mat3::identity() * 1.8 + d * d.transpose() / (r * r)) / r
}
