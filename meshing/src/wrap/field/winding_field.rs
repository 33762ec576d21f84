//! Inside by the generalised winding number (Jacobson et al. 2013): above one half.

use pliant_core::asset::{Cancelled, Progress};
use rayon::prelude::*;

use super::contour::Field;
use super::grid::{BLOCK_CELLS, Grid};
use crate::geometry::solid::places;
use crate::geometry::windings::Windings;
use crate::wrap::input::Input;

/// Blocks with triangles within this many cells are sampled at every point.
const NEAR_CELLS: f64 = 1.0;
/// Farther away the winding number is harmonic. A block whose samples differ from one half by more than this is filled with their mean.
const HALF_MARGIN: f64 = 0.2;

/// Samples the winding number: everywhere near the surface, and where it comes near one half elsewhere (the caps of holes).
pub(crate) fn by_winding(
    grid: &Grid,
    input: &Input,
    progress: &Progress,
) -> Result<Field, Cancelled> {
    progress.stage("wrapping: winding numbers");
    let windings = Windings::new(&input.surface, &places(&input.surface));
    let mut winding = vec![0.0_f32; grid.point_count()];
    let values = |first: [i64; 3]| block(grid, input, &windings, first);
    grid.by_blocks(1.0, progress, values, |(point, value)| {
        winding[point as usize] = value;
    })?;
    let inside = (0..grid.point_count() as u32)
        .into_par_iter()
        .map(|p| winding[p as usize] > 0.5 && !grid.is_border(grid.doubled(p)))
        .collect();
    Ok(Field {
        inside,
        winding,
        by_value: false,
    })
}

/// Values at the points of the block with the lowest cell `first`.
fn block(grid: &Grid, input: &Input, windings: &Windings, first: [i64; 3]) -> Vec<(u32, f32)> {
    let points = grid.block_points(first);
    if !input.is_near_block(grid, first, NEAR_CELLS) {
        if windings.counter().is_some() {
            let uniform = windings.at(&grid.position(first.map(|i| 2 * i + BLOCK_CELLS)));
            return points.iter().map(|&p| (p, uniform as f32)).collect();
        }
        let samples: Vec<f64> = (0..9)
            .map(|n| {
                let q = if n == 8 {
                    first.map(|i| 2 * i + BLOCK_CELLS)
                } else {
                    [0, 1, 2].map(|a| 2 * (first[a] + BLOCK_CELLS * ((n >> a) & 1)))
                };
                windings.at(&grid.position(q))
            })
            .collect();
        let inside = samples[8] > 0.5;
        if samples
            .iter()
            .all(|w| (w - 0.5).abs() > HALF_MARGIN && (*w > 0.5) == inside)
        {
            let mean = samples.iter().sum::<f64>() / 9.0;
            return points.iter().map(|&p| (p, mean as f32)).collect();
        }
    }
    points
        .iter()
        .map(|&p| (p, windings.at(&grid.position_of(p)) as f32))
        .collect()
}
