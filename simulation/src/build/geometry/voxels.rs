//! The cells of a lattice.

use std::ops::RangeInclusive;

use pliant_core::asset::Progress;
use pliant_core::mesh::{VoxelGrid, VoxelParticles};
use pliant_lattice::{NANOSECONDS_PER_PARTICLE_STEP, calibrate};
use pliant_meshing::error::MeshingError;
use pliant_meshing::voxelise::{CellSize, Fill, VoxelOptions, VoxelWarning, Voxels, voxelise_with};

use super::memory::{available, refuse_too_large};
use crate::parameters::lattice_params;
use crate::setup::Setup;

/// Fewest cells along the longest side that are chosen from.
pub(crate) const FEWEST_CELLS: usize = 24;
/// Cells along the longest side that are chosen from.
const AUTOMATIC_CELLS: RangeInclusive<usize> = FEWEST_CELLS..=48;
/// What the steps of a frame may cost with more than the fewest cells, ms.
const AFFORDABLE_MS: f64 = 6.0;
/// The number of particles grows with the number of cells by this power: 2.2 to 2.5 on five bodies from 24 to 36 cells, between that of a surface and that of a volume.
const GROWTH: f64 = 2.5;

/// The cells of a body; sentences for the user go to `notes`.
pub(super) fn voxels(
    setup: &Setup,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<VoxelGrid, MeshingError> {
    let wanted = &setup.description.body.lattice;
    let voxels = match (wanted.cell, wanted.cells_longest) {
        (Some(cell), _) => voxels_of(setup, CellSize::Edge(cell), progress)?,
        (None, Some(cells)) => voxels_of(setup, CellSize::Longest(cells), progress)?,
        (None, None) => automatic_voxels(setup, notes, progress)?,
    };
    refuse_too_large(&voxels.grid, wanted.shell, available())?;
    // the lattice has a remark of its own on its extra volume
    let told = voxels.warnings.iter();
    notes.extend(
        told.filter(|w| !matches!(w, VoxelWarning::TooFat { .. }))
            .map(ToString::to_string),
    );
    Ok(voxels.grid)
}

/// What decides over the cells along the longest side, as text for the keys of the cache.
pub(super) fn cells_recipe(setup: &Setup) -> String {
    let wanted = &setup.description.body.lattice;
    match (wanted.cell, wanted.cells_longest) {
        (Some(cell), _) => format!("edge {cell}"),
        (None, Some(cells)) => cells.to_string(),
        (None, None) => format!(
            "{AUTOMATIC_CELLS:?} {AFFORDABLE_MS} {GROWTH} {NANOSECONDS_PER_PARTICLE_STEP} {:?} {} {:?} {:?} {:?} {}",
            setup.geometry.material,
            setup.frame_duration(),
            wanted.half_width,
            wanted.alpha,
            wanted.steps,
            setup.is_group()
        ),
    }
}

fn automatic_voxels(
    setup: &Setup,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<Voxels, MeshingError> {
    let (least, most) = (*AUTOMATIC_CELLS.start(), *AUTOMATIC_CELLS.end());
    let fewest = voxels_of(setup, CellSize::Longest(least), progress)?;
    let cells = affordable_cells(setup, &fewest.grid);
    notes.push(format!(
        "{cells} cells along the longest side: as many as a nominal frame of {AFFORDABLE_MS} ms moves, but {least} at least and {most} at most"
    ));
    match cells > least {
        true => voxels_of(setup, CellSize::Longest(cells), progress),
        false => Ok(fewest),
    }
}

/// Cells along the longest side that a body has where its scene gives none.
pub(crate) fn automatic_cells(setup: &Setup) -> usize {
    let least = *AUTOMATIC_CELLS.start();
    let voxels = voxels_of(setup, CellSize::Longest(least), &Progress::new());
    voxels.map_or(least, |voxels| affordable_cells(setup, &voxels.grid))
}

fn voxels_of(setup: &Setup, size: CellSize, progress: &Progress) -> Result<Voxels, MeshingError> {
    let wanted = &setup.description.body.lattice;
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
    voxelise_with(&setup.geometry.skin, &options, progress)
}

/// How many cells along the longest side are affordable, from what the fewest cost. Several bodies have the fewest.
fn affordable_cells(setup: &Setup, fewest: &VoxelGrid) -> usize {
    let least = *AUTOMATIC_CELLS.start();
    // a wrong key is told where the parameters are read for the model
    let Some(params) = lattice_params(setup).ok().filter(|_| !setup.is_group()) else {
        return least;
    };
    let Ok(found) = calibrate(&setup.geometry.material, fewest.cell, &params) else {
        return least;
    };
    let particle_steps = VoxelParticles::new(fewest).len() as f64 * f64::from(found.steps);
    let cost = particle_steps * NANOSECONDS_PER_PARTICLE_STEP as f64;
    // with cells of half the size steps are half as long
    let power = if params.steps.is_some() {
        GROWTH
    } else {
        GROWTH + 1.0
    };
    let finer = (AFFORDABLE_MS * 1e6 / cost).powf(power.recip());
    let cells = (least as f64 * finer).floor();
    (cells as usize).clamp(least, *AUTOMATIC_CELLS.end())
}
