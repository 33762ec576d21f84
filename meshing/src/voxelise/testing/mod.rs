//! Tests of voxelisation.

mod cells;
mod shares;
mod splitting;

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, VoxelGrid};

use super::options::{CellSize, Fill, VoxelOptions};
use super::voxels::{Voxels, voxelise_with};
use crate::error::MeshingError;

fn voxels(surface: &SurfaceMesh, edge: f64) -> Voxels {
    let options = VoxelOptions::new(CellSize::Edge(edge));
    voxelise_with(surface, &options, &Progress::new()).expect("cells")
}

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
