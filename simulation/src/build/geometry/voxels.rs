//! The cells of a lattice.

use pliant_core::asset::Progress;
use pliant_core::mesh::{VoxelGrid, VoxelParticles};
use pliant_lattice::{
    LatticeError, LatticeParams, NANOSECONDS_PER_PARTICLE_STEP, ShapeMatching, calibrate_stiffest,
};
use pliant_meshing::error::MeshingError;
use pliant_meshing::voxelise::{CellSize, Fill, VoxelOptions, VoxelWarning, Voxels, voxelise_with};

use super::memory::{available_memory, refuse_too_large};
use crate::parameters::lattice_params;
use crate::setup::Setup;

/// Range of the automatic number of cells along the longest side of bodies that are not too stiff.
pub(crate) const MIN_CELLS: usize = 24;
const MAX_CELLS: usize = 48;
/// Fewest cells along the longest side of stiff bodies, and along the shortest one.
const FEWEST_CELLS: (usize, f64) = (8, 3.0);
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
            "{FEWEST_CELLS:?} {MIN_CELLS}..={MAX_CELLS} {MAX_FRAME_MS} {PARTICLE_COUNT_EXPONENT} {NANOSECONDS_PER_PARTICLE_STEP} {:?} {} {:?} {:?} {:?} {}",
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
    let coarsest = voxels_of(setup, CellSize::Longest(MIN_CELLS), progress)?;
    let cells = cells_from(setup, &coarsest.grid);
    notes.push(if cells < MIN_CELLS {
        format!(
            "{cells} cells along the longest side: the body is too stiff for {MIN_CELLS} cells with regions of half-width 1, and larger regions on them would make it too soft"
        )
    } else {
        format!(
            "{cells} cells along the longest side: as many as a nominal machine computes in {MAX_FRAME_MS} ms per frame, but at least {MIN_CELLS} and at most {MAX_CELLS}"
        )
    });
    match cells == MIN_CELLS {
        true => Ok(coarsest),
        false => voxels_of(setup, CellSize::Longest(cells), progress),
    }
}

/// Number of cells along the longest side where the scene gives none.
pub(crate) fn automatic_cells(setup: &Setup) -> usize {
    let voxels = voxels_of(setup, CellSize::Longest(MIN_CELLS), &Progress::new());
    voxels.map_or(MIN_CELLS, |voxels| cells_from(setup, &voxels.grid))
}

/// Half-width of the regions with `cells` along the longest side; `None` where no admissible one reaches Young's modulus.
pub(crate) fn half_width_of(setup: &Setup, cells: f64) -> Option<usize> {
    let params = lattice_params(setup);
    let cell = setup.geometry.skin.bounds().size().max() / cells;
    let found = calibrate_stiffest(&setup.geometry.material, cell, &params).ok()?;
    Some(found.half_width)
}

/// How many cells along the longest side suit a body, from the coarsest of the usual lattices.
fn cells_from(setup: &Setup, coarsest: &VoxelGrid) -> usize {
    let params = lattice_params(setup);
    stiff_cells(setup, coarsest, &params)
        .unwrap_or_else(|| affordable_cells(setup, coarsest, &params))
}

/// How many cells along the longest side a stiff body has: as many as reach Young's modulus with regions of half-width 1, which grows with the square of the cells' size.
///
/// Larger regions would reach it on more cells, but they are much softer than their modulus where there is no full set of them (decision 022).
fn stiff_cells(setup: &Setup, coarsest: &VoxelGrid, params: &LatticeParams) -> Option<usize> {
    if params.half_width.is_some() || params.matching != ShapeMatching::Lattice {
        return None;
    }
    let narrow = LatticeParams {
        half_width: Some(1),
        ..params.clone()
    };
    match calibrate_stiffest(&setup.geometry.material, coarsest.cell, &narrow) {
        Err(LatticeError::StiffnessUnreachable { young, e_max, .. }) => {
            let cells = MIN_CELLS as f64 * (e_max / young).sqrt();
            let size = setup.geometry.skin.bounds().size();
            let (along_longest, along_shortest) = FEWEST_CELLS;
            // an extent of zero has no fewest cells
            let thin = (along_shortest * size.max() / size.min()).ceil() as usize;
            let fewest = thin.clamp(along_longest, MIN_CELLS);
            Some((cells as usize).clamp(fewest, MIN_CELLS))
        }
        _ => None,
    }
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
fn affordable_cells(setup: &Setup, coarsest: &VoxelGrid, params: &LatticeParams) -> usize {
    if setup.is_group() {
        return MIN_CELLS;
    }
    let Ok(found) = calibrate_stiffest(&setup.geometry.material, coarsest.cell, params) else {
        return MIN_CELLS;
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
    let cells = (MIN_CELLS as f64 * refinement).floor();
    (cells as usize).clamp(MIN_CELLS, MAX_CELLS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::testing::setup_of;

    /// Cells along the longest side of a box of these sizes (m) and modulus (Pa).
    fn cells(size: [f64; 3], young: f64, lattice: &str) -> usize {
        automatic_cells(&setup_of(format!(
            r#"
            schema = 1
            name = "box"
            [[body]]
            name = "box"
            mesh = {{ procedural = "box", size = {size:?}, edge = 0.05 }}
            material = {{ young = {young:e}, poisson = 0.0, density = 1000.0, zeta = 0.3 }}
            lattice = {{ {lattice} }}
            "#
        )))
    }

    #[test]
    fn stiff_bodies_have_as_few_cells_as_regions_of_half_width_1_need() {
        let pad = [0.2, 0.1, 0.2];
        // 64 steps reach 0.68 MPa on 24 cells
        assert!(cells(pad, 1e5, "") >= MIN_CELLS);
        assert_eq!(cells(pad, 1e6, ""), 19);
        assert_eq!(cells(pad, 4e6, ""), 9);
        assert_eq!(cells(pad, 1e8, ""), 8);
        // three cells along the shortest side, but not more than the usual number
        assert_eq!(cells([0.2, 0.055, 0.2], 1e8, ""), 11);
        assert_eq!(cells([0.2, 0.01, 0.2], 1e8, ""), MIN_CELLS);
        assert_eq!(cells(pad, 1e6, "half_width = 2"), MIN_CELLS);
        // a small goal share takes more steps
        assert_eq!(cells(pad, 1e6, "alpha = 0.01"), 8);
        assert_eq!(cells(pad, 1e4, "alpha = 0.01"), 19);
    }
}
