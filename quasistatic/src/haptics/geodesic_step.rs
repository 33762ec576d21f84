//! A geodesic step over the skin: a straight line in a triangle, unfolded across its edges.

use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, SurfacePoint};

/// Neighbour across an edge that has none.
pub const NO_TRIANGLE: u32 = u32::MAX;

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeodesicStep {
    /// End point.
    pub at: SurfacePoint,
    /// Edges crossed.
    pub crossings: u32,
    /// Whether the step has its whole length; false at an open edge or after too many crossings.
    pub complete: bool,
}

/// For each triangle its neighbours across the edges opposite to each corner, [`NO_TRIANGLE`] at an open edge or where more than two meet.
pub fn triangle_neighbours(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut edges: Vec<(u32, u32, u32, u8)> = Vec::with_capacity(3 * triangles.len());
    for (t, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
            edges.push((a.min(b), a.max(b), t as u32, k as u8));
        }
    }
    edges.sort_unstable();
    let mut neighbours = vec![[NO_TRIANGLE; 3]; triangles.len()];
    for shared in edges.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
        if let [(_, _, s, i), (_, _, t, j)] = *shared {
            neighbours[s as usize][i as usize] = t;
            neighbours[t as usize][j as usize] = s;
        }
    }
    neighbours
}

/// Moves from `from` by `step` (m; only its part along the skin counts) and crosses at most `max_crossings` edges. No allocation.
///
/// The remaining step keeps its length and its angle to a crossed edge, as if both triangles lay in one plane.
pub fn geodesic_step(
    skin: &SurfaceMesh,
    neighbours: &[[u32; 3]],
    from: SurfacePoint,
    step: Vec3,
    max_crossings: u32,
) -> GeodesicStep {
    let mut at = from;
    let Some(mut normal) = unit_normal(skin, at.triangle) else {
        return GeodesicStep {
            at,
            crossings: 0,
            complete: false,
        };
    };
    let mut remaining = step - normal * step.dot(&normal);
    for crossings in 0..=max_crossings {
        let corners = skin.corners(at.triangle as usize);
        let slope = slopes(&corners, &remaining);
        // the first weight that reaches zero
        let leaving = (0..3)
            .filter(|&k| slope[k] < 0.0 && at.weights[k] + slope[k] < 0.0)
            .map(|k| ((at.weights[k] / -slope[k]).max(0.0), k))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let share = leaving.map_or(1.0, |(share, _)| share.min(1.0));
        for (weight, slope) in at.weights.iter_mut().zip(slope) {
            *weight += share * slope;
        }
        let Some((_, opposite)) = leaving else {
            at.weights = normalised(at.weights);
            return GeodesicStep {
                at,
                crossings,
                complete: true,
            };
        };
        at.weights[opposite] = 0.0;
        at.weights = normalised(at.weights);
        remaining *= 1.0 - share;
        let next = neighbours[at.triangle as usize][opposite];
        let ended = GeodesicStep {
            at,
            crossings,
            complete: false,
        };
        if next == NO_TRIANGLE || crossings == max_crossings {
            return ended;
        }
        let Some(next_normal) = unit_normal(skin, next) else {
            return ended;
        };
        let edge = corners[(opposite + 2) % 3] - corners[(opposite + 1) % 3];
        let Some(along) = edge.try_normalize(0.0) else {
            return ended;
        };
        // `along × normal` points out of this triangle, `along × next_normal` into the next one
        let forward = along.cross(&normal).dot(&remaining);
        remaining = along * along.dot(&remaining) + along.cross(&next_normal) * forward;
        at = in_next_triangle(skin, at, next);
        normal = next_normal;
    }
    GeodesicStep {
        at,
        crossings: max_crossings,
        complete: false,
    }
}

/// The same point on the edge with weights of the next triangle.
fn in_next_triangle(skin: &SurfaceMesh, at: SurfacePoint, next: u32) -> SurfacePoint {
    let old = skin.triangles[at.triangle as usize];
    let new = skin.triangles[next as usize];
    let weights = new.map(|v| {
        let shared = old.iter().zip(at.weights).find(|(o, _)| **o == v);
        shared.map_or(0.0, |(_, weight)| weight)
    });
    SurfacePoint {
        triangle: next,
        weights: normalised(weights),
    }
}

