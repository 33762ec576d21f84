//! Fans of needles in flat parts become well-shaped triangles; the shape stays.

use std::f64::consts::PI;

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use crate::remeshing::subdivide::EdgeTable;

/// Largest height of a triangle over the plane of a coplanar neighbour, over the diagonal: below single precision.
const PLANARITY_TOLERANCE: f64 = 1e-7;
/// Least cosine between the normals of two triangles of one plane.
const MIN_COPLANAR_COSINE: f64 = 0.999;
/// Passes over all edges.
const MAX_PASSES: usize = 12;

/// Flips the edges inside flat parts of a surface in the unit box that are not Delaunay, or, where both are, towards equal numbers of neighbours.
pub(crate) fn flip_planar(surface: &mut SurfaceMesh) {
    for _ in 0..MAX_PASSES {
        let table = EdgeTable::new(surface.vertex_count(), &surface.triangles);
        let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); surface.vertex_count()];
        for &[a, b] in &table.ends {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        let mut touched = vec![false; surface.triangles.len()];
        let mut flips = 0;
        for (e, pair) in table.faces().iter().enumerate() {
            let ([a, b], [c, d]) = (table.ends[e], table.opposite[e]);
            let [left, right] = pair.map(|t| t as usize);
            let ends = [a, b, c, d].map(|v| v as usize);
            let valence = ends.map(|v| neighbours[v].len());
            if touched[left]
                || touched[right]
                || valence[0].min(valence[1]) <= 3
                || !is_better(surface, ends, valence)
                || neighbours[c as usize].contains(&d)
            {
                continue;
            }
            // the left triangle has the edge in the direction ab
            surface.triangles[left] = [c, d, b];
            surface.triangles[right] = [d, c, a];
            touched[left] = true;
            touched[right] = true;
            neighbours[a as usize].retain(|&v| v != b);
            neighbours[b as usize].retain(|&v| v != a);
            neighbours[c as usize].push(d);
            neighbours[d as usize].push(c);
            flips += 1;
        }
        if flips == 0 {
            break;
        }
    }
}

/// Whether the edge cd is better than ab in the flat quadrilateral a, d, b, c.
fn is_better(surface: &SurfaceMesh, ends: [usize; 4], valence: [usize; 4]) -> bool {
    let [a, b, c, d] = ends.map(|v| surface.positions[v]);
    let (left, right) = ((b - a).cross(&(c - a)), (a - b).cross(&(d - b)));
    let normal_sum = left + right;
    let size = normal_sum.norm();
    // a triangle without area has no plane: that of its neighbour counts
    let flat = left.dot(&right) >= MIN_COPLANAR_COSINE * left.norm() * right.norm()
        && (normal_sum
            .dot(&(c - a))
            .abs()
            .max(normal_sum.dot(&(d - a)).abs()))
            <= PLANARITY_TOLERANCE * size;
    let (one, two) = ((d - c).cross(&(b - c)), (c - d).cross(&(a - d)));
    if !flat || one.dot(&normal_sum).min(two.dot(&normal_sum)) <= 1e-9 * size * size {
        return false;
    }
    let angle = |p: Vec3, q: Vec3| p.cross(&q).norm().atan2(p.dot(&q));
    let sum = angle(a - c, b - c) + angle(a - d, b - d);
    sum > PI + 1e-6
        || (sum > PI - 1e-6 && valence[0].max(valence[1]) > valence[2].max(valence[3]) + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::validate::topology;

    /// A flat disc as a prism of `n` sides whose ends are fans from one vertex each.
    fn prism(n: u32) -> SurfaceMesh {
        let at = |k: u32, y: f64| {
            let (sin, cos) = (2.0 * PI * f64::from(k) / f64::from(n)).sin_cos();
            Vec3::new(0.4 * cos, y, 0.4 * sin)
        };
        let positions = (0..n).map(|k| at(k, 0.0)).chain((0..n).map(|k| at(k, 0.1)));
        let mut triangles = Vec::new();
        for k in 0..n {
            let next = (k + 1) % n;
            triangles.extend([[k, n + k, next], [next, n + k, n + next]]);
            if k > 0 && next > 0 {
                triangles.extend([[0, k, next], [n, n + next, n + k]]);
            }
        }
        SurfaceMesh::new(positions.collect(), triangles)
    }

    #[test]
    fn a_fan_is_spread_and_the_shape_stays() {
        let mut disc = prism(64);
        let before = disc.clone();
        flip_planar(&mut disc);
        assert!(topology(&disc).is_sound());
        assert!((disc.volume() / before.volume() - 1.0).abs() < 1e-12);
        assert!((disc.area() / before.area() - 1.0).abs() < 1e-12);
        let max_valence = |s: &SurfaceMesh| {
            let around = s.vertex_neighbours();
            (0..around.len()).map(|v| around.row(v).len()).max()
        };
        assert!(
            max_valence(&before) >= Some(64) && max_valence(&disc) < Some(20),
            "{:?}",
            max_valence(&disc)
        );
    }
}
