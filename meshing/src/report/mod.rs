//! What is wrong with a surface, where, and whether it can be repaired.

pub(crate) mod examine;
pub(crate) mod facts;
mod fit;
mod mesh_report;
mod problems;
#[cfg(test)]
mod tests;
mod walls;

pub use examine::check;
pub use fit::require_fit;
pub use mesh_report::{MeshReport, Problem};
pub use walls::{WallAtNodes, Walls};
