//! Cells that the surface cuts or touches.

use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;
use rayon::prelude::*;

use super::frame::GridFrame;
use super::overlap::{CellTest, Overlap};
use super::state::{BORDER_WIDTH, CUT, EMPTY, TOUCHED};
use crate::error::MeshingError;

/// State of each cell, and all pairs of a cell and a triangle that share a point, sorted.
pub(crate) struct SurfaceCells {
    pub(crate) state: Vec<u8>,
    pub(crate) pairs: Vec<(u32, u32)>,
}

/// Tests every triangle against the cells around it. Cost: proportional to triangles and the cells that they overlap; eight bytes per pair.
pub(crate) fn surface_cells(
    surface: &SurfaceMesh,
    frame: &GridFrame,
    progress: &Progress,
) -> Result<SurfaceCells, MeshingError> {
    let mut state = vec![EMPTY; frame.len()];
    let mut pairs = Vec::new();
    let triangles: Vec<u32> = (0..surface.triangles.len() as u32).collect();
    for (done, chunk) in triangles.chunks(16_384).enumerate() {
        let found: Vec<Vec<(u32, u8)>> = chunk
            .par_iter()
            .map(|&t| cells_of_triangle(surface, t as usize, frame))
            .collect();
        for (&t, cells) in chunk.iter().zip(found) {
            for (index, mark) in cells {
                let current = &mut state[index as usize];
                if *current != CUT {
                    *current = mark;
                }
                pairs.push((index, t));
            }
        }
        progress.set_fraction(0.3 * (done * 16_384) as f64 / triangles.len() as f64);
        progress.check()?;
    }
    pairs.par_sort_unstable();
    Ok(SurfaceCells { state, pairs })
}

fn cells_of_triangle(surface: &SurfaceMesh, t: usize, frame: &GridFrame) -> Vec<(u32, u8)> {
    let corners = surface.corners(t);
    let test = CellTest::new(corners);
    let (half, epsilon) = (0.5 * frame.cell, BORDER_WIDTH * frame.cell);
    let range = |axis: usize, lo: f64, hi: f64| {
        let last = frame.dims[axis] as f64 - 1.0;
        let coordinate = |x: f64| (x - frame.origin[axis]) / frame.cell;
        (
            (coordinate(lo) - 2.0 * BORDER_WIDTH)
                .floor()
                .clamp(0.0, last) as usize,
            (coordinate(hi) + 2.0 * BORDER_WIDTH)
                .floor()
                .clamp(0.0, last) as usize,
        )
    };
    let low = corners[0].inf(&corners[1]).inf(&corners[2]);
    let high = corners[0].sup(&corners[1]).sup(&corners[2]);
    // columns run along the dominant axis of the normal, where the plane crosses few cells of each
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
                    Overlap::Touching => found.push((frame.index(at) as u32, TOUCHED)),
                    Overlap::Cutting => found.push((frame.index(at) as u32, CUT)),
                }
            }
        }
    }
    found
}
