//! Where the vertices of a level end up when Loop subdivision goes on for ever.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::vertex_triangles;

use super::error::{SubdivideError, require_closed_manifold};
use super::loop_weights::{even_place, ring_weight};
use super::sharp::SharpEdges;

/// Steps of the power iteration for darts; the error shrinks by 3/8 or better a step.
const DART_STEPS: usize = 60;

/// Limit positions of all vertices of a level under Loop subdivision with these sharp edges, m.
///
/// Smooth vertices: the mask of Loop 1987 (Hoppe et al. 1994, section 3.2), creases: 1/6, 4/6, 1/6, corners stay. For a dart (one sharp edge) the
/// mask is the left eigenvector of its subdivision matrix, found by iteration. Errors: what is not a closed manifold. Cost O(n log n).
pub fn limit_positions(
    surface: &SurfaceMesh,
    sharp: &SharpEdges,
) -> Result<Vec<Vec3>, SubdivideError> {
    require_closed_manifold(surface, &Progress::new())?;
    let count = surface.vertex_count();
    let around = vertex_triangles(count, &surface.triangles);
    let at_vertices = sharp.at_vertices(count);
    let x = |v: u32| surface.positions[v as usize];
    let place = |v: usize| {
        let own = surface.positions[v];
        match at_vertices[v][..] {
            [] => {
                let ring = ring(surface, around.row(v), v as u32);
                if ring.is_empty() {
                    return own;
                }
                let n = ring.len() as f64;
                let share = 1.0 / (n + 3.0 / (8.0 * ring_weight(ring.len())));
                own * (1.0 - n * share) + ring.iter().map(|&w| x(w)).sum::<Vec3>() * share
            }
            [tip] => {
                let ring = ring(surface, around.row(v), v as u32);
                let mask = dart_mask(&ring, tip);
                own * mask[0]
                    + (ring.iter().zip(&mask[1..]))
                        .map(|(&w, m)| x(w) * *m)
                        .sum::<Vec3>()
            }
            [a, b] => own * (4.0 / 6.0) + (x(a) + x(b)) / 6.0,
            _ => own,
        }
    };
    Ok((0..count).map(place).collect())
}

/// Neighbours of `v` in the order of its triangles around it.
pub(crate) fn ring(surface: &SurfaceMesh, around: &[u32], v: u32) -> Vec<u32> {
    let following = |t: u32| {
        let [a, b, c] = surface.triangles[t as usize];
        if a == v {
            (b, c)
        } else if b == v {
            (c, a)
        } else {
            (a, b)
        }
    };
    let steps: Vec<(u32, u32)> = around.iter().map(|&t| following(t)).collect();
    let mut ring = Vec::with_capacity(steps.len());
    let mut next = steps.first().map(|s| s.0);
    while let Some(at) = next
        && ring.len() < steps.len()
    {
        ring.push(at);
        next = steps.iter().find(|s| s.0 == at).map(|s| s.1);
    }
    ring
}

/// Weights of a dart and of its ring in its limit position.
fn dart_mask(ring: &[u32], tip: u32) -> Vec<f64> {
    let mut mask = vec![0.0; ring.len() + 1];
    mask[0] = 1.0;
    for _ in 0..DART_STEPS {
        mask = times_dart_matrix(&mask, ring, tip);
    }
    mask
}

/// Weights on a dart and its ring, as a row, times the subdivision matrix.
pub(crate) fn times_dart_matrix(mask: &[f64], ring: &[u32], tip: u32) -> Vec<f64> {
    let n = ring.len();
    let mut next = vec![0.0; n + 1];
    let (own, each) = even_place(n);
    next[0] += mask[0] * own;
    for j in 0..n {
        next[1 + j] += mask[0] * each;
    }
    for j in 0..n {
        let m = mask[1 + j];
        if ring[j] == tip {
            next[0] += 0.5 * m;
            next[1 + j] += 0.5 * m;
        } else {
            next[0] += 0.375 * m;
            next[1 + j] += 0.375 * m;
            next[1 + (j + 1) % n] += 0.125 * m;
            next[1 + (j + n - 1) % n] += 0.125 * m;
        }
    }
    next
}
