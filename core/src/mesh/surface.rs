//! The skin: a closed, oriented triangle surface whose connectivity never changes.

use std::ops::AddAssign;

use crate::math::Vec3;
use crate::math::barycentric::closest_point_on_triangle;
use crate::math::bounds::Aabb;
use crate::mesh::adjacency::{Csr, vertex_neighbours};

/// A triangle surface at rest.
///
/// Triangles are counter-clockwise seen from outside. Vertex numbers are the common language of all solvers:
/// constraints, reactions, probes and pictures refer to them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SurfaceMesh {
    /// Rest positions, m.
    pub positions: Vec<Vec3>,
    /// Vertex triples, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Named vertex sets, for example the handle of a spatula; sorted vertex lists.
    pub groups: Vec<VertexGroup>,
}

/// A named set of skin vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexGroup {
    /// Name as scenes write it.
    pub name: String,
    /// Ascending vertex numbers.
    pub vertices: Vec<u32>,
}

/// A point on a surface: a triangle and barycentric coordinates in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// Triangle index.
    pub triangle: u32,
    /// Weights of its three corners, summing to one.
    pub weights: [f64; 3],
}

/// Volume enclosed by triangles whose corners are at `position(vertex)`, by the divergence theorem, m³; negative when they are inside out. `origin` is a point near all of them (m), which avoids
/// cancellation.
pub fn volume_within(
    triangles: &[[u32; 3]],
    origin: Vec3,
    position: impl Fn(usize) -> Vec3,
) -> f64 {
    let tetrahedra = triangles.iter().map(|t| {
        let [a, b, c] = t.map(|v| position(v as usize) - origin);
        a.dot(&b.cross(&c)) / 6.0
    });
    tetrahedra.sum()
}

impl SurfaceMesh {
    /// A surface without groups.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self {
            positions,
            triangles,
            groups: Vec::new(),
        }
    }

    /// Appends the vertices and triangles of another surface. Groups of the same name are merged.
    pub fn append(&mut self, other: &Self) {
        let first = self.vertex_count() as u32;
        self.positions.extend(&other.positions);
        let moved = other.triangles.iter().map(|t| t.map(|v| v + first));
        self.triangles.extend(moved);
        for group in &other.groups {
            let vertices = group.vertices.iter().map(|v| v + first);
            match self.groups.iter_mut().find(|g| g.name == group.name) {
                Some(present) => present.vertices.extend(vertices),
                None => self.groups.push(VertexGroup {
                    name: group.name.clone(),
                    vertices: vertices.collect(),
                }),
            }
        }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// The three corner positions of triangle `t`.
    pub fn corners(&self, t: usize) -> [Vec3; 3] {
        self.triangles[t].map(|v| self.positions[v as usize])
    }

    /// Area vector of triangle `t`: outward normal times area, m².
    pub fn area_vector(&self, t: usize) -> Vec3 {
        let [a, b, c] = self.corners(t);
        (b - a).cross(&(c - a)) * 0.5
    }

    /// Box around all vertices.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(&self.positions)
    }

    /// Sum of triangle areas, m².
    pub fn area(&self) -> f64 {
        (0..self.triangles.len())
            .map(|t| self.area_vector(t).norm())
            .sum()
    }

    /// Enclosed volume by the divergence theorem, m³; negative when the surface is inside out.
    pub fn volume(&self) -> f64 {
        let origin = self.bounds().center();
        volume_within(&self.triangles, origin, |v| self.positions[v])
    }

    /// Nodal areas `a_j`: a third of the area of the triangles around each vertex, m² (James and Pai, haptics chapter, G1).
    pub fn nodal_areas(&self) -> Vec<f64> {
        self.sums_at_vertices(0.0, |t| self.area_vector(t).norm() / 3.0)
    }

    /// A third of the area vectors of the triangles around each vertex, m²: the flux of displacements that are linear in each triangle.
    pub fn nodal_area_vectors(&self) -> Vec<Vec3> {
        self.sums_at_vertices(Vec3::zeros(), |t| self.area_vector(t) / 3.0)
    }

    /// The sums at the vertices of the values `of` the triangles around each, from `zero`.
    fn sums_at_vertices<T: Copy + AddAssign>(&self, zero: T, of: impl Fn(usize) -> T) -> Vec<T> {
        let mut sums = vec![zero; self.positions.len()];
        for (t, triangle) in self.triangles.iter().enumerate() {
            let value = of(t);
            for &v in triangle {
                sums[v as usize] += value;
            }
        }
        sums
    }

    /// Unit vertex normals at rest, weighted by area; zero where a vertex has no triangle.
    pub fn vertex_normals(&self) -> Vec<Vec3> {
        let mut normals = self.sums_at_vertices(Vec3::zeros(), |t| self.area_vector(t));
        for n in &mut normals {
            let length = n.norm();
            if length > 0.0 {
                *n /= length;
            }
        }
        normals
    }

    /// Sorted vertex neighbours along edges.
    pub fn vertex_neighbours(&self) -> Csr {
        vertex_neighbours(self.positions.len(), &self.triangles)
    }

    /// Mean edge length, m; 0 without triangles.
    pub fn mean_edge(&self) -> f64 {
        let mut sum = 0.0;
        for t in 0..self.triangles.len() {
            let [a, b, c] = self.corners(t);
            sum += (b - a).norm() + (c - b).norm() + (a - c).norm();
        }
        if self.triangles.is_empty() {
            0.0
        } else {
            sum / (3 * self.triangles.len()) as f64
        }
    }

    /// The vertices of the group `name`, if there is one.
    pub fn group(&self, name: &str) -> Option<&[u32]> {
        self.groups
            .iter()
            .find(|g| g.name == name)
            .map(|g| g.vertices.as_slice())
    }

    /// Rest position of a surface point.
    pub fn point(&self, at: &SurfacePoint) -> Vec3 {
        self.corners(at.triangle as usize)
            .iter()
            .zip(at.weights)
            .map(|(x, w)| x * w)
            .sum()
    }

    /// The surface point nearest to `position`; `None` on a surface without triangles. Cost: one pass over all triangles.
    pub fn nearest_point(&self, position: &Vec3) -> Option<SurfacePoint> {
        let mut best: Option<(f64, SurfacePoint)> = None;
        for t in 0..self.triangles.len() {
            let (closest, weights) = closest_point_on_triangle(position, self.corners(t));
            let d = (closest - position).norm_squared();
            if best.is_none_or(|(b, _)| d < b) {
                let triangle = t as u32;
                best = Some((d, SurfacePoint { triangle, weights }));
            }
        }
        best.map(|(_, p)| p)
    }
}
