//! A first closed surface from a signed distance function: marching tetrahedra on a body-centred cubic lattice.
//!
//! The zero set of the values interpolated on it is cut out tetrahedron by tetrahedron.
//! Blocks of cells far from the surface are skipped.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::SurfaceMesh;
use rayon::prelude::*;

use crate::geometry::marching_tetrahedra::{cut, surface_of, tetrahedra};

/// A signed distance function; pure, so that it can be sampled from many threads in any order.
pub type Distance<'a> = &'a (dyn Fn(&Vec3) -> f64 + Sync);

/// Cells along the edge of a block.
const BLOCK_CELLS: i64 = 4;
/// Assumed bound on the gradient: a block is skipped when the distance at its centre exceeds its radius times this.
const MAX_GRADIENT: f64 = 1.8;

/// A lattice edge that the surface crosses: keys of its ends, the smaller one first.
type EdgeKey = (u64, u64);

/// Lattice points have doubled coordinates: even for cell corners, odd for cell centres.
#[derive(Debug, Clone, Copy)]
struct Lattice {
    origin: Vec3,
    half_cell: f64,
}

impl Lattice {
    fn position(&self, q: [i64; 3]) -> Vec3 {
        self.origin + Vec3::new(q[0] as f64, q[1] as f64, q[2] as f64) * self.half_cell
    }
}

fn key(q: [i64; 3]) -> u64 {
    ((q[2] as u64) << 42) | ((q[1] as u64) << 21) | q[0] as u64
}

fn point_of_key(key: u64) -> [i64; 3] {
    let mask = (1 << 21) - 1;
    [key & mask, (key >> 21) & mask, key >> 42].map(|x| x as i64)
}

/// The zero set of `distance` inside `bounds`, on a lattice with cells of `cell`. The surface is closed if `bounds` holds it and
/// the gradient is nowhere steeper than 1.8. Cost: about 64 samples a cell of surface, in parallel; the result does not depend
/// on the number of threads.
pub fn march(
    distance: Distance<'_>,
    bounds: &Aabb,
    cell: f64,
    progress: &Progress,
) -> Result<SurfaceMesh, Cancelled> {
    let lattice = Lattice {
        origin: bounds.min.add_scalar(-1.5 * cell),
        half_cell: 0.5 * cell,
    };
    let blocks = bounds
        .size()
        .map(|length| ((length / cell + 3.0) / BLOCK_CELLS as f64).ceil().max(1.0) as usize);
    let count = blocks.x * blocks.y * blocks.z;
    let mut corners: Vec<[EdgeKey; 3]> = Vec::new();
    let slice = 4096;
    for from in (0..count).step_by(slice) {
        progress.check()?;
        progress.set_fraction(from as f64 / count as f64);
        let pieces: Vec<Vec<[EdgeKey; 3]>> = (from..(from + slice).min(count))
            .into_par_iter()
            .map(|b| {
                let at = [
                    b % blocks.x,
                    (b / blocks.x) % blocks.y,
                    b / (blocks.x * blocks.y),
                ];
                block(distance, &lattice, at.map(|i| i as i64 * BLOCK_CELLS))
            })
            .collect();
        corners.extend(pieces.into_iter().flatten());
    }
    Ok(surface_of(&corners, |(low, high)| {
        let (a, b) = (
            lattice.position(point_of_key(low)),
            lattice.position(point_of_key(high)),
        );
        let (fa, fb) = (distance(&a), distance(&b));
        // kept off the lattice points, where many vertices would coincide
        a + (b - a) * (fa / (fa - fb)).clamp(0.02, 0.98)
    }))
}

/// Triangles of the tetrahedra that belong to one block of cells; `first` is its lowest cell.
fn block(distance: Distance<'_>, lattice: &Lattice, first: [i64; 3]) -> Vec<[EdgeKey; 3]> {
    let mut triangles = Vec::new();
    let middle = lattice
        .position(first.map(|i| 2 * i + BLOCK_CELLS))
        .add_scalar(
            // the block's tetrahedra reach into the next cells
            0.5 * lattice.half_cell,
        );
    let radius = (BLOCK_CELLS as f64 + 0.5) * lattice.half_cell * 3.0_f64.sqrt();
    let far = |d: f64| d.abs() > MAX_GRADIENT * radius;
    if far(distance(&middle)) {
        return triangles;
    }
    let side = (BLOCK_CELLS + 1) as usize;
    let sample = |odd: i64| -> Vec<f64> {
        (0..side * side * side)
            .map(|at| {
                let local = [at % side, (at / side) % side, at / (side * side)];
                distance(
                    &lattice.position([0, 1, 2].map(|a| 2 * (first[a] + local[a] as i64) + odd)),
                )
            })
            .collect()
    };
    let values = [sample(0), sample(1)];
    let value = |q: [i64; 3]| {
        let l = [0, 1, 2].map(|a| (q[a] / 2 - first[a]) as usize);
        values[(q[0] & 1) as usize][(l[2] * side + l[1]) * side + l[0]]
    };
    for at in 0..BLOCK_CELLS * BLOCK_CELLS * BLOCK_CELLS {
        let local = [
            at % BLOCK_CELLS,
            (at / BLOCK_CELLS) % BLOCK_CELLS,
            at / (BLOCK_CELLS * BLOCK_CELLS),
        ];
        let center = [0, 1, 2].map(|a| 2 * (first[a] + local[a]) + 1);
        for tet in tetrahedra(center) {
            let inside = tet.map(|q| value(q) < 0.0);
            cut(tet.map(key), inside, |corners| {
                triangles.push(corners.map(|(a, b)| (a.min(b), a.max(b))));
            });
        }
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedural::sdf;
    use crate::test_bodies::cancelled;
    use pliant_core::mesh::validate::topology;

    #[test]
    fn any_values_give_a_closed_oriented_manifold() {
        // rough values: topology holds without any smoothness
        let rough = |p: &Vec3| {
            0.1 * sdf::sphere(p, Vec3::zeros(), 1.0)
                + 0.03 * (p.x * 17.0).sin() * (p.y * 23.0).sin() * (p.z * 19.0).cos()
        };
        let bounds = Aabb::of_points(&[Vec3::repeat(-1.5), Vec3::repeat(1.5)]);
        let surface = march(&rough, &bounds, 0.11, &Progress::new()).expect("not cancelled");
        assert!(surface.triangles.len() > 1000);
        assert!(topology(&surface).is_sound());
        assert!(surface.volume() > 0.0);
    }

    #[test]
    fn a_ball_has_the_volume_of_a_ball() {
        let ball = |p: &Vec3| sdf::sphere(p, Vec3::zeros(), 1.0);
        let bounds = Aabb::of_points(&[Vec3::repeat(-1.0), Vec3::repeat(1.0)]);
        let surface = march(&ball, &bounds, 0.05, &Progress::new()).expect("not cancelled");
        let exact = 4.0 / 3.0 * std::f64::consts::PI;
        assert!((surface.volume() / exact - 1.0).abs() < 0.01);
        assert_eq!(topology(&surface).genus(), Some(0));
    }

    #[test]
    fn a_cancelled_job_stops() {
        let bounds = Aabb::of_points(&[Vec3::repeat(-1.0), Vec3::repeat(1.0)]);
        assert!(march(&|p| p.norm() - 1.0, &bounds, 0.1, &cancelled()).is_err());
    }
}
