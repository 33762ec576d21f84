//! Closed surfaces filled with tetrahedra, by isosurface stuffing or by the program TetGen.

pub(crate) mod fits_together;
pub(crate) mod mesher;
pub mod stuffing;
pub mod tetgen;
pub(crate) mod verify;

pub use mesher::{TetMesher, TetTarget};
pub use verify::verify_tets;
