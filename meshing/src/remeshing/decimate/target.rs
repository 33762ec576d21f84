//! The target of a decimation.

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
