//! Seams: what joins the skin of a cut body to the caps that show its inside, so that both are one closed surface.
//!
//! A method gives its skin, open along cuts, and caps, whose triangles share vertices among each other but none with the skin: the boundary of either is a number of loops. [`close`] joins the loops by
//! strips of triangles, fills what is left by triangles between its own vertices, and gives a vertex at which the surface touches itself a copy for each of its fans (Guéziec, Taubin, Lazarus, Horn 2001,
//! "Cutting and stitching"). Vertices are the same by number and never by distance; distances only choose which of several closed surfaces it is.
//!
//! Both sides of a cut are at the same place at rest. So places are compared after a step into the side of the body that each belongs to. Methods know the side; where they do not, it follows from the
//! triangles around, which may be folded.

mod double_edges;
mod holes;
mod patch;
mod sides;
mod strips;
#[cfg(test)]
mod tests;

use crate::math::Vec3;
use patch::Patch;

/// A surface that is open along cuts.
#[derive(Debug)]
pub struct OpenSurface<'a> {
    /// Vertices at rest, m.
    pub places: &'a [Vec3],
    /// For each a direction into the side of the body that it belongs to, of any length; zero where it belongs to both, or where nobody knows.
    pub inward: &'a [Vec3],
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

/// Closes a surface. `spacing` (m) is how coarse caps are: boundaries of skin and caps that belong together are nearer to each other than one and a half of it.
///
/// Cost: some tenths of a microsecond for each triangle with a touched vertex and of a cap.
pub fn close(open: OpenSurface<'_>, spacing: f64) -> Seam {
    let mut patch = Patch::new(&open);
    patch.part_fans();
    strips::join(&mut patch, spacing);
    patch.part_fans();
    holes::fill(&mut patch);
    patch.part_fans();
    double_edges::part(&mut patch);
    patch.finish(open.skin)
}

/// The triangles of a closed surface with each vertex by one number: without the sharp ones, which are the last of `vertices`.
pub fn joined<'a>(
    triangles: &'a [[u32; 3]],
    vertices: usize,
    sharp: &'a [u32],
) -> impl Iterator<Item = [u32; 3]> + 'a {
    let first = vertices.saturating_sub(sharp.len());
    let one = move |v: u32| match (v as usize).checked_sub(first) {
        Some(k) => sharp.get(k).copied().unwrap_or(v),
        None => v,
    };
    triangles.iter().map(move |t| t.map(one))
}
