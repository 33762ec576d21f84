//! What all readers fill: vertices, polygons and cells, out of which a mesh is assembled.

pub(crate) mod cells;
mod polygon;
pub(crate) mod polygons;
