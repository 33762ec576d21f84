//! Inside by the generalised winding number (Jacobson et al. 2013): above one half.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use rayon::prelude::*;

use super::contour::Field;
use super::grid::{BLOCK, Grid};
use crate::geometry::ray_crossings::CrossingCounter;
use crate::geometry::solid::{is_cycle, places};
use crate::geometry::winding::WindingNumber;
use crate::wrap::input::Input;

/// Blocks with triangles no farther than this many cells are sampled at every point.
const NEAR: f64 = 1.0;
/// Farther away the winding number is harmonic; a block whose samples keep this distance to one half is filled with their mean.
const CLEAR: f64 = 0.2;

/// Winding numbers of a surface: whole ones by counting along a ray where the surface has no rim, else sums of solid angles.
pub(crate) struct Windings {
    sums: WindingNumber,
    counts: Option<CrossingCounter>,
}

impl Windings {
    pub fn new(surface: &SurfaceMesh) -> Self {
        Self {
            sums: WindingNumber::new(&surface.positions, &surface.triangles),
            counts: is_cycle(surface, &places(surface))
                .then(|| CrossingCounter::new(&surface.positions, &surface.triangles)),
        }
    }

    /// Whether they are whole numbers, and so the same wherever no triangle lies between.
    pub fn are_whole(&self) -> bool {
        self.counts.is_some()
    }

    pub fn at(&self, point: &Vec3) -> f64 {
        let counted = self.counts.as_ref().and_then(|c| c.winding(point));
        counted.map_or_else(|| self.sums.at(point), f64::from)
    }
}

/// Samples the winding number: everywhere near the surface, and where it comes near one half elsewhere (the caps of holes).
pub(crate) fn by_winding(
    grid: &Grid,
    input: &Input,
    progress: &Progress,
) -> Result<Field, Cancelled> {
    progress.stage("wrapping: winding numbers");
    let windings = Windings::new(&input.surface);
    let count = grid.blocks();
    let mut winding = vec![0.0_f32; grid.point_count()];
    let slice = 512;
    for from in (0..count).step_by(slice) {
        progress.check()?;
        progress.set_fraction(from as f64 / count as f64);
        let pieces: Vec<Vec<(u32, f32)>> = (from..count.min(from + slice))
            .into_par_iter()
            .map(|b| block(grid, input, &windings, grid.block_at(b)))
            .collect();
        for (point, value) in pieces.into_iter().flatten() {
            winding[point as usize] = value;
        }
    }
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
    if !input.is_near_block(grid, first, NEAR) {
        if windings.are_whole() {
            let all = windings.at(&grid.position(first.map(|i| 2 * i + BLOCK)));
            return points.iter().map(|&p| (p, all as f32)).collect();
        }
        let samples: Vec<f64> = (0..9)
            .map(|n| {
                let q = if n == 8 {
                    first.map(|i| 2 * i + BLOCK)
                } else {
                    [0, 1, 2].map(|a| 2 * (first[a] + BLOCK * ((n >> a) & 1)))
                };
                windings.at(&grid.position(q))
            })
            .collect();
        let inside = samples[8] > 0.5;
        if samples
            .iter()
            .all(|w| (w - 0.5).abs() > CLEAR && (*w > 0.5) == inside)
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
