//! From a signed distance function to a closed skin of nearly equal, nearly equilateral triangles.
//!
//! A first surface by marching tetrahedra, then rounds of split, collapse, flip, tangential smoothing and projection onto the zero
//! set (Botsch and Kobbelt 2004).

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::SurfaceMesh;
use rayon::prelude::*;

use super::march::{Distance, march};
use crate::remeshing::local_remeshing::Remesher;

/// Rounds of split, collapse, flip and smooth.
const ROUNDS: usize = 4;
/// Rounds of flip and smooth at the end.
const FINAL_ROUNDS: usize = 3;

/// Edges longer or shorter than these multiples of the target length are split or collapsed. The mean edge then has the target length.
const SPLIT_RATIO: f64 = 1.36;
const COLLAPSE_RATIO: f64 = 0.78;
/// Largest turn of the normal along an edge, radians; edges with more are made shorter.
const NORMAL_TURN: f64 = 0.45;
/// Smallest target length over the usual one.
const MIN_SIZE_RATIO: f64 = 0.42;
/// Growth of the edge length over the distance along the surface.
const SIZE_GROWTH: f64 = 0.25;

/// Area of an equilateral triangle of edge 1.
const UNIT_TRIANGLE_AREA: f64 = 0.433_012_701_892_219_3;

/// Triangles that a skin of `area` with triangles of `edge` will have, within about a tenth.
pub fn triangles_for(area: f64, edge: f64) -> f64 {
    area / (UNIT_TRIANGLE_AREA * edge * edge)
}

/// Edge with which a skin of `area` has about `triangles` triangles.
pub fn edge_for(area: f64, triangles: f64) -> f64 {
    (area / (UNIT_TRIANGLE_AREA * triangles)).sqrt()
}

/// A closed, manifold, outward oriented triangle surface of the zero set of `distance`, which `bounds` must hold. Its edges are
/// about `edge` long where the surface is gently curved, down to 0.42 of that at fine details. `finest` is the cell of the
/// lattice that finds the topology: details thinner than it may be lost, which the caller checks.
pub fn skin(
    distance: Distance<'_>,
    bounds: &Aabb,
    edge: f64,
    finest: f64,
    progress: &Progress,
) -> Result<SurfaceMesh, Cancelled> {
    let first = march(distance, bounds, finest.min(1.3 * edge), progress)?;
    let mut mesh = Remesher::new(first, edge);
    for round in 0..ROUNDS {
        progress.check()?;
        progress.set_fraction(round as f64 / (ROUNDS + FINAL_ROUNDS) as f64);
        mesh.sizes = sizes(&mesh, distance, edge);
        mesh.split_long(SPLIT_RATIO);
        mesh.collapse_short(COLLAPSE_RATIO, SPLIT_RATIO, |x| {
            project(distance, x, edge, 1)
        });
        mesh.flip(true);
        smooth(&mut mesh, distance, edge, 1);
    }
    for round in 0..FINAL_ROUNDS {
        progress.check()?;
        progress.set_fraction((ROUNDS + round) as f64 / (ROUNDS + FINAL_ROUNDS) as f64);
        mesh.collapse_short(0.6, SPLIT_RATIO, |x| project(distance, x, edge, 1));
        mesh.collapse_short(0.4, 2.0, |x| project(distance, x, edge, 1));
        mesh.flip(false);
        smooth(&mut mesh, distance, edge, 2);
    }
    mesh.flip(false);
    Ok(mesh.finish())
}

/// Target edge length at each vertex: such that the normal turns by about [`NORMAL_TURN`] along an edge, between 0.42 of `edge` and
/// `edge`, and growing gently from vertex to vertex.
fn sizes(mesh: &Remesher, distance: Distance<'_>, edge: f64) -> Vec<f64> {
    let surface = &mesh.surface;
    let count = surface.positions.len();
    let normals: Vec<Vec3> = (0..count)
        .into_par_iter()
        .map(|v| {
            if !surface.is_used(v as u32) {
                return Vec3::zeros();
            }
            let (_, gradient) = value_and_gradient(distance, &surface.positions[v], edge);
            gradient / gradient.norm().max(1e-12)
        })
        .collect();
    let length = |v: usize, w: u32| (surface.positions[v] - surface.positions[w as usize]).norm();
    let mut sizes: Vec<f64> = (0..count)
        .into_par_iter()
        .map(|v| {
            (surface.neighbours(v as u32))
                .map(|w| {
                    let turn = (normals[v] - normals[w as usize]).norm();
                    NORMAL_TURN * length(v, w).max(0.2 * edge) / turn.max(1e-12)
                })
                .fold(edge, f64::min)
                .max(MIN_SIZE_RATIO * edge)
        })
        .collect();
    for _ in 0..4 {
        sizes = (0..count)
            .into_par_iter()
            .map(|v| {
                (surface.neighbours(v as u32))
                    .map(|w| sizes[w as usize] + SIZE_GROWTH * length(v, w))
                    .fold(sizes[v], f64::min)
            })
            .collect();
    }
    sizes
}

