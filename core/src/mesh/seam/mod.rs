//! Seams: triangles that join the skin of a cut body to the caps over its inside, so that both are one closed surface.
//!
//! A method gives its skin, which is open along cuts, and caps. Caps share vertices with each other, but none with the skin. The boundaries of both are loops. [`close`] joins these loops with
//! strips of triangles, and fills the remaining ones with triangles between their own vertices. A vertex at which the surface touches itself gets a copy for each of its fans (Guéziec, Taubin, Lazarus, Horn 2001,
//! "Cutting and stitching"). Vertices are identified by number and never by distance. Distances only choose one of several closed surfaces.
//!
//! Both sides of a cut have the same position at rest. Positions are therefore compared after an offset into the side of the body that a vertex belongs to. Methods give this side. Where they do not, it
//! follows from the triangles around the vertex, which may be folded.

mod boundary;
mod holes;
mod non_manifold_edges;
mod open_surface;
mod patch;
mod strips;
#[cfg(test)]
mod tests;

pub use open_surface::{OpenSurface, Seam};

use patch::Patch;

/// Closes a surface. `spacing` (m) is the resolution of the caps: boundaries of skin and caps that belong together are at most one and a half of it apart.
///
/// Cost: some tenths of a microsecond for each triangle with a touched vertex and of a cap.
pub fn close(open: OpenSurface<'_>, spacing: f64) -> Seam {
    let mut patch = Patch::new(&open);
    patch.split_fans();
    strips::join(&mut patch, spacing);
    patch.split_fans();
    holes::fill(&mut patch);
    patch.split_fans();
    non_manifold_edges::split(&mut patch);
    patch.finish(open.skin)
}
