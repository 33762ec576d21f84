//! Wraps a surface: tries several grids and keeps the best wrap.

use pliant_core::asset::Progress;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};

use super::candidate::{Candidate, GOOD_SCORE, MAX_LOST_SHARE, MAX_NEW_SHARE, best_on, candidate};
use super::error::WrapError;
use super::field::grid::Grid;
use super::field::sheet;
use super::finish::{Wrapped, finished};
use super::input::Input;
use super::options::WrapOptions;
use super::thickness::thickness;

/// A surface thinner than this share of its diagonal is flat.
const FLAT_THICKNESS: f64 = 1e-6;

/// Grids that are tried in turn, as multiples of the requested number of cells.
const GRID_FACTORS: [usize; 3] = [1, 2, 3];
/// A finer grid is tried only where the surface would cover at most this many of its cells: cost and memory grow with them.
const MAX_SURFACE_CELLS: f64 = 2e5;
/// Where a finer grid loses more than this share of what the coarser one lost, the finest is not tried.
const MAX_LOSS_RATIO: f64 = 0.7;

/// Cells across a wall made from a sheet.
const WALL_CELLS: f64 = 3.0;

/// Wraps a surface whose triangles are valid, finite, welded and consistently oriented where possible. Deterministic for any number of threads.
///
/// # Errors
/// [`WrapError`]: flat input, nothing inside, or a wrap that differs too much (too much lost or new).
pub(crate) fn wrap(
    surface: &SurfaceMesh,
    options: &WrapOptions,
    progress: &Progress,
) -> Result<Wrapped, WrapError> {
    let used = surface.triangles.iter().flatten();
    let bounds = Aabb::of_points(used.map(|&v| &surface.positions[v as usize]));
    let diagonal = bounds.diagonal();
    let thickness = thickness(surface);
    if options.thickness.is_none() && (thickness.is_nan() || thickness <= FLAT_THICKNESS * diagonal)
    {
        return Err(WrapError::FlatSurface {
            thickness,
            diagonal,
        });
    }
    let input = Input {
        tree: TriangleTree::new(&surface.positions, &surface.triangles),
        surface: surface.clone(),
        diagonal,
    };
    if let Some(thickness) = options.thickness {
        return thickened(&input, &bounds, thickness, options, progress);
    }
    let cells = options.cells_longest;
    let mut best: Option<(Candidate, f64)> = None;
    for cells in GRID_FACTORS.map(|factor| factor * cells) {
        let grid = Grid::new(&bounds, cells);
        if best.is_some() && surface.area() > MAX_SURFACE_CELLS * grid.cell * grid.cell {
            break;
        }
        let Some(next) = best_on(&grid, &input, progress)? else {
            continue;
        };
        let lost = next.verdict.lost;
        let is_open = next.is_open();
        let previous_loss = best.as_ref().map(|(b, _)| b.verdict.lost);
        if previous_loss.is_none_or(|previous| lost < previous) {
            best = Some((next, grid.cell));
        }
        if is_open
            || lost <= GOOD_SCORE
            || previous_loss.is_some_and(|previous| lost > MAX_LOSS_RATIO * previous)
        {
            break;
        }
    }
    let (best, cell) = best.ok_or(WrapError::NoVolume {
        cells: GRID_FACTORS[GRID_FACTORS.len() - 1] * cells,
    })?;
    if best.is_open() {
        return Err(WrapError::OpenSheet {
            new_share: best.verdict.new,
            limit: MAX_NEW_SHARE,
        });
    }
    if best.verdict.lost > MAX_LOST_SHARE {
        return Err(WrapError::LostParts {
            lost_share: best.verdict.lost,
            limit: MAX_LOST_SHARE,
            min_wall: 1.5 * cell,
        });
    }
    finished(&input, best, options.edge_cells * cell, progress)
}

/// Walls of `thickness` around the input.
fn thickened(
    input: &Input,
    bounds: &Aabb,
    thickness: f64,
    options: &WrapOptions,
    progress: &Progress,
) -> Result<Wrapped, WrapError> {
    let longest = bounds.size().max();
    let max_cells = (GRID_FACTORS[GRID_FACTORS.len() - 1] * options.cells_longest) as f64;
    let min_thickness = WALL_CELLS * longest / max_cells;
    if thickness < min_thickness {
        return Err(WrapError::TooThin {
            thickness,
            longest,
            min_thickness,
        });
    }
    if thickness > longest {
        return Err(WrapError::TooThick { thickness, longest });
    }
    let half = 0.5 * thickness;
    let outer = bounds.inflated(half);
    let cells = (WALL_CELLS * outer.size().max() / thickness).max(options.cells_longest as f64);
    let grid = Grid::new(&outer, cells.ceil() as usize);
    let field = sheet::by_distance(&grid, input, half, options.keeps_cavities, progress)?;
    let walls = candidate(&grid, field, input, false, progress)?;
    let walls = walls.ok_or(WrapError::NoVolume {
        cells: cells as usize,
    })?;
    let mut wrapped = finished(input, walls, options.edge_cells * grid.cell, progress)?;
    wrapped.max_distance = half;
    wrapped.lost_area_share = 0.0;
    Ok(wrapped)
}
