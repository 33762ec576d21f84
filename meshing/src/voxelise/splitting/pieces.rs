//! Counts the pieces of material in each cell.
//!
//! The triangles in a cell form patches: triangles that share an edge which intersects the cell. A patch with a rim (a boundary curve) on the faces of the
//! cell cuts the cell in two; each piece of material is bounded by some patches and parts of the faces. Because a cell has no handles, two patches bound the
//! same piece exactly when they are connected by patches and by intervals of material on the faces. A face has no holes either, so it suffices to look at the
//! intervals of material on the edges of the cell, in the order in which the surface crosses these edges ([`super::rims`] adds the rims that cross no edge).
//! So the count needs no sampling, and no gap is too thin for it.
//!
//! The grid used here is shifted by a few ten-millionths of a cell, so that surfaces in grid planes do not lie in faces of cells.

use pliant_core::math::Vec3;
use pliant_core::mesh::validate::UnionFind;
use rayon::prelude::*;

use super::cell::{Body, Cell, NO_NEIGHBOUR};
use super::rims::join_rims;
use crate::geometry::triangle_crossing::cross;

/// Shift of the grid, cells. It is less than the border within which a triangle only touches a cell.
pub(crate) const GRID_SHIFT: [f64; 3] = [2.9e-7, 3.7e-7, 4.3e-7];

/// No material at a corner.
pub(crate) const OUTSIDE: u8 = u8::MAX;
/// Largest number of pieces that are distinguished in one cell.
const MAX_PIECES: usize = 16;

/// The pieces of all cells that the surface cuts.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Pieces {
    /// cells with triangles, ascending
    pub(crate) cells: Vec<u32>,
    /// where the triangles of each begin
    pub(crate) starts: Vec<u32>,
    pub(crate) triangles: Vec<u32>,
    /// piece of each of these triangles in its cell
    pub(crate) of_triangle: Vec<u8>,
    /// piece of each corner of each of these cells, or [`OUTSIDE`]
    pub(crate) of_corner: Vec<[u8; 8]>,
    /// number of pieces of each
    pub(crate) count: Vec<u8>,
}

impl Pieces {
    /// Finds the pieces of the cells in `pairs` of (cell, triangle), sorted; pairs that do not overlap in the shifted grid are dropped.
    pub(crate) fn find(body: &Body<'_>, pairs: &[(u32, u32)]) -> Self {
        let groups: Vec<&[(u32, u32)]> = pairs.chunk_by(|a, b| a.0 == b.0).collect();
        let found: Vec<CellPieces> = groups
            .par_iter()
            .map_init(Workspace::default, |work, group| work.cell(body, group))
            .collect();
        let mut pieces = Self {
            starts: vec![0],
            ..Self::default()
        };
        for (group, cell) in groups.iter().zip(found) {
            if cell.triangles.is_empty() {
                continue;
            }
            pieces.cells.push(group[0].0);
            pieces.triangles.extend(&cell.triangles);
            pieces.of_triangle.extend(&cell.of_triangle);
            pieces.starts.push(pieces.triangles.len() as u32);
            pieces.of_corner.push(cell.of_corner);
            pieces.count.push(cell.count);
        }
        pieces
    }

    /// Index of a cell in the lists; `None` when no triangle overlaps it.
    pub(crate) fn index_of(&self, cell: u32) -> Option<usize> {
        self.cells.binary_search(&cell).ok()
    }

    /// Triangles of the cell at `index` and the piece of each.
    pub(crate) fn triangles(&self, index: usize) -> (&[u32], &[u8]) {
        let range = self.starts[index] as usize..self.starts[index + 1] as usize;
        (&self.triangles[range.clone()], &self.of_triangle[range])
    }

    /// Piece of a triangle in the cell at `index`.
    pub(crate) fn piece_of(&self, index: usize, triangle: u32) -> Option<u8> {
        let (triangles, pieces) = self.triangles(index);
        triangles.binary_search(&triangle).ok().map(|k| pieces[k])
    }
}

struct CellPieces {
    triangles: Vec<u32>,
    of_triangle: Vec<u8>,
    of_corner: [u8; 8],
    count: u8,
}

/// Memory that is reused from cell to cell.
#[derive(Default)]
struct Workspace {
    /// triangles of the cell, then its corners
    sets: UnionFind,
    rims: UnionFind,
}

