//! Inside by distance: sheets get a thickness.

use pliant_core::asset::{Cancelled, Progress};
use rayon::prelude::*;

use super::contour::Field;
use super::flood::{FIRST_CORNER, Side, flood};
use super::grid::Grid;
use crate::geometry::winding::WindingNumber;
use crate::wrap::input::Input;

/// Inside are points closer to the surface than `half`, and points that cannot be reached from outside without coming that close. With `keeps_cavities` and a
/// closed surface, the latter count only where the winding number is above one half.
pub(crate) fn by_distance(
    grid: &Grid,
    input: &Input,
    half: f64,
    keeps_cavities: bool,
    progress: &Progress,
) -> Result<Field, Cancelled> {
    progress.stage("wrapping: thickness");
    let reach = half / grid.cell + 1.0;
    let mut sides = vec![Side::Unknown; grid.point_count()];
    let mut values = vec![0.0_f32; grid.point_count()];
    let distances = |first: [i64; 3]| {
        if !input.is_near_block(grid, first, reach) {
            return Vec::new();
        }
        let distance = |p: u32| {
            let found = input.tree.closest(&grid.position_of(p));
            found.map_or(f64::INFINITY, |c| c.distance_squared.sqrt())
        };
        let points = grid.block_points(first);
        points.into_iter().map(|p| (p, distance(p))).collect()
    };
    grid.by_blocks(1.0, progress, distances, |(p, distance)| {
        if distance < half {
            sides[p as usize] = Side::Wall;
        }
        let depth = (half - distance) / (4.0 * grid.cell);
        values[p as usize] = (0.5 + depth.clamp(-0.49, 0.49)) as f32;
    })?;
    flood(grid, &mut sides, FIRST_CORNER, Side::Outside);
    if keeps_cavities {
        // no cavity crosses the surface, so that one number decides for all of it
        let winding = WindingNumber::new(&input.surface.positions, &input.surface.triangles);
        for p in 0..grid.point_count() as u32 {
            if sides[p as usize] == Side::Unknown {
                let is_inside = winding.at(&grid.position_of(p)) > 0.5;
                let side = if is_inside {
                    Side::Inside
                } else {
                    Side::Outside
                };
                flood(grid, &mut sides, p, side);
            }
        }
    }
    let inside = (0..grid.point_count() as u32)
        .into_par_iter()
        .map(|p| sides[p as usize] != Side::Outside && !grid.is_border(grid.doubled(p)))
        .collect();
    Ok(Field {
        inside,
        winding: values,
        by_value: true,
    })
}
