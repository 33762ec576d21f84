//! Where lines along the axes cross a surface. The test is watertight: a line through a closed surface enters as often as it leaves.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::SurfaceMesh;
use rayon::prelude::*;

use super::frame::GridFrame;

/// Triangles between two checks of the cancel flag.
const BATCH_SIZE: usize = 65_536;

/// A point where a line crosses a triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crossing {
    /// line: number along the next axis, plus their count times the number along the one after
    pub(crate) row: u32,
    pub(crate) triangle: u32,
    /// coordinate on the line in cells, measured from the first line that crosses it
    pub(crate) along: f64,
    /// 1 where the line enters a surface that faces outwards, −1 where it leaves
    pub(crate) sign: i8,
}

/// A family of lines along all three axes, one through each point of a cubic lattice with the spacing of the grid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lines {
    /// offset of the first point from the grid's origin, cells
    pub(crate) shift: [f64; 3],
    /// points along x, y, z
    pub(crate) dims: [usize; 3],
}

impl Lines {
    /// Crossings of the lines along `axis` with all triangles, by line, then by coordinate.
    pub(crate) fn crossings(
        &self,
        surface: &SurfaceMesh,
        frame: &GridFrame,
        axis: usize,
        progress: &Progress,
    ) -> Result<Vec<Crossing>, Cancelled> {
        let mut all = Vec::new();
        for from in (0..surface.triangles.len()).step_by(BATCH_SIZE) {
            progress.check()?;
            let to = (from + BATCH_SIZE).min(surface.triangles.len());
            let found: Vec<Vec<Crossing>> = (from..to)
                .into_par_iter()
                .with_min_len(256)
                .fold_chunks(1024, Vec::new, |mut list, t| {
                    self.add_crossings_of(surface, frame, axis, t, &mut list);
                    list
                })
                .collect();
            all.extend(found.into_iter().flatten());
        }
        all.par_sort_unstable_by(|a, b| {
            let position = a.row.cmp(&b.row).then(a.along.total_cmp(&b.along));
            position
                .then(a.sign.cmp(&b.sign))
                .then(a.triangle.cmp(&b.triangle))
        });
        Ok(all)
    }

    fn add_crossings_of(
        &self,
        surface: &SurfaceMesh,
        frame: &GridFrame,
        axis: usize,
        t: usize,
        found: &mut Vec<Crossing>,
    ) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let corners = surface
            .corners(t)
            .map(|p| (p - frame.origin) / frame.cell - pliant_core::math::Vec3::from(self.shift));
        let flat = corners.map(|p| [p[u], p[v]]);
        let span = |s: usize, axis: usize| {
            let (lo, hi) = flat
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), p| {
                    (lo.min(p[s]), hi.max(p[s]))
                });
            let last = self.dims[axis] as f64 - 1.0;
            (
                lo.ceil().clamp(0.0, last) as usize,
                hi.floor().clamp(0.0, last) as usize,
            )
        };
        let ((u0, u1), (v0, v1)) = (span(0, u), span(1, v));
        for row_v in v0..=v1 {
            for row_u in u0..=u1 {
                if let Some((along, sign)) =
                    line_crossing(&corners, axis, [row_u as f64, row_v as f64])
                {
                    found.push(Crossing {
                        row: (row_v * self.dims[u] + row_u) as u32,
                        triangle: t as u32,
                        along,
                        sign,
                    });
                }
            }
        }
    }
}

/// Where the line along `axis` through `point` (its coordinates on the two following axes) crosses a triangle, and whether it enters (1) or
/// leaves (−1) there. Where the line passes exactly through an edge or a vertex, the ties are broken consistently among the triangles around it.
pub(crate) fn line_crossing(
    corners: &[pliant_core::math::Vec3; 3],
    axis: usize,
    point: [f64; 2],
) -> Option<(f64, i8)> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let flat = corners.map(|p| [p[u], p[v]]);
    let sides = [1, 2, 0].map(|k| side(flat[k], flat[(k + 1) % 3], point));
    if sides.iter().any(|s| s.1 != sides[0].1) {
        return None;
    }
    let sum: f64 = sides.iter().map(|s| s.0).sum();
    let along = if sum == 0.0 {
        (corners[0][axis] + corners[1][axis] + corners[2][axis]) / 3.0
    } else {
        (0..3).map(|k| sides[k].0 / sum * corners[k][axis]).sum()
    };
    // where the line enters, the normal of the triangle points against it
    Some((along, if sides[0].1 { -1 } else { 1 }))
}

/// On which side of the line from `a` to `b` the point lies: twice the area of the triangle they form, and whether the point counts as left of it.
///
/// The area is computed with the ends in a fixed order, so that the two triangles of an edge get exactly opposite values. A point on the
/// line is moved by an infinitesimal amount, first along u, then along v.
fn side(a: [f64; 2], b: [f64; 2], point: [f64; 2]) -> (f64, bool) {
    let swapped = b < a;
    let (p, q) = if swapped { (b, a) } else { (a, b) };
    let area = (q[0] - p[0]) * (point[1] - p[1]) - (q[1] - p[1]) * (point[0] - p[0]);
    let left = match area {
        x if x > 0.0 => true,
        x if x < 0.0 => false,
        _ if q[1] != p[1] => q[1] < p[1],
        _ => q[0] > p[0],
    };
    (if swapped { -area } else { area }, left != swapped)
}
