//! The geometry that a method needs beside the skin: levels of tetrahedra, the mesh of Green's functions, cells.

mod boundary_mesh;
mod fit;
mod for_method;
mod levels;
mod memory;
mod parents;
mod recipe;
mod voxels;

pub(crate) use for_method::{geometry_behind_surface, geometry_for};
pub(crate) use levels::{DEFAULT_NODES, coarsest_levels};
pub(crate) use memory::available_memory;
pub use parents::{ParentChildMap, parent_child_maps};
pub use recipe::MESHING_VERSION;
pub(crate) use recipe::geometry_recipe;
pub(crate) use voxels::{MIN_CELLS, automatic_cells, half_width_of};

#[cfg(test)]
mod tests;
