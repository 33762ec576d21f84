//! Which way the limit surface faces at the vertices of a level.

use std::f64::consts::PI;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::vertex_triangles;

use super::error::{SubdivideError, require_closed_manifold};
use super::limit::{ring, times_dart_matrix};
use super::sharp::SharpEdges;

/// Steps of the power iteration for darts.
const DART_STEPS: usize = 120;

/// Unit normals of the limit surface at the three corners of every triangle: at a sharp edge both sides have their own.
///
/// From the tangents that the subdivision matrices have as left eigenvectors: smooth vertices as in Loop 1987, a side of a crease as in Hoppe et al. 1994 (section 3.2,
/// with the eigenvalue 3/8 + cos(π/(k-1))/4 of a side of k neighbours), a side of a corner by its two sharp edges, a dart by its symmetric and antisymmetric tangent. Where tangents are
/// parallel: the normal of the triangles of that side. Errors: what is not a closed manifold. Cost O(n log n).
pub fn limit_normals(
    surface: &SurfaceMesh,
    sharp: &SharpEdges,
) -> Result<Vec<[Vec3; 3]>, SubdivideError> {
    require_closed_manifold(surface, &Progress::new())?;
    let count = surface.vertex_count();
    let around = vertex_triangles(count, &surface.triangles);
    let at_vertices = sharp.at_vertices(count);
    let mut normals = vec![[Vec3::zeros(); 3]; surface.triangles.len()];
    for v in 0..count as u32 {
        let triangles = around.row(v as usize);
        let ring = ring(surface, triangles, v);
        for side in sides(surface, v, &ring, &at_vertices[v as usize]) {
            // ring vertices that follow each other are a triangle of this side
            for &t in triangles {
                let corners = surface.triangles[t as usize];
                let Some(slot) = corners.iter().position(|&w| w == v) else {
                    continue;
                };
                if side.holds(corners[(slot + 1) % 3]) {
                    normals[t as usize][slot] = side.normal;
                }
            }
        }
    }
    Ok(normals)
}

/// Triangles around a vertex between two sharp edges.
struct Side {
    /// ring vertices at which its triangles begin
    first: Vec<u32>,
    normal: Vec3,
}

impl Side {
    fn holds(&self, start: u32) -> bool {
        self.first.contains(&start)
    }
}

fn sides(surface: &SurfaceMesh, v: u32, ring: &[u32], tips: &[u32]) -> Vec<Side> {
    let n = ring.len();
    let x = |w: u32| surface.positions[w as usize];
    let starts: Vec<usize> = (0..n).filter(|&k| tips.contains(&ring[k])).collect();
    let finished = |first: Vec<u32>, seconds: &[u32], tangents: [Vec3; 2]| {
        let flat: Vec3 = (first.iter().zip(seconds))
            .map(|(&p, &q)| (x(p) - x(v)).cross(&(x(q) - x(v))))
            .sum();
        let [s, t] = tangents;
        let normal = s.cross(&t);
        let degenerate = normal.norm() <= 1e-9 * s.norm() * t.norm();
        let along = if degenerate {
            flat
        } else {
            normal * normal.dot(&flat).signum()
        };
        Side {
            first,
            normal: along.try_normalize(0.0).unwrap_or_else(Vec3::zeros),
        }
    };
    let weighted = |own: f64, of: &[u32], weights: &[f64]| -> Vec3 {
        x(v) * own
            + (of.iter().zip(weights))
                .map(|(&w, m)| x(w) * *m)
                .sum::<Vec3>()
    };
    if starts.len() < 2 {
        let seconds: Vec<u32> = (0..n).map(|k| ring[(k + 1) % n]).collect();
        let wave = |k: usize| 2.0 * PI * k as f64 / n as f64;
        let tangents = match starts.first() {
            None => [f64::cos, f64::sin].map(|f| {
                let weights: Vec<f64> = (0..n).map(|k| f(wave(k))).collect();
                weighted(0.0, ring, &weights)
            }),
            Some(&tip) => {
                let odd: Vec<f64> = (0..n).map(|k| wave(k + n - tip).sin()).collect();
                let even = dart_tangent(ring, tip);
                [
                    weighted(even[0], ring, &even[1..]),
                    weighted(0.0, ring, &odd),
                ]
            }
        };
        return vec![finished(ring.to_vec(), &seconds, tangents)];
    }
    (starts.iter().enumerate())
        .map(|(s, &from)| {
            let to = starts[(s + 1) % starts.len()];
            let steps = (to + n - from - 1) % n + 1;
            let row: Vec<u32> = (0..=steps).map(|k| ring[(from + k) % n]).collect();
            let (a, b) = (x(row[0]), x(row[steps]));
            let tangents = if starts.len() == 2 {
                let (own, weights) = crease_tangent(row.len());
                [b - a, weighted(own, &row, &weights)]
            } else {
                [a - x(v), b - x(v)]
            };
            finished(row[..steps].to_vec(), &row[1..], tangents)
        })
        .collect()
}

/// Weights of a crease vertex and of the `k` neighbours of one side of it, sharp ones first and last, in the tangent across the crease.
///
/// The left eigenvector of the side's matrix: `sin((i-1)θ)` at the inner neighbours, and at the vertex and the sharp neighbours what the two remaining equations say.
fn crease_tangent(k: usize) -> (f64, Vec<f64>) {
    if k < 3 {
        return (-2.0, vec![1.0; k]);
    }
    let theta = PI / (k - 1) as f64;
    let value = 0.375 + 0.25 * theta.cos();
    let mut weights: Vec<f64> = (0..k).map(|i| (i as f64 * theta).sin()).collect();
    let inner: f64 = weights[1..k - 1].iter().sum();
    // (λ - 1/2) m₁ - m₀/8 = m₂/8  and  (λ - 3/4) m₀ - m₁ = 3/8 Σ
    let determinant = (value - 1.0) * (value - 0.25);
    let (p, q) = (weights[1] / 8.0, 0.375 * inner);
    let end = (p * (value - 0.75) + q / 8.0) / determinant;
    let own = (q * (value - 0.5) + p) / determinant;
    weights[0] = end;
    weights[k - 1] = end;
    (own, weights)
}

/// Weights of a dart and its ring in the tangent along its sharp edge: the leading symmetric left eigenvector that gives zero for constants.
fn dart_tangent(ring: &[u32], tip: usize) -> Vec<f64> {
    let n = ring.len();
    let mut mask: Vec<f64> = (0..n)
        .map(|k| (PI * ((k + n - tip) % n) as f64 / n as f64).sin())
        .collect();
    mask.insert(0, -mask.iter().sum::<f64>());
    for _ in 0..DART_STEPS {
        mask = times_dart_matrix(&mask, ring, ring[tip]);
        let mean = mask.iter().sum::<f64>() / (n + 1) as f64;
        let size = mask.iter().fold(f64::MIN_POSITIVE, |m, w| m.max(w.abs()));
        for w in &mut mask {
            *w = (*w - mean) / size;
        }
    }
    mask
}
