//! Closed surfaces filled with tetrahedra, by isosurface stuffing or by the program TetGen.

pub(crate) mod fits_together;
pub(crate) mod matched;
pub(crate) mod mesher;
pub mod stuffing;
pub mod tetgen;
pub mod verify;

pub use fits_together::{Unusable, fits_together};
pub use matched::Matched;
pub use mesher::{TetMesher, TetSpec, TetTarget};
pub use verify::verify_tets;
