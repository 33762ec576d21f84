//! Compares a wrap with its input.

use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use super::field::contour::Field;
use super::field::grid::Grid;
use super::input::Input;

/// Input farther than this from the wrap is lost, as a share of the diagonal (on coarse grids [`SWALLOWED_DEPTH`] if that is more).
const LOST_DISTANCE: f64 = 0.01;
/// Input inside the wrap and farther than this many cells from its surface is swallowed.
const SWALLOWED_DEPTH: f64 = 1.5;
/// Surface of the wrap farther than this many cells from the input is new.
const NEW_DISTANCE: f64 = 1.0;
/// Largest number of samples along an edge of a triangle.
const MAX_SAMPLES: f64 = 64.0;

/// Areas as shares of that of the input; lengths in its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Verdict {
    /// input outside the wrap and far from it
    pub lost: f64,
    /// input deep inside the wrap: inner walls, overlapping parts
    pub swallowed: f64,
    /// area of the wrap far from the input, over the input that is neither lost nor swallowed
    pub new: f64,
    /// largest distance to the wrap of input that is not swallowed
    pub distance: f64,
}

/// Compares a wrap with the input both ways, by samples about two cells apart.
pub(super) fn judge(grid: &Grid, field: &Field, input: &Input, wrap: &SurfaceMesh) -> Verdict {
    let tree = TriangleTree::new(&wrap.positions, &wrap.triangles);
    let far = (LOST_DISTANCE * input.diagonal).max(SWALLOWED_DEPTH * grid.cell);
    // (lost, swallowed, whole, largest distance)
    let parts: Vec<[f64; 4]> = (0..input.surface.triangles.len())
        .into_par_iter()
        .map(|t| {
            let mut sums = [0.0; 4];
            let area = input.surface.area_vector(t).norm();
            let points = samples(input.surface.corners(t), 2.0 * grid.cell);
            let each = area / points.len() as f64;
            for p in &points {
                let distance = tree
                    .closest(p)
                    .map_or(f64::INFINITY, |c| c.distance_squared.sqrt());
                sums[2] += each;
                if distance > SWALLOWED_DEPTH * grid.cell && is_deep(grid, field, p) {
                    sums[1] += each;
                    continue;
                }
                sums[3] = f64::max(sums[3], distance);
                if distance > far {
                    sums[0] += each;
                }
            }
            sums
        })
        .collect();
    let [lost, swallowed, whole, distance] = parts.iter().fold([0.0; 4], |[a, b, c, d], p| {
        [a + p[0], b + p[1], c + p[2], f64::max(d, p[3])]
    });
    let new: Vec<f64> = (0..wrap.triangles.len())
        .into_par_iter()
        .map(|t| {
            let middle = wrap.corners(t).iter().sum::<Vec3>() / 3.0;
            let near = input.tree.closest_within(&middle, NEW_DISTANCE * grid.cell);
            near.map_or(wrap.area_vector(t).norm(), |_| 0.0)
        })
        .collect();
    let represented_area = (whole - lost - swallowed).max(f64::MIN_POSITIVE);
    Verdict {
        lost: lost / whole,
        swallowed: swallowed / whole,
        new: new.iter().sum::<f64>() / represented_area,
        distance,
    }
}

/// Whether all lattice points around a position are inside.
fn is_deep(grid: &Grid, field: &Field, position: &Vec3) -> bool {
    let cell = grid.cell_of(position);
    (0..8)
        .map(|n| [0, 1, 2].map(|a| 2 * (cell[a] + ((n >> a) & 1))))
        .chain([cell.map(|i| 2 * i + 1)])
        .all(|q| grid.number(q).is_some_and(|p| field.inside[p as usize]))
}

/// Centres of the parts of a triangle that is divided evenly until its edges are shorter than `spacing`.
fn samples([a, b, c]: [Vec3; 3], spacing: f64) -> Vec<Vec3> {
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    let n = (longest / spacing).ceil().clamp(1.0, MAX_SAMPLES) as usize;
    let (u, v) = ((b - a) / n as f64, (c - a) / n as f64);
    let mut points = Vec::with_capacity(n * n);
    for i in 0..n {
        for j in 0..n - i {
            let (s, t) = (i as f64, j as f64);
            points.push(a + u * (s + 1.0 / 3.0) + v * (t + 1.0 / 3.0));
            if i + j + 1 < n {
                points.push(a + u * (s + 2.0 / 3.0) + v * (t + 2.0 / 3.0));
            }
        }
    }
    points
}
