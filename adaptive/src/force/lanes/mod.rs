//! Forces of many tetrahedra at once in single precision: one tetrahedron in each lane.
//!
//! [`LaneForces`] serves the model: state in f64, forces in f32 from displacements, so that small strains of a body far from the origin keep their accuracy.
//! [`LaneBody`] is the bare explicit step with all its state in f32. Both run the same kernel over the same chunks: Morton-ordered tetrahedra with a list of
//! their nodes, whose displacements are copied together first and whose forces are collected in slots of the chunk. Sums run in the order of the tetrahedra
//! inside a chunk and in the order of the chunks at a node: the bits depend neither on threads nor on the width of the lanes.
//!
//! [`scalar`] is the same step as a plain loop, the reference for speed and results.

pub mod body;
mod chunk;
mod corners;
pub mod forces;
mod kernel;
mod law;
pub mod level;
mod matrix;
mod pack;
pub mod scalar;

pub use crate::params::SimdLevel;
pub use body::LaneBody;
pub use chunk::LaneWorkspace;
pub use forces::LaneForces;
pub(crate) use law::has_lanes;
