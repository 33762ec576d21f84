//! Tests of voxelisation.

mod cells;
mod shares;
mod splitting;

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, VoxelGrid};

use super::options::{CellSize, Fill, VoxelOptions};
use super::voxels::voxelise_with;
use crate::error::MeshingError;

fn voxelise(
    surface: &SurfaceMesh,
    size: CellSize,
    fill: Fill,
    progress: &Progress,
) -> Result<VoxelGrid, MeshingError> {
    let options = VoxelOptions {
        fill,
        ..VoxelOptions::new(size)
    };
    Ok(voxelise_with(surface, &options, progress)?.grid)
}
