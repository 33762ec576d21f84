//! Conservative voxelisation: every cell that the surface reaches into, and the cells it encloses.
//!
//! Rivers and James 2007, section 2, voxelise a body into the cells of a regular grid before they build the lattice on it. A cell that the
//! surface only touches from outside (a face of the body in the plane of a face of the cell) is not kept, so a box of a whole number of cells
//! gives exactly these cells.

mod frame;
mod overlap;
mod scanline;
#[cfg(test)]
mod tests;

use pliant_core::asset::Progress;
use pliant_core::mesh::validate::topology;
use pliant_core::mesh::{SurfaceMesh, VoxelGrid};
use rayon::prelude::*;

use crate::error::MeshingError;
use frame::GridFrame;
pub use frame::MAX_SITES;
use overlap::{CellTest, Overlap};

/// Which cells are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// Cells of the surface and everything it encloses; cavities bounded by inward shells stay empty.
    Solid,
    /// Cells of the surface only.
    Shell,
}

/// How the edge of a cell is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CellSize {
    /// This edge length, m.
    Edge(f64),
    /// This many cells along the longest side of the body's box.
    Longest(usize),
}

/// Share of grid lines with an unpaired crossing above which the surface counts as open.
const OPEN_SHARE: f64 = 0.05;
/// Width of a cell's border over its edge.
const BORDER: f64 = 1e-6;

const EMPTY: u8 = 0;
const CUT: u8 = 1;
const TOUCHED: u8 = 2;
const OUTSIDE: u8 = 3;
const ENCLOSED: u8 = 4;
const CAVITY: u8 = 5;

/// Voxelises a surface with at least one layer of empty cells around it.
///
/// The surface should be closed; holes smaller than a cell do no harm, larger ones give [`MeshingError::OpenSurface`] with
/// [`Fill::Solid`]. Other errors: `EmptyMesh`, `BadSize` (cell edge, or coordinates that are not finite), `GridTooLarge` (before anything is
/// allocated), `NoVolume` (no cell kept), `Cancelled`. Cost: proportional to triangles, cells they reach and grid cells; two bytes a grid cell.
pub fn voxelise(
    surface: &SurfaceMesh,
    size: CellSize,
    fill: Fill,
    progress: &Progress,
) -> Result<VoxelGrid, MeshingError> {
    progress.stage("voxelising");
    if surface.triangles.is_empty() {
        return Err(MeshingError::EmptyMesh);
    }
    let bounds = surface.bounds();
    let longest = bounds.size().max();
    if surface
        .positions
        .iter()
        .any(|p| !p.iter().all(|x| x.is_finite()))
    {
        return Err(MeshingError::BadSize {
            what: "the extent of the mesh",
            value: f64::NAN,
        });
    }
    let cell = match size {
        CellSize::Edge(edge) => edge,
        CellSize::Longest(count) => longest / count as f64,
    };
    if !(cell > 0.0 && cell.is_finite()) {
        return Err(MeshingError::BadSize {
            what: "the cell edge",
            value: cell,
        });
    }
    let frame = GridFrame::around(&bounds, cell)?;
    let mut state = mark_surface(surface, &frame, progress)?;
    progress.set_fraction(0.5);
    let outward = if surface.volume() < 0.0 { -1 } else { 1 };
    let inside = scanline::inside_votes(surface, &frame, outward, progress)?;
    progress.set_fraction(0.7);
    for (cell, votes) in state.iter_mut().zip(&inside.votes) {
        if *cell == TOUCHED {
            *cell = if *votes >= 2 { CUT } else { EMPTY };
        }
    }
    if fill == Fill::Solid {
        fill_enclosed(surface, &frame, &mut state, &inside, progress)?;
    }
    progress.set_fraction(1.0);
    let kept: Vec<bool> = state.iter().map(|&s| s == CUT || s == ENCLOSED).collect();
    if !kept.contains(&true) {
        return Err(MeshingError::NoVolume);
    }
    Ok(VoxelGrid::new(frame.origin, cell, frame.dims, kept))
}

/// Volume of the kept cells over the volume of the surface: 1 for an exact fit, larger for a lattice fatter than its body; infinite when the
/// surface encloses nothing.
pub fn voxel_volume_ratio(grid: &VoxelGrid, surface: &SurfaceMesh) -> f64 {
    grid.kept_count() as f64 * grid.cell.powi(3) / surface.volume().abs()
}

/// Marks the cells that a triangle reaches into or touches.
fn mark_surface(
    surface: &SurfaceMesh,
    frame: &GridFrame,
    progress: &Progress,
) -> Result<Vec<u8>, MeshingError> {
    let mut state = vec![EMPTY; frame.len()];
    let triangles: Vec<u32> = (0..surface.triangles.len() as u32).collect();
    for (done, chunk) in triangles.chunks(16_384).enumerate() {
        let found: Vec<Vec<(usize, u8)>> = chunk
            .par_iter()
            .map(|&t| cells_of_triangle(surface, t as usize, frame))
            .collect();
        for (index, mark) in found.into_iter().flatten() {
            if state[index] != CUT {
                state[index] = mark;
            }
        }
        progress.set_fraction(0.5 * (done * 16_384) as f64 / triangles.len() as f64);
        progress.check()?;
    }
    Ok(state)
}

