//! From inside flags on a lattice to a surface: marching tetrahedra, closed, manifold and oriented whatever the flags are.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::{Aabb, Ray};
use pliant_core::mesh::SurfaceMesh;
use rayon::prelude::*;

use super::Input;
use super::grid::Grid;

/// Which lattice points are inside, and where between two of them the border lies if no triangle says so.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// by point; false on the outermost layer
    pub inside: Vec<bool>,
    /// winding numbers by point; empty where they are not known
    pub winding: Vec<f32>,
}

impl Field {
    /// Share of the way from an outside to an inside point.
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

/// Even permutations that bring vertex i to the front.
const ONE: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 0, 1, 3], [3, 0, 2, 1]];
/// Even permutations that bring each pair to the front.
const TWO: [[usize; 4]; 6] = [
    [0, 1, 2, 3],
    [0, 2, 3, 1],
    [0, 3, 1, 2],
    [1, 2, 0, 3],
    [1, 3, 2, 0],
    [2, 3, 0, 1],
];

/// The border of the inside. Each vertex lies on a lattice edge, where the input crosses it first from outside; so the surface does not cross itself.
pub(super) fn contour(
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
                for tet in Grid::tetrahedra(grid.cell_at(number)) {
                    let [Some(a), Some(b), Some(c), Some(d)] = tet.map(|q| grid.number(q)) else {
                        continue;
                    };
                    let points = [a, b, c, d];
                    cut(points, points.map(|p| field.inside[p as usize]), &mut out);
                }
            }
            out
        })
        .collect();
    progress.check()?;
    let corners: Vec<[Cut; 3]> = pieces.into_iter().flatten().collect();
    let mut keys: Vec<Cut> = corners.iter().flatten().copied().collect();
    keys.par_sort_unstable();
    keys.dedup();
    let positions = keys
        .par_iter()
        .map(|&(outside, inside)| {
            let from = grid.position_of(outside);
            let along = grid.position_of(inside) - from;
            let hit = first_hit(input, from, along);
            let share = hit.unwrap_or_else(|| field.share(outside, inside));
            // kept off the lattice points, where many vertices would coincide
            from + along * share.clamp(0.03, 0.97)
        })
        .collect();
    let triangles = corners
        .par_iter()
        .map(|t| t.map(|k| keys.partition_point(|other| *other < k) as u32))
        .collect();
    Ok(SurfaceMesh::new(positions, triangles))
}

/// First crossing of the segment with the surface, as a share of it.
pub(super) fn first_hit(input: &Input, from: Vec3, along: Vec3) -> Option<f64> {
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

/// Cuts a positively oriented tetrahedron between its inside and outside vertices.
fn cut(k: [u32; 4], inside: [bool; 4], out: &mut Vec<[Cut; 3]>) {
    let edge = |a: usize, b: usize| {
        if inside[a] {
            (k[b], k[a])
        } else {
            (k[a], k[b])
        }
    };
    match inside.iter().filter(|&&i| i).count() {
        1 => {
            for [a, b, c, d] in ONE {
                if inside[a] {
                    out.push([edge(a, b), edge(a, c), edge(a, d)]);
                }
            }
        }
        3 => {
            for [a, b, c, d] in ONE {
                if !inside[a] {
                    out.push([edge(a, b), edge(a, d), edge(a, c)]);
                }
            }
        }
        2 => {
            for [a, b, c, d] in TWO {
                if inside[a] && inside[b] {
                    out.push([edge(a, c), edge(a, d), edge(b, d)]);
                    out.push([edge(a, c), edge(b, d), edge(b, c)]);
                }
            }
        }
        _ => {}
    }
}
