//! Where neighbouring cells of a grid must not be connected: copies of cells, the cells of the skin, thin parts.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::{CellShare, SkinCell, SurfaceMesh};

use super::cell::{Body, NO_NEIGHBOUR};
use super::copies::{Copies, Parts};
use super::pieces::{GRID_SHIFT, Pieces};
use super::shares::cell_shares;
use super::skin::skin_cells;
use crate::error::MeshingError;
use crate::repair::steps::edges::{by_edge, sides_between};
use crate::repair::steps::weld::equal_positions;
use crate::voxelise::grid::crossings::{Crossing, Lines};
use crate::voxelise::grid::frame::GridFrame;
use crate::voxelise::grid::scanline::inside_votes;
use crate::voxelise::options::{Fill, MAX_OPEN_SHARE, VoxelOptions};

/// What is derived from the pieces of material in the cells.
pub(crate) struct Topology {
    pub(crate) copies: Copies,
    /// empty when there are no copies
    pub(crate) skin: Vec<SkinCell>,
    /// the filled share of the cells that the body does not fill completely
    pub(crate) shares: Vec<CellShare>,
    /// cells of parts that are one cell across
    pub(crate) thin: usize,
}

/// Finds pieces, copies and the cells of the skin. `pairs` are cells and triangles that may meet, sorted.
pub(crate) fn topology(
    surface: &SurfaceMesh,
    frame: &GridFrame,
    kept: &[bool],
    mut pairs: Vec<(u32, u32)>,
    options: &VoxelOptions,
    outward: i8,
    progress: &Progress,
) -> Result<Topology, MeshingError> {
    let fill = options.fill;
    pairs.retain(|p| kept[p.0 as usize]);
    let lines = Lines {
        shift: GRID_SHIFT,
        dims: frame.dims.map(|n| n + 1),
    };
    let votes = inside_votes(surface, frame, &lines, i32::from(outward), progress)?;
    progress.set_fraction(0.8);
    // a sheet encloses nothing: the surface itself is the material, and each of its parts is a piece
    let sheet = fill == Fill::Shell && votes.open_share > MAX_OPEN_SHARE;
    let inside: Vec<bool> = votes.votes.iter().map(|&v| !sheet && v >= 2).collect();
    let crossings = if sheet {
        Default::default()
    } else {
        votes.crossings
    };
    let neighbours = edge_neighbours(surface);
    let shift = Vec3::from(GRID_SHIFT);
    let body = Body {
        vertices: surface
            .positions
            .iter()
            .map(|p| (p - frame.origin) / frame.cell - shift)
            .collect(),
        triangles: &surface.triangles,
        neighbours: &neighbours,
        line_starts: [0, 1, 2].map(|axis| line_starts(&crossings[axis], &lines, axis)),
        crossings: &crossings,
        frame,
        inside: &inside,
        outward,
        sheet,
    };
    progress.check()?;
    let pieces = Pieces::find(&body, &pairs);
    drop(pairs);
    progress.set_fraction(0.9);
    progress.check()?;
    let parts = Parts::new(frame, kept, &pieces);
    let copies = parts.copies();
    let thin = parts.thin_cells();
    let skin = if copies.list.is_empty() {
        Vec::new()
    } else {
        skin_cells(&body, &parts, &copies)
    };
    let mut shares = Vec::new();
    if fill == Fill::Solid {
        let copies = options.split_cells.then_some(&copies);
        shares = cell_shares(surface, frame, &pieces, copies, outward, progress)?;
    }
    Ok(Topology {
        copies,
        skin,
        shares,
        thin,
    })
}

/// For each triangle its neighbour across each edge (corners k and k + 1), or [`NO_NEIGHBOUR`]. Vertices with equal positions count as one. Around an edge
/// with more than two triangles each one's neighbour is the next in a cycle through all.
fn edge_neighbours(surface: &SurfaceMesh) -> Vec<[u32; 3]> {
    let mut result = vec![[NO_NEIGHBOUR; 3]; surface.triangles.len()];
    let sides = sides_between(surface, &equal_positions(&surface.positions));
    for around in by_edge(&sides).filter(|around| around.len() > 1) {
        for (k, side) in around.iter().enumerate() {
            let next = around[(k + 1) % around.len()].triangle;
            result[side.triangle as usize][usize::from(side.corner)] = next;
        }
    }
    result
}

/// Where the crossings of each line along `axis` begin.
fn line_starts(crossings: &[Crossing], lines: &Lines, axis: usize) -> Vec<u32> {
    let rows = lines.dims[(axis + 1) % 3] * lines.dims[(axis + 2) % 3];
    let mut starts = vec![0_u32; rows + 1];
    for crossing in crossings {
        starts[crossing.row as usize + 1] += 1;
    }
    for row in 0..rows {
        starts[row + 1] += starts[row];
    }
    starts
}
