//! From a dropped file to a clean surface, levels of tetrahedra and voxels.

pub mod bench_cases;
pub mod decimate;
pub mod distance;
pub mod error;
pub mod io;
pub mod lod;
mod marching;
pub mod procedural;
pub mod refine;
pub mod remesh;
pub mod repair;
pub mod report;
pub mod solid;
pub mod stuffing;
pub mod subdivide;
mod surgery;
pub mod tetgen;
pub mod tetrahedralise;
pub mod voxelise;
pub mod winding;
pub mod wrap;