fn cells_of_triangle(surface: &SurfaceMesh, t: usize, frame: &GridFrame) -> Vec<(usize, u8)> {
    let corners = surface.corners(t);
    let test = CellTest::new(corners);
    let (half, epsilon) = (0.5 * frame.cell, BORDER * frame.cell);
    let range = |axis: usize, lo: f64, hi: f64| {
        let last = frame.dims[axis] as f64 - 1.0;
        let place = |x: f64| (x - frame.origin[axis]) / frame.cell;
        (
            (place(lo) - 2.0 * BORDER).floor().clamp(0.0, last) as usize,
            (place(hi) + 2.0 * BORDER).floor().clamp(0.0, last) as usize,
        )
    };
    let low = corners[0].inf(&corners[1]).inf(&corners[2]);
    let high = corners[0].sup(&corners[1]).sup(&corners[2]);
    // columns run along the steepest axis, where the plane passes few cells of each
    let normal = test.normal();
    let axis = normal.iamax();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let steep = normal[axis];
    let mut found = Vec::new();
    let ((u0, u1), (v0, v1)) = (range(u, low[u], high[u]), range(v, low[v], high[v]));
    for cell_v in v0..=v1 {
        for cell_u in u0..=u1 {
            let mut at = [0; 3];
            (at[u], at[v]) = (cell_u, cell_v);
            let mut span = (low[axis], high[axis]);
            if steep != 0.0 {
                let offset = frame.center(at) - corners[0];
                let middle =
                    corners[0][axis] - (normal[u] * offset[u] + normal[v] * offset[v]) / steep;
                let slope = (normal[u].abs() + normal[v].abs()) / steep.abs();
                let reach = (half + 2.0 * epsilon) * slope + epsilon;
                span = (span.0.max(middle - reach), span.1.min(middle + reach));
            }
            if span.0 > span.1 + epsilon {
                continue;
            }
            let (from, to) = range(axis, span.0, span.1);
            for cell in from..=to {
                at[axis] = cell;
                match test.against(&frame.center(at), half, epsilon) {
                    Overlap::Apart => {}
                    Overlap::Touching => found.push((frame.index(at), TOUCHED)),
                    Overlap::Cutting => found.push((frame.index(at), CUT)),
                }
            }
        }
    }
    found
}

/// Floods the outside from the padded corner; what remains is enclosed, or a cavity when the surface says so.
fn fill_enclosed(
    surface: &SurfaceMesh,
    frame: &GridFrame,
    state: &mut [u8],
    inside: &scanline::InsideVotes,
    progress: &Progress,
) -> Result<(), MeshingError> {
    let outside = flood(frame, state, 0, OUTSIDE, progress)?;
    let leaked = outside.iter().find(|&&c| inside.votes[c as usize] == 3);
    if leaked.is_some() || inside.broken > OPEN_SHARE {
        let middle = |e: &[u32; 2]| {
            (surface.positions[e[0] as usize] + surface.positions[e[1] as usize]) * 0.5
        };
        let at = topology(surface)
            .boundary_edges
            .first()
            .map(middle)
            .or_else(|| leaked.map(|&c| frame.center(frame.cell_at(c as usize))))
            .unwrap_or_else(|| surface.bounds().center());
        return Err(MeshingError::OpenSurface { at: at.into() });
    }
    drop(outside);
    progress.set_fraction(0.9);
    for seed in 0..state.len() {
        if state[seed] == EMPTY {
            let region = flood(frame, state, seed, ENCLOSED, progress)?;
            let yes = region
                .iter()
                .filter(|&&c| inside.votes[c as usize] >= 2)
                .count();
            if 2 * yes < region.len() {
                for &c in &region {
                    state[c as usize] = CAVITY;
                }
            }
        }
    }
    Ok(())
}

/// Gives `mark` to all empty cells that can be reached from `seed` over faces and returns them.
fn flood(
    frame: &GridFrame,
    state: &mut [u8],
    seed: usize,
    mark: u8,
    progress: &Progress,
) -> Result<Vec<u32>, MeshingError> {
    let strides = [1, frame.dims[0], frame.dims[0] * frame.dims[1]];
    let mut reached = vec![seed as u32];
    state[seed] = mark;
    let mut next = 0;
    while let Some(&index) = reached.get(next) {
        if next.is_multiple_of(1 << 20) {
            progress.check()?;
        }
        next += 1;
        let at = frame.cell_at(index as usize);
        for axis in 0..3 {
            let down = (at[axis] > 0).then(|| index as usize - strides[axis]);
            let up = (at[axis] + 1 < frame.dims[axis]).then(|| index as usize + strides[axis]);
            for neighbour in [down, up].into_iter().flatten() {
                if state[neighbour] == EMPTY {
                    state[neighbour] = mark;
                    reached.push(neighbour as u32);
                }
            }
        }
    }
    Ok(reached)
}
