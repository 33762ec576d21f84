//! What is wrong with a surface, where, and whether it can be repaired.

pub(crate) mod examine;
pub(crate) mod facts;
mod fit;
mod list;
mod mesh_report;
mod place;
mod places;
mod problems;
mod repair_steps;
mod scale;
#[cfg(test)]
mod tests;
mod walls;

pub use examine::{check, repaired_problems};
pub use fit::require_fit;
pub use mesh_report::{MeshReport, Problem};
pub use place::{MAX_PLACES, Place, PlaceShape};
pub use scale::is_likely_length;
pub use walls::{WallAtNodes, Walls};
