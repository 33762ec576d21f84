//! From inside flags on a lattice to a surface by marching tetrahedra. The surface is closed, manifold and oriented for any flags.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::{Aabb, Ray};
use pliant_core::mesh::SurfaceMesh;
use rayon::prelude::*;

use super::grid::Grid;
use crate::geometry::marching_tetrahedra::{cut, surface_of, tetrahedra};
use crate::wrap::input::Input;

/// Which lattice points are inside, and where the border between two of them lies if no triangle crosses their edge.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// by point; false on the outermost layer
    pub inside: Vec<bool>,
    /// winding numbers by point, or other values that cross one half at the border; empty if there are none
    pub winding: Vec<f32>,
    /// whether the border is taken from the values, not from the triangles
    pub by_value: bool,
}

impl Field {
    /// Position of the border from an outside (0) to an inside (1) point.
    fn share(&self, outside: u32, inside: u32) -> f64 {
        let at = |p: u32| self.winding.get(p as usize).map(|w| f64::from(*w));
        match (at(outside), at(inside)) {
            (Some(low), Some(high)) if high > low => (0.5 - low) / (high - low),
            _ => 0.5,
        }
    }
}

/// An edge of the lattice from its outside to its inside point.
type Cut = (u32, u32);

/// The border of the inside. Each vertex lies on a lattice edge, at the first crossing with the input from outside. So the surface does not cross itself.
pub(crate) fn contour(
    grid: &Grid,
    field: &Field,
    input: &Input,
    progress: &Progress,
) -> Result<SurfaceMesh, Cancelled> {
    progress.check()?;
    let layer = grid.cells[0] * grid.cells[1];
    let pieces: Vec<Vec<[Cut; 3]>> = (0..grid.cells[2])
        .into_par_iter()
        .map(|k| {
            let mut out = Vec::new();
            for number in k * layer..(k + 1) * layer {
                let cell = grid.cell_at(number);
                if is_uniform(grid, field, cell) {
                    continue;
                }
                for tet in tetrahedra(cell.map(|i| 2 * i + 1)) {
                    let [Some(a), Some(b), Some(c), Some(d)] = tet.map(|q| grid.number(q)) else {
                        continue;
                    };
                    let points = [a, b, c, d];
                    let inside = points.map(|p| field.inside[p as usize]);
                    cut(points, inside, |corners| out.push(corners));
                }
            }
            out
        })
        .collect();
    progress.check()?;
    let corners: Vec<[Cut; 3]> = pieces.into_iter().flatten().collect();
    Ok(surface_of(&corners, |(outside, inside)| {
        let from = grid.position_of(outside);
        let along = grid.position_of(inside) - from;
        let hit = (!field.by_value)
            .then(|| first_hit(input, from, along))
            .flatten();
        let share = hit.unwrap_or_else(|| field.share(outside, inside));
        // kept away from the lattice points, where many vertices would coincide
        from + along * share.clamp(0.03, 0.97)
    }))
}

/// Whether the tetrahedra around a cell's centre lie on one side: their points are its corners, its centre and the next centres.
fn is_uniform(grid: &Grid, field: &Field, cell: [i64; 3]) -> bool {
    let at = |q: [i64; 3]| grid.number(q).map(|p| field.inside[p as usize]);
    let center = cell.map(|i| 2 * i + 1);
    let first = at(center);
    (0..8)
        .map(|n| [0, 1, 2].map(|a| 2 * (cell[a] + ((n >> a) & 1))))
        .chain((0..3).map(|axis| {
            let mut next = center;
            next[axis] += 2;
            next
        }))
        .all(|q| at(q).is_none_or(|inside| Some(inside) == first))
}

/// First crossing of the segment with the surface, as a share of it.
pub(crate) fn first_hit(input: &Input, from: Vec3, along: Vec3) -> Option<f64> {
    let ray = Ray {
        origin: from,
        direction: along,
    };
    let mut first: Option<f64> = None;
    let bounds = Aabb::of_points(&[from, from + along]);
    input.tree.overlapping(&bounds, |t| {
        if let Some((t, _)) = ray.intersect_triangle(input.surface.corners(t as usize))
            && t <= first.unwrap_or(1.0)
        {
            first = Some(t);
        }
    });
    first
}
