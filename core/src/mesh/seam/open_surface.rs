//! The open surface that a method gives, and the seam that it gets.

use crate::math::Vec3;

/// A surface that is open along cuts.
#[derive(Debug)]
pub struct OpenSurface<'a> {
    /// Positions of the vertices at rest, m.
    pub positions: &'a [Vec3],
    /// For each vertex a direction into the side of the body that it belongs to, of any length; zero where it belongs to both, or where the side is not known.
    pub inward: &'a [Vec3],
    /// For each vertex the number of its piece of the body; empty for one piece. No seam joins two pieces.
    pub pieces: &'a [u32],
    /// Triangles of the skin, including those of parts; their vertices may be replaced by copies.
    pub skin: &'a mut [[u32; 3]],
    /// For each of the first vertices whether a triangle around it has changed; all further vertices count as changed. Triangles without a changed vertex have no open edges.
    pub touched: &'a [bool],
    /// Triangles of caps.
    pub caps: Vec<[u32; 3]>,
}

/// The triangles and vertices that close a surface.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seam {
    /// For each added vertex the given vertex that it copies.
    pub copies: Vec<u32>,
    /// For each sharp vertex, which follow these, the vertex that it duplicates: skin and caps have normals and colours of their own where they meet.
    pub sharp: Vec<u32>,
    /// Triangles of caps and seams, with sharp vertices.
    pub triangles: Vec<[u32; 3]>,
}
