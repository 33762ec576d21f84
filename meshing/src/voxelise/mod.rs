//! Conservative voxelisation: every cell that the surface intersects, and the cells it encloses. Cells are split where a gap runs through them.
//!
//! Rivers and James 2007, section 2, voxelise a body into the cells of a regular grid before they build the lattice on it. A cell that the
//! surface only touches from outside (a face of the body in the plane of a face of the cell) is not kept, so a box of a whole number of cells
//! gives exactly these cells. Where the material in one cell, or in two neighbours, is not connected, cells are copied and do not share corners.
//! So two fingers stay separate, however thin the gap between them is.
//!
//! ```
//! use pliant_core::asset::Progress;
//! use pliant_core::math::Vec3;
//! use pliant_core::mesh::procedural::{CellStyle, box_surface};
//! use pliant_meshing::voxelise::{CellSize, VoxelOptions, voxelise_with};
//!
//! let surface = box_surface(Vec3::new(0.2, 0.1, 0.1), [4, 2, 2], CellStyle::Kuhn);
//! let voxels = voxelise_with(&surface, &VoxelOptions::new(CellSize::Longest(8)), &Progress::new())?;
//! assert_eq!(voxels.grid.kept_count(), 8 * 4 * 4);
//! assert!(voxels.grid.copies.is_empty() && voxels.warnings.is_empty());
//! # Ok::<(), pliant_meshing::error::MeshingError>(())
//! ```

mod distance_grid;
mod grid;
mod options;
mod splitting;
#[cfg(test)]
mod testing;
mod voxels;
mod warning;

pub use distance_grid::distance_grid;
pub use options::{CellSize, Fill, VoxelOptions};
pub use voxels::{Voxels, voxelise_with};
pub use warning::VoxelWarning;
