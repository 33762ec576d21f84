//! The same surface with other triangles: fewer, more, better shaped, or with subdivision connectivity.

mod candidate;
pub mod decimate;
pub(crate) mod editable_surface;
pub(crate) mod groups;
pub(crate) mod local_remeshing;
pub mod refine;
pub mod semi_regular;
pub mod subdivide;
