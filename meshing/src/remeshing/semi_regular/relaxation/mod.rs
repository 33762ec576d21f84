//! Vertices of the finest level move along the surface until triangles are even.

mod attract;
pub(crate) mod relax;
pub(crate) mod samples;
