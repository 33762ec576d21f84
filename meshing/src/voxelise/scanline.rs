//! Which cell centres lie inside a surface: signed crossings along grid lines in three directions.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::SurfaceMesh;

use super::frame::GridFrame;

/// Votes of the three directions and how far the surface is from being closed.
pub(super) struct InsideVotes {
    /// For each cell the number of directions (0 to 3) whose grid line says that the centre is inside.
    pub(super) votes: Vec<u8>,
    /// Largest share, over the directions, of crossed grid lines whose crossings do not cancel: 0 for a closed surface.
    pub(super) broken: f64,
}

struct Crossing {
    row: u32,
    /// first cell of the row whose centre lies behind the crossing
    cell: u32,
    sign: i32,
}

/// Counts signed crossings of the grid lines through the cell centres with the surface (the winding number of a closed surface).
///
/// `outward` is 1 for a surface whose triangles face outwards and -1 for one that is inside out. Cost: one pass over the triangles and
/// their cells a direction, and one over the grid.
pub(super) fn inside_votes(
    surface: &SurfaceMesh,
    frame: &GridFrame,
    outward: i32,
    progress: &Progress,
) -> Result<InsideVotes, Cancelled> {
    let mut result = InsideVotes {
        votes: vec![0; frame.len()],
        broken: 0.0,
    };
    for axis in 0..3 {
        let mut crossings = crossings_along(surface, frame, axis, progress)?;
        crossings.sort_unstable_by_key(|c| (c.row, c.cell, c.sign));
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (mut lines, mut broken) = (0_usize, 0_usize);
        for line in crossings.chunk_by(|a, b| a.row == b.row) {
            let mut at = [0; 3];
            at[u] = line[0].row as usize % frame.dims[u];
            at[v] = line[0].row as usize / frame.dims[u];
            let mut winding = 0;
            for pair in line.windows(2) {
                winding += pair[0].sign;
                if winding * outward > 0 {
                    for cell in pair[0].cell..pair[1].cell {
                        at[axis] = cell as usize;
                        result.votes[frame.index(at)] += 1;
                    }
                }
            }
            lines += 1;
            broken += usize::from(line.iter().map(|c| c.sign).sum::<i32>() != 0);
        }
        result.broken = result.broken.max(broken as f64 / lines.max(1) as f64);
        progress.check()?;
    }
    Ok(result)
}

fn crossings_along(
    surface: &SurfaceMesh,
    frame: &GridFrame,
    axis: usize,
    progress: &Progress,
) -> Result<Vec<Crossing>, Cancelled> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut crossings = Vec::new();
    for t in 0..surface.triangles.len() {
        if t.is_multiple_of(65_536) {
            progress.check()?;
        }
        // grid units, in which cell centres are at half-integers
        let corners = surface.corners(t).map(|p| (p - frame.origin) / frame.cell);
        let flat = corners.map(|p| [p[u], p[v]]);
        let span = |s: usize| {
            let (lo, hi) = flat
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), p| {
                    (lo.min(p[s]), hi.max(p[s]))
                });
            let last = frame.dims[if s == 0 { u } else { v }] as f64 - 1.0;
            (
                (lo - 0.5).ceil().clamp(0.0, last) as usize,
                (hi - 0.5).floor().clamp(0.0, last) as usize,
            )
        };
        let ((u0, u1), (v0, v1)) = (span(0), span(1));
        for row_v in v0..=v1 {
            for row_u in u0..=u1 {
                let point = [row_u as f64 + 0.5, row_v as f64 + 0.5];
                let sides = [1, 2, 0].map(|k| side(flat[k], flat[(k + 1) % 3], point));
                if sides.iter().any(|s| s.1 != sides[0].1) {
                    continue;
                }
                let sum: f64 = sides.iter().map(|s| s.0).sum();
                let along = if sum == 0.0 {
                    (corners[0][axis] + corners[1][axis] + corners[2][axis]) / 3.0
                } else {
                    (0..3).map(|k| sides[k].0 / sum * corners[k][axis]).sum()
                };
                let behind = (along - 0.5).ceil().clamp(0.0, frame.dims[axis] as f64);
                crossings.push(Crossing {
                    row: (row_v * frame.dims[u] + row_u) as u32,
                    cell: behind as u32,
                    // a line that enters meets a triangle whose normal points back
                    sign: if sides[0].1 { -1 } else { 1 },
                });
            }
        }
    }
    Ok(crossings)
}

/// On which side of the line from `a` to `b` the point lies: twice the area of the triangle they form, and whether the point counts as left of it.
///
/// The area is computed with the ends in a fixed order, so that the two triangles of an edge get opposite answers to the last bit; a point on the
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
