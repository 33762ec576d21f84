//! The surface that is remeshed: places on it, and the nearest place in the neighbourhood of another.

use pliant_core::math::Vec3;
use pliant_core::math::barycentric::closest_point_on_triangle;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::{Csr, vertex_triangles};
use pliant_core::mesh::surface::SurfacePoint;

/// Most triangles that one walk crosses.
const LONGEST_WALK: usize = 64;

/// A surface with what walking on it needs.
pub(super) struct Domain<'a> {
    pub(super) surface: &'a SurfaceMesh,
    around: Csr,
    normals: Vec<Vec3>,
}

impl<'a> Domain<'a> {
    pub(super) fn new(surface: &'a SurfaceMesh) -> Self {
        Self {
            surface,
            around: vertex_triangles(surface.vertex_count(), &surface.triangles),
            normals: surface.vertex_normals(),
        }
    }

    /// Unit normal at a place, interpolated from those of the vertices; zero where they cancel.
    pub(super) fn normal(&self, at: &SurfacePoint) -> Vec3 {
        let triangle = self.surface.triangles[at.triangle as usize];
        let sum: Vec3 = (triangle.iter().zip(at.weights))
            .map(|(&v, w)| self.normals[v as usize] * w)
            .sum();
        sum.try_normalize(1e-9).unwrap_or_else(Vec3::zeros)
    }

    /// The place near `x` that is found by walking from `start` to ever nearer triangles: never the other side of a thin part.
    pub(super) fn nearest_from(&self, start: &SurfacePoint, x: &Vec3) -> (SurfacePoint, Vec3) {
        let measure = |t: u32| {
            let (place, weights) = closest_point_on_triangle(x, self.surface.corners(t as usize));
            let point = SurfacePoint {
                triangle: t,
                weights,
            };
            ((place - x).norm_squared(), point, place)
        };
        let mut best = measure(start.triangle);
        for _ in 0..LONGEST_WALK {
            let here = best.1;
            for (slot, &v) in (self.surface.triangles[here.triangle as usize].iter()).enumerate() {
                // a nearest place away from a corner needs no look at that corner's other triangles
                if here.weights[slot] <= 0.0 {
                    continue;
                }
                for &t in self.around.row(v as usize) {
                    if t != here.triangle {
                        let found = measure(t);
                        if found.0 < best.0 {
                            best = found;
                        }
                    }
                }
            }
            if best.1.triangle == here.triangle {
                break;
            }
        }
        (best.1, best.2)
    }
}
