//! One cell and the triangles that overlap it.

use pliant_core::math::Vec3;

use crate::voxelise::grid::crossings::Crossing;
use crate::voxelise::grid::frame::GridFrame;
use crate::voxelise::grid::overlap::{CellTest, Overlap};

/// Tolerance of overlap tests, cells.
const OVERLAP_TOLERANCE: f64 = 1e-9;

/// Marks an edge without a triangle on the other side.
pub(crate) const NO_NEIGHBOUR: u32 = u32::MAX;

/// Data of the body that all cells use.
pub(crate) struct Body<'a> {
    /// vertices in cells of the shifted grid
    pub(crate) vertices: Vec<Vec3>,
    pub(crate) triangles: &'a [[u32; 3]],
    /// triangle on the other side of each edge (corners k and k + 1), or [`NO_NEIGHBOUR`]
    pub(crate) neighbours: &'a [[u32; 3]],
    /// crossings of grid lines along x, y, z, and where each line begins
    pub(crate) crossings: &'a [Vec<Crossing>; 3],
    pub(crate) line_starts: [Vec<u32>; 3],
    pub(crate) frame: &'a GridFrame,
    /// whether a site lies in the material, x fastest
    pub(crate) inside: &'a [bool],
    /// −1 for a surface that is inside out
    pub(crate) outward: i8,
    /// whether the surface encloses nothing and is the material itself
    pub(crate) sheet: bool,
}

/// One cell with the triangles that overlap it.
pub(crate) struct Cell<'a> {
    pub(crate) body: &'a Body<'a>,
    pub(crate) at: [usize; 3],
    /// ascending
    pub(crate) triangles: Vec<u32>,
    /// whether each corner lies in the material
    pub(crate) inside: [bool; 8],
}

impl<'a> Cell<'a> {
    pub(crate) fn new(body: &'a Body<'a>, group: &[(u32, u32)]) -> Self {
        let at = body.frame.cell_at(group[0].0 as usize);
        let center = Vec3::from(at.map(|i| i as f64 + 0.5));
        let overlaps = |t: &u32| {
            CellTest::new(body.corners(*t)).against(&center, 0.5, OVERLAP_TOLERANCE)
                != Overlap::Apart
        };
        Self {
            body,
            at,
            triangles: group.iter().map(|p| p.1).filter(overlaps).collect(),
            inside: std::array::from_fn(|b| body.inside[body.frame.site_index(at, b)]),
        }
    }

    /// Corners of its triangles in cells of the shifted grid.
    pub(crate) fn corners(&self) -> Vec<[Vec3; 3]> {
        let triangles = self.triangles.iter();
        triangles.map(|&t| self.body.corners(t)).collect()
    }

    /// Index of a triangle in the list.
    pub(crate) fn index_of(&self, triangle: u32) -> Option<u32> {
        let found = self.triangles.binary_search(&triangle);
        found.ok().map(|k| k as u32)
    }

    /// Whether the segment intersects the closed cell.
    pub(crate) fn intersects_segment(&self, from: &Vec3, to: &Vec3) -> bool {
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for axis in 0..3 {
            let (lo, hi) = (
                self.at[axis] as f64 - OVERLAP_TOLERANCE,
                self.at[axis] as f64 + 1.0 + OVERLAP_TOLERANCE,
            );
            let step = to[axis] - from[axis];
            if step == 0.0 {
                if from[axis] < lo || from[axis] > hi {
                    return false;
                }
                continue;
            }
            let (a, b) = ((lo - from[axis]) / step, (hi - from[axis]) / step);
            low = low.max(a.min(b));
            high = high.min(a.max(b));
        }
        low <= high
    }

    /// Crossings of the surface with an edge of the cell, in order: the edge along `axis` from corner `corner`.
    pub(crate) fn crossings(&self, axis: usize, corner: usize) -> &[Crossing] {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let bit = |k: usize| corner >> k & 1;
        let row = (self.at[v] + bit(v)) * (self.body.frame.dims[u] + 1) + self.at[u] + bit(u);
        let starts = &self.body.line_starts[axis];
        let line = &self.body.crossings[axis][starts[row] as usize..starts[row + 1] as usize];
        let (lo, hi) = (self.at[axis] as f64, self.at[axis] as f64 + 1.0);
        let from = line.partition_point(|c| c.along < lo);
        let count = line[from..].partition_point(|c| c.along <= hi);
        &line[from..from + count]
    }
}

impl Body<'_> {
    /// Corners of a triangle in cells of the shifted grid.
    pub(crate) fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|v| self.vertices[v as usize])
    }
}
