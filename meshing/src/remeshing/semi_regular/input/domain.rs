//! The surface that is remeshed: points on it and on its sharp lines, and the nearest point in the neighbourhood of another.

use pliant_core::math::Vec3;
use pliant_core::math::barycentric::closest_point_on_triangle;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::{Csr, vertex_triangles};
use pliant_core::mesh::surface::SurfacePoint;

use super::crease::Creases;

/// Most triangles or edges that one walk crosses.
const MAX_WALK_STEPS: usize = 64;

/// A surface with adjacency and normals for walks on it.
pub(crate) struct Domain<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) creases: &'a Creases,
    around: Csr,
    normals: Vec<Vec3>,
    /// normals at the corners of triangles that touch a sharp line, each from its own side; else those of the vertices
    corner_normals: Vec<[Vec3; 3]>,
}

impl<'a> Domain<'a> {
    pub(crate) fn new(surface: &'a SurfaceMesh, creases: &'a Creases) -> Self {
        let around = vertex_triangles(surface.vertex_count(), &surface.triangles);
        let normals = surface.vertex_normals();
        let normal_of_side = |t: usize, v: u32| {
            if creases.sharp_neighbours[v as usize].is_empty() {
                return normals[v as usize];
            }
            (around.row(v as usize).iter())
                .filter(|&&u| creases.patch[u as usize] == creases.patch[t])
                .map(|&u| surface.area_vector(u as usize))
                .sum::<Vec3>()
                .try_normalize(0.0)
                .unwrap_or(normals[v as usize])
        };
        let corner_normals = (surface.triangles.iter().enumerate())
            .map(|(t, triangle)| triangle.map(|v| normal_of_side(t, v)))
            .collect();
        Self {
            surface,
            creases,
            around,
            normals,
            corner_normals,
        }
    }

    /// Unit normal at a point, interpolated from those of the corners; zero where they cancel.
    pub(crate) fn normal(&self, at: &SurfacePoint) -> Vec3 {
        let corners = self.corner_normals[at.triangle as usize];
        let sum: Vec3 = (corners.iter().zip(at.weights)).map(|(n, w)| n * w).sum();
        sum.try_normalize(1e-9).unwrap_or_else(Vec3::zeros)
    }

    /// Unit normal at a point on a sharp line: the mean of both sides.
    fn normal_of_line(&self, at: &SurfacePoint) -> Vec3 {
        let triangle = self.surface.triangles[at.triangle as usize];
        let sum: Vec3 = (triangle.iter().zip(at.weights))
            .map(|(&v, w)| self.normals[v as usize] * w)
            .sum();
        sum.try_normalize(1e-9).unwrap_or_else(Vec3::zeros)
    }

    /// The point near `x` that is found by walking from `start` to ever nearer triangles. The walk reaches neither the other side of a thin part nor crosses a sharp line.
    pub(crate) fn nearest_from(&self, start: &SurfacePoint, x: &Vec3) -> (SurfacePoint, Vec3) {
        let patch = self.creases.patch[start.triangle as usize];
        self.walk(start, x, |t| self.creases.patch[t as usize] == patch)
    }

    /// The same, but across sharp lines as well.
    pub(crate) fn nearest_across(&self, start: &SurfacePoint, x: &Vec3) -> (SurfacePoint, Vec3) {
        self.walk(start, x, |_| true)
    }

    fn walk(
        &self,
        start: &SurfacePoint,
        x: &Vec3,
        may_enter: impl Fn(u32) -> bool,
    ) -> (SurfacePoint, Vec3) {
        let measure = |t: u32| {
            let (place, weights) = closest_point_on_triangle(x, self.surface.corners(t as usize));
            let point = SurfacePoint {
                triangle: t,
                weights,
            };
            ((place - x).norm_squared(), point, place)
        };
        let mut best = measure(start.triangle);
        for _ in 0..MAX_WALK_STEPS {
            let current = best.1;
            for (slot, &v) in (self.surface.triangles[current.triangle as usize].iter()).enumerate()
            {
                // a nearest point off a corner needs no search of the other triangles at that corner
                if current.weights[slot] <= 0.0 {
                    continue;
                }
                for &t in self.around.row(v as usize) {
                    if t != current.triangle && may_enter(t) {
                        let found = measure(t);
                        if found.0 < best.0 {
                            best = found;
                        }
                    }
                }
            }
            if best.1.triangle == current.triangle {
                break;
            }
        }
        (best.1, best.2)
    }

    /// The sharp edge nearest to a point among those at the corners of its triangle.
    pub(crate) fn line_at(&self, at: &SurfacePoint) -> Option<[u32; 2]> {
        let x = self.surface.point(at);
        let triangle = self.surface.triangles[at.triangle as usize];
        (triangle.iter())
            .flat_map(|&a| {
                self.creases.sharp_neighbours[a as usize]
                    .iter()
                    .map(move |&b| [a, b])
            })
            .map(|edge| ((self.nearest_on_edge(edge, &x).1 - x).norm_squared(), edge))
            .min_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)))
            .map(|found| found.1)
    }

    fn nearest_on_edge(&self, [a, b]: [u32; 2], x: &Vec3) -> (f64, Vec3) {
        let (p, q) = (
            self.surface.positions[a as usize],
            self.surface.positions[b as usize],
        );
        let along = q - p;
        let share = (x - p).dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE);
        let share = share.clamp(0.0, 1.0);
        (share, p + along * share)
    }

    /// The point near `x` on the sharp line of the edge `start`, found by walking along it up to its corners: the edge, the point, and the normal.
    pub(crate) fn nearest_on_line(
        &self,
        start: [u32; 2],
        x: &Vec3,
    ) -> Option<([u32; 2], SurfacePoint, Vec3)> {
        let measure = |edge: [u32; 2]| {
            let (share, place) = self.nearest_on_edge(edge, x);
            ((place - x).norm_squared(), edge, share)
        };
        let mut best = measure(start);
        for _ in 0..MAX_WALK_STEPS {
            let (_, [a, b], share) = best;
            // continue beyond the end at which the point is
            let (end, last) = if share >= 1.0 { (b, a) } else { (a, b) };
            if (share > 0.0 && share < 1.0) || self.creases.is_corner[end as usize] {
                break;
            }
            let Some(&next) =
                (self.creases.sharp_neighbours[end as usize].iter()).find(|&&w| w != last)
            else {
                break;
            };
            let found = measure([end, next]);
            if found.0 >= best.0 {
                break;
            }
            best = found;
        }
        let (_, edge, share) = best;
        let point = self.on_edge(edge, share)?;
        Some((edge, point, self.normal_of_line(&point)))
    }

    /// A point between the ends of an edge, as a point of a triangle.
    fn on_edge(&self, [a, b]: [u32; 2], share: f64) -> Option<SurfacePoint> {
        let has = |t: u32, v: u32| self.surface.triangles[t as usize].contains(&v);
        let &triangle = (self.around.row(a as usize).iter()).find(|&&t| has(t, b))?;
        let weights = self.surface.triangles[triangle as usize].map(|v| {
            if v == a {
                1.0 - share
            } else if v == b {
                share
            } else {
                0.0
            }
        });
        Some(SurfacePoint { triangle, weights })
    }
}