impl Workspace {
    fn cell(&mut self, body: &Body<'_>, group: &[(u32, u32)]) -> CellPieces {
        let cell = Cell::new(body, group);
        let count = cell.triangles.len() as u32;
        self.sets.reset(cell.triangles.len() + 8);
        let is_open = join_patches(&cell, &mut self.sets);
        let patches = (0..count).filter(|&k| self.sets.find(k) == k).count();
        if is_open || patches < 2 {
            // a single patch has material on one side only
            for k in 1..count {
                self.sets.join(0, k);
            }
            for corner in (0..8).filter(|&b| cell.inside[b]) {
                self.sets.join(0, count + corner as u32);
            }
        } else {
            join_edges(&cell, &mut self.sets);
            join_rims(&cell, &mut self.sets, &mut self.rims);
            join_overlapping(&cell, &mut self.sets);
        }
        self.number(cell)
    }

    fn number(&mut self, cell: Cell<'_>) -> CellPieces {
        let count = cell.triangles.len() as u32;
        let mut roots: Vec<u32> = Vec::new();
        let mut piece = |sets: &mut UnionFind, element: u32| {
            let number = number_among(&mut roots, sets.find(element));
            number.min(MAX_PIECES - 1) as u8
        };
        let mut result = CellPieces {
            of_triangle: (0..count).map(|k| piece(&mut self.sets, k)).collect(),
            of_corner: [OUTSIDE; 8],
            triangles: cell.triangles,
            count: 0,
        };
        for corner in (0..8).filter(|&b| cell.inside[b]) {
            result.of_corner[corner] = piece(&mut self.sets, count + corner as u32);
        }
        result.count = roots.len().min(MAX_PIECES) as u8;
        result
    }
}

/// The index of an item in a list, to which it is added where it is new.
pub(crate) fn number_among<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    let existing = list.iter().position(|known| *known == item);
    existing.unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// Joins triangles over edges that intersect the cell. Returns true when one of these edges is a boundary edge and the surface is not a sheet: then it
/// does not determine the material in this cell.
fn join_patches(cell: &Cell<'_>, sets: &mut UnionFind) -> bool {
    for (k, &t) in (0..).zip(&cell.triangles) {
        let corners = cell.body.corners(t);
        for edge in 0..3 {
            let neighbour = cell.body.neighbours[t as usize][edge];
            let other = cell.index_of(neighbour);
            if neighbour != NO_NEIGHBOUR
                && (other.is_none()
                    || neighbour < t && cell.body.neighbours[neighbour as usize].contains(&t))
            {
                continue;
            }
            if cell.intersects_segment(&corners[edge], &corners[(edge + 1) % 3]) {
                match other {
                    Some(other) => sets.join(k, other),
                    None if !cell.body.sheet => return true,
                    None => {}
                }
            }
        }
    }
    false
}

/// Joins the triangles and corners that the material on the edges of the cell connects.
fn join_edges(cell: &Cell<'_>, sets: &mut UnionFind) {
    let element = |corner: usize| (cell.triangles.len() + corner) as u32;
    for axis in 0..3 {
        for corner in (0..8).filter(|b| b >> axis & 1 == 0) {
            let end = corner | 1 << axis;
            let mut material = cell.inside[corner].then(|| element(corner));
            for crossing in cell.crossings(axis, corner) {
                let crossed = cell.index_of(crossing.triangle);
                if let (Some(a), Some(b)) = (material, crossed) {
                    sets.join(a, b);
                }
                material = crossed.filter(|_| crossing.sign * cell.body.outward > 0);
            }
            if let Some(a) = material.filter(|_| cell.inside[end]) {
                sets.join(a, element(end));
            }
        }
    }
}

/// Joins patches that cross each other: overlapping bodies count as one.
fn join_overlapping(cell: &Cell<'_>, sets: &mut UnionFind) {
    let corners = cell.corners();
    let boxes: Vec<(Vec3, Vec3)> = corners
        .iter()
        .map(|[a, b, c]| (a.inf(b).inf(c), a.sup(b).sup(c)))
        .collect();
    for i in 0..corners.len() {
        for j in i + 1..corners.len() {
            let apart =
                (0..3).any(|k| boxes[i].0[k] > boxes[j].1[k] || boxes[j].0[k] > boxes[i].1[k]);
            let (a, b) = (i as u32, j as u32);
            if !apart && sets.find(a) != sets.find(b) && cross(corners[i], corners[j]) {
                sets.join(a, b);
            }
        }
    }
}
