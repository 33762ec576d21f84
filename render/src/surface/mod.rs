//! Surfaces made for drawing: skins with sharp edges, and tools as triangles.

mod crease;
mod glyph_mesh;
mod surface_nets;

pub use crease::{CreasedSurface, SHARP_ANGLE};
pub use glyph_mesh::GlyphMesh;
