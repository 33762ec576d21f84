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
mod open_surface;
mod patch;
mod sides;
mod strips;
#[cfg(test)]
mod tests;

pub use open_surface::{OpenSurface, Seam};

use patch::Patch;

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
