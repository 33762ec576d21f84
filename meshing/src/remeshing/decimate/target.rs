//! The target and the result of a decimation.

use pliant_core::mesh::SurfaceMesh;

/// How far to decimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DecimateTarget {
    /// Down to this many triangles.
    Triangles(usize),
    /// Down to as many triangles as equilateral ones of this edge length (m) would cover the surface.
    Edge(f64),
}

impl DecimateTarget {
    /// The number of triangles that the target means on `surface`.
    pub fn triangles(&self, surface: &SurfaceMesh) -> usize {
        match *self {
            Self::Triangles(count) => count,
            Self::Edge(edge) => {
                (4.0 * surface.area() / (3.0_f64.sqrt() * edge * edge)).round() as usize
            }
        }
    }
}

/// A decimated surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Decimated {
    /// The surface; a vertex group holds the vertices that stand for its former members.
    pub surface: SurfaceMesh,
    /// Edges collapsed.
    pub collapses: usize,
    /// Collapses that were tried and refused. The target was missed when `surface` has more triangles than requested: no legal collapse was left.
    pub refused: usize,
}