/// Change of the three weights along `step`.
fn slopes(corners: &[Vec3; 3], step: &Vec3) -> [f64; 3] {
    let [a, b, c] = corners;
    let (e1, e2) = (b - a, c - a);
    let (g11, g12, g22) = (e1.dot(&e1), e1.dot(&e2), e2.dot(&e2));
    let (r1, r2) = (e1.dot(step), e2.dot(step));
    let determinant = g11 * g22 - g12 * g12;
    if determinant <= 0.0 {
        return [0.0; 3];
    }
    let v = (g22 * r1 - g12 * r2) / determinant;
    let w = (g11 * r2 - g12 * r1) / determinant;
    [-v - w, v, w]
}

fn unit_normal(skin: &SurfaceMesh, triangle: u32) -> Option<Vec3> {
    skin.area_vector(triangle as usize).try_normalize(0.0)
}

/// Weights in range that sum to one.
fn normalised(weights: [f64; 3]) -> [f64; 3] {
    let w = weights.map(|w| w.max(0.0));
    let sum = w[0] + w[1] + w[2];
    if sum > 0.0 {
        w.map(|w| w / sum)
    } else {
        [1.0, 0.0, 0.0]
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    use super::*;

    #[test]
    fn a_step_around_a_bar_comes_back() {
        let skin = box_surface(Vec3::new(0.1, 0.2, 0.3), [4, 5, 6], CellStyle::Kuhn);
        let neighbours = triangle_neighbours(&skin.triangles);
        assert!(neighbours.iter().flatten().all(|t| *t != NO_TRIANGLE));
        let start = skin
            .nearest_point(&Vec3::new(0.013, 0.1, 0.021))
            .expect("triangles");
        // once around in the plane of constant z: 2 (0.1 + 0.2) m
        let around = geodesic_step(&skin, &neighbours, start, Vec3::new(0.6, 0.0, 0.0), 100);
        assert!(around.complete && around.crossings > 20);
        assert!((skin.point(&around.at) - skin.point(&start)).norm() < 1e-12);
        let down = geodesic_step(&skin, &neighbours, start, Vec3::new(0.087, 0.0, 0.0), 100);
        let expected = Vec3::new(0.05, 0.05, 0.021);
        assert!((skin.point(&down.at) - expected).norm() < 1e-12);
    }

    #[test]
    fn a_million_edges_leave_weights_valid() {
        let skin = box_surface(Vec3::repeat(0.2), [8, 8, 8], CellStyle::Alternating);
        let neighbours = triangle_neighbours(&skin.triangles);
        let mut at = SurfacePoint {
            triangle: 0,
            weights: [0.2, 0.3, 0.5],
        };
        let (mut crossings, mut short) = (0_u64, 0_u32);
        let mut k = 0_u32;
        while crossings < 1_000_000 {
            k += 1;
            let t = f64::from(k);
            let step = Vec3::new(t.sin(), (1.3 * t).cos(), (0.7 * t).sin()) * 0.9;
            let moved = geodesic_step(&skin, &neighbours, at, step, 200);
            crossings += u64::from(moved.crossings);
            short += u32::from(!moved.complete);
            at = moved.at;
            let sum: f64 = at.weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-12 && at.weights.iter().all(|w| *w >= 0.0));
        }
        assert!(short < k / 100, "{short} of {k} steps ended early");
    }

    #[test]
    fn an_open_edge_ends_the_step() {
        let positions = vec![Vec3::zeros(), Vec3::z(), Vec3::x()];
        let skin = SurfaceMesh::new(positions, vec![[0, 1, 2]]);
        let neighbours = triangle_neighbours(&skin.triangles);
        let start = SurfacePoint {
            triangle: 0,
            weights: [0.4, 0.3, 0.3],
        };
        let moved = geodesic_step(&skin, &neighbours, start, Vec3::x() * 5.0, 10);
        assert!(!moved.complete);
        assert!((skin.point(&moved.at) - Vec3::new(0.7, 0.0, 0.3)).norm() < 1e-12);
    }
}