/// Moves every vertex towards the middle of its triangles, along the surface, and back onto the zero set.
fn smooth(mesh: &mut Remesher, distance: Distance<'_>, edge: f64, newton_steps: usize) {
    let surface = &mesh.surface;
    let targets: Vec<Option<Vec3>> = (0..surface.positions.len())
        .into_par_iter()
        .map(|v| {
            surface.is_used(v as u32).then(|| {
                let at = surface.positions[v];
                let (_, gradient) = value_and_gradient(distance, &at, edge);
                let mut step = mesh.centroid(v) - at;
                let square = gradient.norm_squared();
                if square > 0.0 {
                    step -= gradient * (gradient.dot(&step) / square);
                }
                project(distance, at + step * 0.8, edge, newton_steps)
            })
        })
        .collect();
    for (v, target) in targets.into_iter().enumerate() {
        if let Some(to) = target {
            mesh.move_if_safe(v, to);
        }
    }
}

/// Newton steps from `x` towards the zero set, each at most half an edge long.
fn project(distance: Distance<'_>, mut x: Vec3, edge: f64, steps: usize) -> Vec3 {
    for _ in 0..steps {
        let (value, gradient) = value_and_gradient(distance, &x, edge);
        let square = gradient.norm_squared();
        if square < 1e-4 {
            break;
        }
        let step = gradient * (value / square);
        x -= step * (0.5 * edge / step.norm().max(0.5 * edge));
    }
    x
}

/// Value and gradient from four samples at the corners of a small tetrahedron around `x`.
fn value_and_gradient(distance: Distance<'_>, x: &Vec3, edge: f64) -> (f64, Vec3) {
    let h = 1e-3 * edge;
    let corners = [
        Vec3::new(1.0, 1.0, 1.0),
        Vec3::new(1.0, -1.0, -1.0),
        Vec3::new(-1.0, 1.0, -1.0),
        Vec3::new(-1.0, -1.0, 1.0),
    ];
    let (mut sum, mut gradient) = (0.0, Vec3::zeros());
    for corner in corners {
        let value = distance(&(x + corner * h));
        sum += value;
        gradient += corner * value;
    }
    (sum * 0.25, gradient / (4.0 * h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedural::sdf;
    use crate::remeshing::local_remeshing::smallest_angle;
    use crate::test_bodies::assert_near;
    use pliant_core::mesh::validate::topology;

    #[test]
    fn the_skin_of_a_ball_lies_on_it_and_has_the_edge_asked_for() {
        let ball = |p: &Vec3| sdf::sphere(p, Vec3::zeros(), 1.0);
        let bounds = Aabb::of_points(&[Vec3::repeat(-1.0), Vec3::repeat(1.0)]);
        let surface = skin(&ball, &bounds, 0.1, 0.1, &Progress::new()).expect("not cancelled");
        let t = topology(&surface);
        assert!(t.is_sound());
        assert_eq!(t.genus(), Some(0));
        let off = surface
            .positions
            .iter()
            .map(|p| (p.norm() - 1.0).abs())
            .fold(0.0, f64::max);
        assert!(off < 1e-6, "{off}");
        assert_near(surface.mean_edge(), 0.1, 0.1);
        let expected = triangles_for(surface.area(), 0.1);
        assert_near(surface.triangles.len() as f64, expected, 0.15);
        let worst = (0..surface.triangles.len())
            .map(|k| smallest_angle(surface.corners(k)).to_degrees())
            .fold(180.0, f64::min);
        assert!(worst > 25.0, "{worst}");
    }
}
