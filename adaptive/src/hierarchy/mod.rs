//! The levels of detail of one body: independent meshes, and the Voronoi tree that connects their nodes.

mod geodesic;
pub mod level;
pub mod link;
mod locate;
pub mod parenting;
pub(crate) mod places_above;
pub mod stencil;

pub use level::{Level, LevelError};
pub use link::{Link, link};
pub use parenting::{Parentage, geodesic_parents};
pub use stencil::Stencils;
