//! Forces of many tetrahedra at once in single precision: one tetrahedron in each lane.
//!
//! State is in f64, forces are in f32 from displacements, so that small strains of a body far from the origin keep their accuracy. The kernel runs over chunks:
//! Morton-ordered tetrahedra with a list of their nodes, whose displacements are copied together first and whose forces are collected in slots of the chunk. Sums
//! run in the order of the tetrahedra inside a chunk and in the order of the chunks at a node: the bits depend neither on threads nor on the width of the lanes.

mod chunk;
mod corners;
mod forces;
mod kernel;
mod law;
mod level;
mod matrix;
mod pack;

pub use chunk::LaneWorkspace;
pub use forces::LaneForces;
pub(crate) use law::has_lanes;
pub use level::SimdLevel;
