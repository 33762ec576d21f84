//! From a dropped file to a clean surface, levels of tetrahedra and voxels.

pub mod bench_cases;
pub mod error;
mod geometry;
pub mod io;
pub mod lod;
pub mod procedural;
mod remeshing;
pub mod repair;
pub mod report;
pub mod tetrahedralise;
pub mod voxelise;
pub mod wrap;

pub use crate::remeshing::semi_regular as remesh;
pub use geometry::{distance, solid, winding};
pub use remeshing::{decimate, refine, subdivide};
pub use tetrahedralise::{stuffing, tetgen};
