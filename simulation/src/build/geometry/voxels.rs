//! The cells of a lattice.

use std::ops::RangeInclusive;

use pliant_core::asset::Progress;
use pliant_core::mesh::{VoxelGrid, VoxelParticles};
use pliant_lattice::{NANOSECONDS_PER_PARTICLE_STEP, calibrate};
use pliant_meshing::error::MeshingError;
use pliant_meshing::voxelise::{CellSize, Fill, VoxelOptions, VoxelWarning, Voxels, voxelise_with};

use super::memory::{available_memory, refuse_too_large};
use crate::parameters::lattice_params;
use crate::setup::Setup;

/// Smallest automatic number of cells along the longest side.
pub(crate) const MIN_CELLS: usize = 24;
/// Range of the automatic number of cells along the longest side.
const AUTOMATIC_CELLS: RangeInclusive<usize> = MIN_CELLS..=48;
/// Most that the steps of a frame may cost on the nominal machine with more than the fewest cells, ms.
const MAX_FRAME_MS: f64 = 6.0;
/// The number of particles grows with the number of cells by this power: 2.2 to 2.5 on five bodies from 24 to 36 cells, between that of a surface and that of a volume.
const PARTICLE_COUNT_EXPONENT: f64 = 2.5;

/// The cells of a body; adds sentences for the user to `notes`.
pub(super) fn voxels(
    setup: &Setup,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<VoxelGrid, MeshingError> {
    let lattice = &setup.description.body.lattice;
    let voxels = match (lattice.cell, lattice.cells_longest) {
        (Some(cell), _) => voxels_of(setup, CellSize::Edge(cell), progress)?,
        (None, Some(cells)) => voxels_of(setup, CellSize::Longest(cells), progress)?,
        (None, None) => automatic_voxels(setup, notes, progress)?,
    };
    refuse_too_large(&voxels.grid, lattice.shell, available_memory())?;
    // the lattice has a remark of its own on its extra volume
    let warnings = voxels.warnings.iter();
    notes.extend(
        warnings
            .filter(|w| !matches!(w, VoxelWarning::TooFat { .. }))
            .map(ToString::to_string),
    );
    Ok(voxels.grid)
}

/// Everything that the number of cells depends on, as text for the keys of the cache.
pub(super) fn cells_recipe(setup: &Setup) -> String {
    let lattice = &setup.description.body.lattice;
    match (lattice.cell, lattice.cells_longest) {
        (Some(cell), _) => format!("edge {cell}"),
        (None, Some(cells)) => cells.to_string(),
        (None, None) => format!(
            "{AUTOMATIC_CELLS:?} {MAX_FRAME_MS} {PARTICLE_COUNT_EXPONENT} {NANOSECONDS_PER_PARTICLE_STEP} {:?} {} {:?} {:?} {:?} {}",
            setup.geometry.material,
            setup.frame_duration(),
            lattice.half_width,
            lattice.alpha,
            lattice.steps,
            setup.is_group()
        ),
    }
}

fn automatic_voxels(
    setup: &Setup,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<Voxels, MeshingError> {
    let (min_cells, max_cells) = (*AUTOMATIC_CELLS.start(), *AUTOMATIC_CELLS.end());
    let coarsest = voxels_of(setup, CellSize::Longest(min_cells), progress)?;
    let cells = affordable_cells(setup, &coarsest.grid);
    notes.push(format!(
        "{cells} cells along the longest side: as many as a nominal frame of {MAX_FRAME_MS} ms moves, but {min_cells} at least and {max_cells} at most"
    ));
    match cells > min_cells {
        true => voxels_of(setup, CellSize::Longest(cells), progress),
        false => Ok(coarsest),
    }
}

/// Number of cells along the longest side where the scene gives none.
pub(crate) fn automatic_cells(setup: &Setup) -> usize {
    let min_cells = *AUTOMATIC_CELLS.start();
    let voxels = voxels_of(setup, CellSize::Longest(min_cells), &Progress::new());
    voxels.map_or(min_cells, |voxels| affordable_cells(setup, &voxels.grid))
}

fn voxels_of(setup: &Setup, size: CellSize, progress: &Progress) -> Result<Voxels, MeshingError> {
    let lattice = &setup.description.body.lattice;
    let fill = if lattice.shell {
        Fill::Shell
    } else {
        Fill::Solid
    };
    let options = VoxelOptions {
        fill,
        split_cells: lattice.split_cells,
        ..VoxelOptions::new(size)
    };
    voxelise_with(&setup.geometry.skin, &options, progress)
}

/// How many cells along the longest side are affordable, extrapolated from the cost of the coarsest lattice. Several bodies have the fewest cells.
fn affordable_cells(setup: &Setup, coarsest: &VoxelGrid) -> usize {
    let min_cells = *AUTOMATIC_CELLS.start();
    // a wrong key is reported where the parameters are read for the model
    let Some(params) = lattice_params(setup).ok().filter(|_| !setup.is_group()) else {
        return min_cells;
    };
    let Ok(found) = calibrate(&setup.geometry.material, coarsest.cell, &params) else {
        return min_cells;
    };
    let particle_steps = VoxelParticles::new(coarsest).len() as f64 * f64::from(found.steps);
    let cost = particle_steps * NANOSECONDS_PER_PARTICLE_STEP as f64;
    // with cells of half the size, steps are half as long
    let power = if params.steps.is_some() {
        PARTICLE_COUNT_EXPONENT
    } else {
        PARTICLE_COUNT_EXPONENT + 1.0
    };
    let refinement = (MAX_FRAME_MS * 1e6 / cost).powf(power.recip());
    let cells = (min_cells as f64 * refinement).floor();
    (cells as usize).clamp(min_cells, *AUTOMATIC_CELLS.end())
}
