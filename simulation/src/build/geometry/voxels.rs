//! The cells of a lattice.

use pliant_core::asset::Progress;
use pliant_core::mesh::VoxelGrid;
use pliant_meshing::error::MeshingError;
use pliant_meshing::voxelise::{CellSize, Fill, VoxelOptions, VoxelWarning, voxelise_with};

use super::memory::{available, refuse_too_large};
use crate::setup::Setup;

/// Cells along the longest side where the scene gives no cell.
pub(crate) const DEFAULT_CELLS: usize = 24;

/// The cells of a body; sentences for the user go to `notes`.
pub(super) fn voxels(
    setup: &Setup,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<VoxelGrid, MeshingError> {
    let wanted = &setup.description.body.lattice;
    let size = match (wanted.cell, wanted.cells_longest) {
        (Some(cell), _) => CellSize::Edge(cell),
        (None, Some(n)) => CellSize::Longest(n),
        (None, None) => CellSize::Longest(DEFAULT_CELLS),
    };
    let fill = if wanted.shell {
        Fill::Shell
    } else {
        Fill::Solid
    };
    let options = VoxelOptions {
        fill,
        split_cells: wanted.split_cells,
        ..VoxelOptions::new(size)
    };
    let voxels = voxelise_with(&setup.geometry.skin, &options, progress)?;
    refuse_too_large(&voxels.grid, wanted.shell, available())?;
    // the lattice has a remark of its own on its extra volume
    let told = voxels.warnings.iter();
    notes.extend(
        told.filter(|w| !matches!(w, VoxelWarning::TooFat { .. }))
            .map(ToString::to_string),
    );
    Ok(voxels.grid)
}
