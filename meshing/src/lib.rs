//! From a dropped file to a clean surface, levels of tetrahedra and voxels.
//!
//! | room | is for |
//! |---|---|
//! | [`io`] | mesh files in and out |
//! | [`procedural`] | bodies made of signed distance functions |
//! | [`report`] | what is wrong with a surface |
//! | [`repair`] | making it a closed solid |
//! | `wrap` | a new closed surface where repair does not suffice |
//! | `geometry` | questions about surfaces that the others ask |
//! | `remeshing` | the same surface with other triangles: [`decimate`], [`refine`], [`subdivide`], [`remesh`] |
//! | [`tetrahedralise`] | one tetrahedral mesh: [`stuffing`], [`tetgen`] |
//! | [`lod`] | the same body as tetrahedra of several resolutions |
//! | [`voxelise`] | the same body as cells of a regular grid |

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
