//! Rasterisation of triangles and text on the processor.

mod canvas;
pub mod projection;
pub mod text;
pub mod triangles;

pub use canvas::{Canvas, PictureError};
pub use projection::{Projection, Vertex};
pub use triangles::{Blend, Fragment, draw_triangles};
