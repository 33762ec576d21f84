//! Reads and repairs meshes, and makes levels of tetrahedra, voxels and other surfaces of them.
//!
//! A mesh from anywhere is made a closed solid once; everything else starts from that solid.
//!
//! ```text
//! file → read → (report) → repair → solid → levels of tetrahedra │ voxels │ surfaces with other triangles
//! ```
//!
//! | module | is for | source |
//! |---|---|---|
//! | [`io`] | mesh files in and out | |
//! | [`procedural`] | bodies made of signed distance functions | |
//! | [`report`] | what is wrong with a surface, and where | |
//! | [`repair`] | making it a closed solid; where that does not suffice, a new surface is wrapped around it | |
//! | [`decimate`] | fewer triangles | Garland and Heckbert 1997, Lindstrom and Turk 1998 |
//! | [`refine`] | more triangles, with the shape as it is | |
//! | [`subdivide`] | four triangles of each, again and again | Loop 1987, Hoppe et al. 1994 |
//! | [`remesh`] | the same surface with subdivision connectivity | Lee et al. 1998, Liu et al. 2021 |
//! | [`tetrahedralise`] | one tetrahedral mesh: [`stuffing`], or the program TetGen ([`tetgen`]) | Labelle and Shewchuk 2007 |
//! | [`lod`] | the same body as tetrahedra of several resolutions | |
//! | [`voxelise`] | the same body as cells of a regular grid | Rivers and James 2007 |
//!
//! All functions that take long get a [`Progress`](pliant_core::asset::Progress) and stop soon after it is cancelled. The same input gives the same bits, for any number of threads.
//! Lengths are metres, or the unit of the file where a function works on the raw surface.
//!
//! Makes voxels of a cube that is given as OBJ text:
//!
//! ```
//! use pliant_core::asset::Progress;
//! use pliant_meshing::io::read_mesh_bytes;
//! use pliant_meshing::voxelise::{CellSize, VoxelOptions, voxelise_with};
//!
//! let cube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
//!             f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
//! let surface = read_mesh_bytes(cube.as_bytes())?.surface;
//! // the faces point outwards, so the volume is positive: 1 m³
//! assert!((surface.volume() - 1.0).abs() < 1e-12);
//! let voxels = voxelise_with(&surface, &VoxelOptions::new(CellSize::Longest(4)), &Progress::new())?;
//! // four cells along each side
//! assert_eq!(voxels.grid.kept_count(), 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

pub mod bench_cases;
pub mod error;
mod geometry;
pub mod io;
pub mod lod;
pub mod procedural;
mod remeshing;
pub mod repair;
pub mod report;
#[cfg(test)]
mod test_bodies;
pub mod tetrahedralise;
pub mod voxelise;
mod wrap;

pub use remeshing::semi_regular as remesh;
pub use remeshing::{decimate, refine, subdivide};
pub use tetrahedralise::{stuffing, tetgen};
