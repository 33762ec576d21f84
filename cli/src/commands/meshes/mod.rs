//! Commands on meshes.

mod check;
mod level_request;
mod levels;
mod remesh;
mod source;
mod voxelise;

pub use check::check;
pub use levels::mesh;
pub use remesh::remesh;
pub use voxelise::voxelise;
