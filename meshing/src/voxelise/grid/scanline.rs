//! Which points of a cubic lattice lie inside a surface: signed crossings along its lines in three directions.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::SurfaceMesh;

use super::crossings::{Crossing, Lines};
use super::frame::GridFrame;

/// Votes of the three directions, and a measure of how open the surface is.
pub(crate) struct InsideVotes {
    /// For each point, x fastest, the number of directions (0 to 3) along whose line it is inside.
    pub(crate) votes: Vec<u8>,
    /// Largest share, over the directions, of crossed lines whose crossings do not cancel: 0 for a closed surface.
    pub(crate) open_share: f64,
    /// Crossings of the lines along x, y, z.
    pub(crate) crossings: [Vec<Crossing>; 3],
}

/// Counts signed crossings of the lines with the surface (the winding number of a closed surface).
///
/// `outward` is 1 for a surface whose triangles face outwards and -1 for one that is inside out. Cost per direction: one pass over the triangles and
/// the lines through them, and one over the points.
pub(crate) fn inside_votes(
    surface: &SurfaceMesh,
    frame: &GridFrame,
    lines: &Lines,
    outward: i32,
    progress: &Progress,
) -> Result<InsideVotes, Cancelled> {
    let dims = lines.dims;
    let mut result = InsideVotes {
        votes: vec![0; dims.iter().product()],
        open_share: 0.0,
        crossings: Default::default(),
    };
    for axis in 0..3 {
        let crossings = lines.crossings(surface, frame, axis, progress)?;
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (mut count, mut open_count) = (0_usize, 0_usize);
        for line in crossings.chunk_by(|a, b| a.row == b.row) {
            let mut at = [0; 3];
            at[u] = line[0].row as usize % dims[u];
            at[v] = line[0].row as usize / dims[u];
            // the first point after a crossing
            let first_after = |c: &Crossing| c.along.ceil().clamp(0.0, dims[axis] as f64) as usize;
            let mut winding = 0;
            for pair in line.windows(2) {
                winding += i32::from(pair[0].sign);
                if winding * outward > 0 {
                    for point in first_after(&pair[0])..first_after(&pair[1]) {
                        at[axis] = point;
                        result.votes[(at[2] * dims[1] + at[1]) * dims[0] + at[0]] += 1;
                    }
                }
            }
            count += 1;
            open_count += usize::from(line.iter().map(|c| i32::from(c.sign)).sum::<i32>() != 0);
        }
        result.open_share = result
            .open_share
            .max(open_count as f64 / count.max(1) as f64);
        result.crossings[axis] = crossings;
        progress.check()?;
    }
    Ok(result)
}
