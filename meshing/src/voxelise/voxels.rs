//! Voxelisation of a surface.

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, VoxelGrid};

use super::grid::crossings::Lines;
use super::grid::frame::GridFrame;
use super::grid::state::{CUT, EMPTY, ENCLOSED, TOUCHED};
use super::grid::{fill, scanline, surface_cells};
use super::options::{CellSize, Fill, VoxelOptions};
use super::splitting::topology;
use super::warning::VoxelWarning;
use crate::error::{MeshingError, positive, require_finite};

/// The cells of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Voxels {
    /// The grid.
    pub grid: VoxelGrid,
    /// Cells that exist more than once.
    pub split_cells: usize,
    /// Volume of all cell copies over the volume of the surface: 1 for an exact fit, larger for a lattice fatter than its body; infinite when the
    /// surface encloses nothing.
    pub volume_ratio: f64,
    /// Warnings for the user.
    pub warnings: Vec<VoxelWarning>,
}

/// Volume of the cells over that of the body above which a user is warned.
const MAX_VOLUME_RATIO: f64 = 1.5;

/// Voxelises a surface with at least one layer of empty cells around it.
///
/// The surface should be closed. Holes smaller than a cell are bridged. Cells are split only where the surface in them is closed. Cost: proportional to triangles, cells they
/// intersect and grid cells; three bytes per grid cell and about a hundred per cell of the surface. The result is the same for any number of threads.
///
/// # Errors
/// [`MeshingError::OpenSurface`] (holes larger than a cell, with [`Fill::Solid`]), [`MeshingError::EmptyMesh`], [`MeshingError::BadSize`] (cell edge, or coordinates that are not finite),
/// [`MeshingError::GridTooLarge`] (before anything is allocated), [`MeshingError::NoVolume`] (no cell kept), [`MeshingError::Cancelled`].
pub fn voxelise_with(
    surface: &SurfaceMesh,
    options: &VoxelOptions,
    progress: &Progress,
) -> Result<Voxels, MeshingError> {
    progress.stage("voxelising");
    let frame = frame_of(surface, options.size)?;
    let outward = if surface.volume() < 0.0 { -1 } else { 1 };
    let cells = surface_cells::surface_cells(surface, &frame, progress)?;
    let mut state = cells.state;
    progress.set_fraction(0.3);
    let centers = Lines {
        shift: [0.5; 3],
        dims: frame.dims,
    };
    let inside = scanline::inside_votes(surface, &frame, &centers, i32::from(outward), progress)?;
    progress.set_fraction(0.5);
    for (cell, votes) in state.iter_mut().zip(&inside.votes) {
        if *cell == TOUCHED {
            *cell = if *votes >= 2 { CUT } else { EMPTY };
        }
    }
    if options.fill == Fill::Solid {
        fill::fill_enclosed(surface, &frame, &mut state, &inside, progress)?;
    }
    drop(inside);
    progress.set_fraction(0.7);
    let kept: Vec<bool> = state.iter().map(|&s| s == CUT || s == ENCLOSED).collect();
    drop(state);
    if !kept.contains(&true) {
        return Err(MeshingError::NoVolume);
    }
    let topology = topology::topology(
        surface,
        &frame,
        &kept,
        cells.pairs,
        options,
        outward,
        progress,
    )?;
    progress.set_fraction(1.0);
    let mut grid = VoxelGrid::new(frame.origin, frame.cell, frame.dims, kept);
    grid.shares = topology.shares;
    let mut warnings = Vec::new();
    let mut split_cells = 0;
    let copies_by_cell = topology.copies.list.chunk_by(|a, b| a.cell == b.cell);
    if options.split_cells {
        split_cells = copies_by_cell.filter(|copies| copies.len() > 1).count();
        grid.copies = topology.copies.list;
        grid.skin = topology.skin;
    } else if !topology.copies.list.is_empty() {
        warnings.push(VoxelWarning::GapFused {
            cells: copies_by_cell.count(),
        });
    }
    if options.fill != Fill::Shell && topology.thin > 0 {
        warnings.push(VoxelWarning::ThinnerThanCell {
            cells: topology.thin,
        });
    }
    let volume_ratio = voxel_volume_ratio(&grid, surface);
    if options.fill != Fill::Shell && volume_ratio > MAX_VOLUME_RATIO {
        warnings.push(VoxelWarning::TooFat {
            ratio: volume_ratio,
        });
    }
    Ok(Voxels {
        grid,
        split_cells,
        volume_ratio,
        warnings,
    })
}

/// Volume of the cell copies over the volume of the surface: 1 for an exact fit, larger for a lattice fatter than its body; infinite when the
/// surface encloses nothing.
pub fn voxel_volume_ratio(grid: &VoxelGrid, surface: &SurfaceMesh) -> f64 {
    grid.copy_count() as f64 * grid.cell.powi(3) / surface.volume().abs()
}

/// The grid around a surface.
fn frame_of(surface: &SurfaceMesh, size: CellSize) -> Result<GridFrame, MeshingError> {
    if surface.triangles.is_empty() {
        return Err(MeshingError::EmptyMesh);
    }
    require_finite(&surface.positions)?;
    let bounds = surface.bounds();
    let cell = match size {
        CellSize::Edge(edge) => edge,
        CellSize::Longest(count) => bounds.size().max() / count as f64,
    };
    GridFrame::around(&bounds, positive("the cell edge", cell)?)
}
