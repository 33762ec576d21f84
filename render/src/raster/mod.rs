//! Rasterisation of triangles, points and text on the processor.

mod canvas;
pub mod points;
pub mod projection;
pub mod text;
pub mod triangles;

pub use canvas::{Canvas, PictureError};
pub use projection::{Projection, Vertex};
pub use triangles::{Blend, Fragment, draw_triangles};
