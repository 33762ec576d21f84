//! From a surface as a file has it to a solid: closed, edge-manifold and oriented, or an error that names the place.
//!
//! [`repair`] does only what needs no guess: vertices that are stored several times, vertices in the middle of an edge, faces without area, duplicate
//! faces, orientation, fins, parts that touch in a vertex or an edge. A clean surface comes out unchanged. Where that is not enough, [`make_solid`]
//! closes small holes, then wraps, and reports how far that moved the surface.

pub(crate) mod error;
mod holes;
pub(crate) mod repair_surface;
pub(crate) mod repaired;
mod solid;
pub(crate) mod steps;
#[cfg(test)]
mod tests;
mod work;

pub use error::RepairError;
pub use repair_surface::{repair, require_solid};
pub use repaired::{RepairStep, Repaired};
pub use solid::{make_solid, make_solid_of_sheets, make_solid_of_shells, thicken_foil};
