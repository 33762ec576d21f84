//! Inside by flood fill: what a flood from outside does not reach, with gaps of up to about two cells closed. Needs no orientation.

use pliant_core::asset::{Cancelled, Progress};
use rayon::prelude::*;

use super::contour::{Field, first_hit};
use super::grid::Grid;
use crate::geometry::marching_tetrahedra::NEIGHBOURS;
use crate::wrap::input::Input;

/// Points closer to the surface than this many cells form the wall, which the first flood does not enter.
const WALL_RADIUS: f64 = 1.0;

/// A point outside: floods of the outside start there.
pub(crate) const FIRST_CORNER: u32 = 0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Unknown,
    Wall,
    Outside,
    Inside,
}

/// Two floods. The first, from the border, does not enter the wall of points near the surface; points beyond the wall that it does not reach are inside. The second
/// enters the wall from both sides, one step at a time, and does not cross triangles. Wall points that neither reaches are inside.
pub(crate) fn by_flood(
    grid: &Grid,
    input: &Input,
    progress: &Progress,
) -> Result<Field, Cancelled> {
    progress.stage("wrapping: flood fill");
    let count = grid.point_count() as u32;
    let radius = WALL_RADIUS * grid.cell;
    let mut sides = vec![Side::Unknown; count as usize];
    let walls = |first: [i64; 3]| {
        if !input.is_near_block(grid, first, WALL_RADIUS) {
            return Vec::new();
        }
        let mut points = grid.block_points(first);
        points.retain(|&p| {
            let position = grid.position_of(p);
            input.tree.closest_within(&position, radius).is_some()
        });
        points
    };
    grid.by_blocks(0.5, progress, walls, |p| sides[p as usize] = Side::Wall)?;
    flood(grid, &mut sides, FIRST_CORNER, Side::Outside);
    for side in &mut sides {
        if *side == Side::Unknown {
            *side = Side::Inside;
        }
    }
    let mut front: Vec<u32> = (0..count)
        .filter(|&p| sides[p as usize] != Side::Wall)
        .collect();
    while !front.is_empty() {
        progress.check()?;
        front = grow_into_wall(grid, input, &mut sides, &front);
    }
    let inside = (0..count)
        .map(|p| {
            matches!(sides[p as usize], Side::Inside | Side::Wall)
                && !grid.is_border(grid.doubled(p))
        })
        .collect();
    Ok(Field {
        inside,
        winding: Vec::new(),
        by_value: false,
    })
}

/// Marks `start`, and what can be reached from it through unknown points.
pub(crate) fn flood(grid: &Grid, sides: &mut [Side], start: u32, side: Side) {
    let mut stack = vec![start];
    sides[start as usize] = side;
    while let Some(p) = stack.pop() {
        let at = grid.doubled(p);
        for step in NEIGHBOURS {
            let next = grid.number([0, 1, 2].map(|a| at[a] + step[a]));
            if let Some(q) = next
                && sides[q as usize] == Side::Unknown
            {
                sides[q as usize] = side;
                stack.push(q);
            }
        }
    }
}

/// One step of the second flood from `front`; returns the points that it reached. Where both sides reach a point, the majority of its neighbours decides; a tie is outside.
fn grow_into_wall(grid: &Grid, input: &Input, sides: &mut [Side], front: &[u32]) -> Vec<u32> {
    let current = &*sides;
    let mut arrivals: Vec<(u32, i32)> = front
        .par_iter()
        .flat_map_iter(|&p| {
            let at = grid.doubled(p);
            let vote = if current[p as usize] == Side::Inside {
                1
            } else {
                -1
            };
            NEIGHBOURS.into_iter().filter_map(move |step| {
                let q = grid.number([0, 1, 2].map(|a| at[a] + step[a]))?;
                let from = grid.position_of(p);
                let is_reached = current[q as usize] == Side::Wall
                    && first_hit(input, from, grid.position_of(q) - from).is_none();
                is_reached.then_some((q, vote))
            })
        })
        .collect();
    arrivals.par_sort_unstable();
    let mut reached = Vec::new();
    for votes in arrivals.chunk_by(|a, b| a.0 == b.0) {
        let point = votes[0].0;
        let inside = votes.iter().map(|v| v.1).sum::<i32>() > 0;
        sides[point as usize] = if inside { Side::Inside } else { Side::Outside };
        reached.push(point);
    }
    reached
}
