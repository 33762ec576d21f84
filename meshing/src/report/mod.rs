//! What is wrong with a surface, where, and whether it can be repaired.

mod answers;
pub(crate) mod examine;
pub(crate) mod facts;
mod fit;
mod list;
mod mesh_report;
mod place;
mod places;
mod problems;
mod scale;
#[cfg(test)]
mod tests;
mod walls;

pub use examine::{check, problems_mended};
pub use fit::require_fit;
pub use mesh_report::{MeshReport, Problem};
pub use place::{MAX_PLACES, Place, PlaceShape};
pub use scale::is_likely_length;
pub use walls::{WallAtNodes, Walls};
