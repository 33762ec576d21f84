//! A closed surface around whatever a file holds: the last resort for soups, open scans, crossing parts and inner walls.
//!
//! Inside is where the generalised winding number exceeds one half (Jacobson et al. 2013; Barill et al. 2018), or, for soups without
//! orientation, what a flood from outside does not reach. Both are sampled on a body-centred cubic lattice and contoured by marching
//! tetrahedra; the result is compared with the input and refused where it would be another body.

mod contour;
mod crumbs;
mod error;
mod flood;
mod grid;
mod judge;
mod sheet;
mod thickness;
mod winding_field;

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::surface::VertexGroup;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};

use crate::decimate::{DecimateTarget, decimate};
use crate::repair::{RepairError, tidy};
use crate::report::crossings;

pub use error::WrapError;

use contour::{Field, contour};
use grid::{BLOCK, Grid};
use judge::{Verdict, judge};
use thickness::thickness;

/// How to wrap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrapOptions {
    /// Lattice cells along the longest side of the bounding box, taken between 8 and 256. Walls thinner than about 1.5 cells are lost: where that matters,
    /// twice and three times as many cells are tried. Cost grows with its square near the surface; 96 takes some seconds.
    pub cells_longest: usize,
    /// Refused above this share of the input's area that the wrap is far from (0 to 1).
    pub most_lost: f64,
    /// Refused above this new area over the area of the input that the wrap stands for.
    pub most_new: f64,
    /// Edge length to which the result is decimated, cells.
    pub edge_cells: f64,
    /// Makes everything nearer than half of this to the surface inside, in the unit of the input; sheets become walls. `None` refuses sheets.
    pub thickness: Option<f64>,
}

impl Default for WrapOptions {
    fn default() -> Self {
        Self {
            cells_longest: 96,
            most_lost: 0.05,
            most_new: 0.25,
            edge_cells: 2.0,
            thickness: None,
        }
    }
}

/// What [`wrap`] gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Wrapped {
    /// Closed, edge-manifold, counter-clockwise from outside, with the input's vertex groups by nearest vertex.
    pub surface: SurfaceMesh,
    /// Share of the input's area that is outside the wrap and farther than 1 % of the diagonal (on coarse grids 1.5 cells) from it.
    pub lost_area_share: f64,
    /// Area of the wrap that is farther than a cell from the input, over the area of the input that the wrap stands for.
    pub new_area_share: f64,
    /// Largest distance of the input to the wrap, in the unit of the input, without what lies inside the wrap; sampled about every second cell.
    pub max_distance: f64,
    /// What a user should know, a sentence each.
    pub notes: Vec<String>,
}

/// Components with less than this share of the volume are dropped.
const CRUMB: f64 = 1e-3;
/// A surface thinner than this share of its diagonal is flat.
const FLAT: f64 = 1e-6;
/// A wrap that loses and adds less than this together needs no second opinion, and one that loses less no finer grid.
const GOOD: f64 = 0.01;
/// Grids that are tried in turn, as multiples of the first.
const FINER: [usize; 3] = [1, 2, 3];
/// A finer grid is tried only where the surface would cover at most so many of its cells: cost and memory grow with them.
const MOST_CELLS: f64 = 2e5;
/// A finer grid must lose less than this share of what the coarser one lost, or the finest is not tried.
const WORTH: f64 = 0.7;
/// New area over the area of the input that is accepted for a compact body: one with this volume over area to the power 3/2 (0.094 for a ball, 0.068
/// for a cube, less than 0.01 for what a sheet encloses with its rim).
const MOST_NEW_COMPACT: f64 = 0.4;
const COMPACT: f64 = 0.03;
/// Cells across a wall that sheets are given.
const WALL_CELLS: f64 = 3.0;

/// Wraps a surface. Deterministic for any number of threads.
///
/// # Errors
/// [`WrapError`]: unusable or flat input, nothing inside, or a wrap that would be another body (too much lost or new).
///
/// ```
/// use pliant_core::{asset::Progress, math::Vec3, mesh::procedural::{CellStyle, box_surface}};
/// use pliant_meshing::wrap::{WrapOptions, wrap};
/// // a box without a lid
/// let mut surface = box_surface(Vec3::repeat(1.0), [4, 4, 4], CellStyle::Kuhn);
/// let top = |v: &u32| surface.positions[*v as usize].y > 0.49;
/// let open = surface.triangles.iter().filter(|t| !t.iter().all(top)).copied().collect();
/// surface.triangles = open;
/// let options = WrapOptions { cells_longest: 24, ..WrapOptions::default() };
/// let wrapped = wrap(&surface, &options, &Progress::new()).expect("a box");
/// // the lid is a fifth of what there was; its edges are rounded and it hangs in a little
/// assert!((wrapped.surface.volume() - 1.0).abs() < 0.1);
/// assert!(wrapped.max_distance < 0.1);
/// ```
pub fn wrap(
    raw: &SurfaceMesh,
    options: &WrapOptions,
    progress: &Progress,
) -> Result<Wrapped, WrapError> {
    let tidied = tidy(raw, progress).map_err(|error| match error {
        RepairError::Cancelled => WrapError::Cancelled,
        other => WrapError::Unusable {
            reason: other.to_string().lines().next().unwrap_or_default().into(),
        },
    })?;
    wrap_tidy(&tidied.surface, options, progress)
}

