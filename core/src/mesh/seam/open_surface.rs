//! What a method gives, and what it gets.

use crate::math::Vec3;

/// A surface that is open along cuts.
#[derive(Debug)]
pub struct OpenSurface<'a> {
    /// Vertices at rest, m.
    pub places: &'a [Vec3],
    /// For each a direction into the side of the body that it belongs to, of any length; zero where it belongs to both, or where nobody knows.
    pub inward: &'a [Vec3],
    /// For each the number of the piece of the body that it goes with; empty for one piece. No seam joins two pieces.
    pub pieces: &'a [u32],
    /// Triangles of the skin, those of parts included; their vertices may change to copies.
    pub skin: &'a mut [[u32; 3]],
    /// For each of the first vertices whether a triangle around it has changed; all others have. Triangles without a vertex that has changed are closed among each other and towards the others.
    pub touched: &'a [bool],
    /// Triangles of caps.
    pub caps: Vec<[u32; 3]>,
}

/// What closes a surface.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seam {
    /// For each vertex beyond those that were given the one that it is at the place of, and goes with.
    pub copies: Vec<u32>,
    /// For each vertex beyond these the vertex that it is: they let the edges between skin and caps have a normal, and a colour, on either side.
    pub sharp: Vec<u32>,
    /// Triangles of caps and seams, with the sharp vertices.
    pub triangles: Vec<[u32; 3]>,
}