/// The input with what is asked of it.
#[derive(Debug)]
pub(crate) struct Input {
    surface: SurfaceMesh,
    tree: TriangleTree,
    diagonal: f64,
}

impl Input {
    /// Whether the input comes within some cells of the block with the lowest cell `first` (or a little farther away).
    fn is_near_block(&self, grid: &Grid, first: [i64; 3], cells: f64) -> bool {
        let middle = grid.position(first.map(|i| 2 * i + BLOCK));
        let radius = (0.5 * BLOCK as f64 * 3.0_f64.sqrt() + cells) * grid.cell;
        self.tree.closest_within(&middle, radius).is_some()
    }
}

/// One attempt.
struct Candidate {
    surface: SurfaceMesh,
    verdict: Verdict,
    crumbs: usize,
    by_flood: bool,
}

/// Wraps a surface whose triangles are valid, finite, welded and turned to agree where possible.
pub(crate) fn wrap_tidy(
    surface: &SurfaceMesh,
    options: &WrapOptions,
    progress: &Progress,
) -> Result<Wrapped, WrapError> {
    let used = surface.triangles.iter().flatten();
    let bounds = Aabb::of_points(used.map(|&v| &surface.positions[v as usize]));
    let diagonal = bounds.diagonal();
    let thickness = thickness(surface);
    if options.thickness.is_none() && (thickness.is_nan() || thickness <= FLAT * diagonal) {
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
    let cells = options.cells_longest.clamp(8, 256);
    let mut best: Option<(Candidate, f64)> = None;
    for cells in FINER.map(|factor| factor * cells) {
        let grid = Grid::new(&bounds, cells);
        if best.is_some() && surface.area() > MOST_CELLS * grid.cell * grid.cell {
            break;
        }
        let Some(next) = best_on(&grid, &input, options, progress)? else {
            continue;
        };
        let lost = next.verdict.lost;
        let is_open = !options.accepts_new(&next);
        let known = best.as_ref().map(|(b, _)| b.verdict.lost);
        if known.is_none_or(|known| lost < known) {
            best = Some((next, grid.cell));
        }
        if is_open || lost <= GOOD || known.is_some_and(|known| lost > WORTH * known) {
            break;
        }
    }
    let (best, cell) = best.ok_or(WrapError::NoVolume {
        cells: FINER[FINER.len() - 1] * cells,
    })?;
    if !options.accepts_new(&best) {
        return Err(WrapError::OpenSheet {
            new_share: best.verdict.new,
            limit: options.most_new,
        });
    }
    if best.verdict.lost > options.most_lost {
        return Err(WrapError::LostParts {
            lost_share: best.verdict.lost,
            limit: options.most_lost,
            wall: 1.5 * cell,
        });
    }
    finished(&input, best, options.edge_cells * cell, progress)
}

impl WrapOptions {
    /// Whether the new area of a wrap is not too much.
    fn accepts_new(&self, wrap: &Candidate) -> bool {
        wrap.verdict.new <= self.most_new
            || wrap.verdict.new <= MOST_NEW_COMPACT
                && wrap.surface.volume() >= COMPACT * wrap.surface.area().powf(1.5)
    }
}

/// The better of winding numbers and flood on one grid; `None` where nothing is inside.
fn best_on(
    grid: &Grid,
    input: &Input,
    options: &WrapOptions,
    progress: &Progress,
) -> Result<Option<Candidate>, Cancelled> {
    let field = winding_field::by_winding(grid, input, progress)?;
    let first = candidate(grid, field, input, false, progress)?;
    let score = |c: &Candidate| c.verdict.lost + c.verdict.new;
    let second = if first.as_ref().is_some_and(|c| score(c) < GOOD) {
        None
    } else {
        let field = flood::by_flood(grid, input, progress)?;
        candidate(grid, field, input, true, progress)?
    };
    let is_fine = |c: &Candidate| c.verdict.lost <= options.most_lost && options.accepts_new(c);
    Ok([first, second].into_iter().flatten().min_by(|a, b| {
        let fine = is_fine(b).cmp(&is_fine(a));
        fine.then(score(a).total_cmp(&score(b)))
    }))
}

/// Walls around everything.
fn thickened(
    input: &Input,
    bounds: &Aabb,
    thickness: f64,
    options: &WrapOptions,
    progress: &Progress,
) -> Result<Wrapped, WrapError> {
    let longest = bounds.size().max();
    let most = (FINER[FINER.len() - 1] * options.cells_longest.clamp(8, 256)) as f64;
    let least = WALL_CELLS * longest / most;
    if thickness < least {
        return Err(WrapError::TooThin {
            thickness,
            longest,
            least,
        });
    }
    let half = 0.5 * thickness;
    let outer = bounds.inflated(half);
    let cells = (WALL_CELLS * outer.size().max() / thickness).max(options.cells_longest as f64);
    let grid = Grid::new(&outer, cells.ceil() as usize);
    let field = sheet::by_distance(&grid, input, half, progress)?;
    let walls = candidate(&grid, field, input, false, progress)?;
    let walls = walls.ok_or(WrapError::NoVolume {
        cells: cells as usize,
    })?;
    let mut wrapped = finished(input, walls, options.edge_cells * grid.cell, progress)?;
    wrapped.max_distance = half;
    wrapped.lost_area_share = 0.0;
    Ok(wrapped)
}

/// Contours and judges; `None` where nothing is inside.
fn candidate(
    grid: &Grid,
    field: Field,
    input: &Input,
    by_flood: bool,
    progress: &Progress,
) -> Result<Option<Candidate>, Cancelled> {
    let mut surface = contour(grid, &field, input, progress)?;
    let crumbs = crumbs::drop_crumbs(&mut surface, CRUMB);
    if surface.triangles.is_empty() {
        return Ok(None);
    }
    progress.check()?;
    let verdict = judge(grid, &field, input, &surface);
    Ok(Some(Candidate {
        surface,
        verdict,
        crumbs,
        by_flood,
    }))
}

/// Fewer triangles, groups and notes.
fn finished(
    input: &Input,
    best: Candidate,
    edge: f64,
    progress: &Progress,
) -> Result<Wrapped, WrapError> {
    let mut surface = fewer_triangles(best.surface, edge, progress)?;
    surface.groups = groups(input, &surface);
    let mut notes = Vec::new();
    if best.by_flood {
        notes.push(
            "inside is what cannot be reached from outside, because the sides of the triangles do not tell; cavities are filled"
                .to_string(),
        );
    }
    if best.crumbs > 0 {
        notes.push(format!(
            "{} components with less than {} % of the volume were dropped",
            best.crumbs,
            100.0 * CRUMB
        ));
    }
    if best.verdict.swallowed > 1e-3 {
        notes.push(format!(
            "{:.1} % of the surface lay inside and is gone",
            100.0 * best.verdict.swallowed
        ));
    }
    Ok(Wrapped {
        surface,
        lost_area_share: best.verdict.lost,
        new_area_share: best.verdict.new,
        max_distance: best.verdict.distance,
        notes,
    })
}

/// Decimates to `edge`, or less far where that makes the surface cross itself; the contour itself does not.
fn fewer_triangles(
    fine: SurfaceMesh,
    edge: f64,
    progress: &Progress,
) -> Result<SurfaceMesh, Cancelled> {
    let mut best: Option<(usize, SurfaceMesh)> = None;
    for share in [1.0, 0.7] {
        let target = DecimateTarget::Edge(share * edge);
        let Ok(coarse) = decimate(&fine, target, progress) else {
            progress.check()?;
            continue;
        };
        let (pairs, _) = crossings(&coarse.surface, progress)?;
        if best.as_ref().is_none_or(|(fewest, _)| pairs < *fewest) {
            best = Some((pairs, coarse.surface));
        }
        if pairs == 0 {
            break;
        }
    }
    Ok(best.map_or(fine, |(_, coarse)| coarse))
}

/// The input's groups on the wrap: a vertex belongs where the nearest corner of the nearest triangle belongs.
fn groups(input: &Input, wrap: &SurfaceMesh) -> Vec<VertexGroup> {
    if input.surface.groups.is_empty() {
        return Vec::new();
    }
    let nearest: Vec<Option<u32>> = wrap
        .positions
        .iter()
        .map(|p| {
            let found = input.tree.closest(p)?;
            let corners = input.surface.triangles[found.triangle as usize];
            let heaviest = (0..3).max_by(|&a, &b| found.weights[a].total_cmp(&found.weights[b]))?;
            Some(corners[heaviest])
        })
        .collect();
    let on_wrap = |group: &VertexGroup| VertexGroup {
        name: group.name.clone(),
        vertices: (0..wrap.vertex_count() as u32)
            .filter(|&v| {
                nearest[v as usize].is_some_and(|n| group.vertices.binary_search(&n).is_ok())
            })
            .collect(),
    };
    input.surface.groups.iter().map(on_wrap).collect()
}

#[cfg(test)]
pub(crate) mod tests;
