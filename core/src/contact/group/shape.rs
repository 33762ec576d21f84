//! What of a body touches: points of its skin at a distance that suits its resolution, and triangles between them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::math::{Mat3, Vec3};
use crate::mesh::adjacency::{Csr, vertex_triangles};
use crate::mesh::{SkinEmbedding, SurfaceMesh};

use super::grid::PointGrid;
use super::thin::{Distance, thinned};

/// Longest edge between contact points that a search reaches, over the mean edge: a few long ones must not make every search wide.
const REACH: f64 = 1.5;
/// Cosine of the angle from which on an edge is sharp: 50 degrees.
const SHARP: f64 = 0.643;
/// Within so many search radii a point that lies behind a place at rest never touches it: they are two sides of one wall.
const WALL: f64 = 4.0;

/// Points of contact of a body at rest; shared by all bodies of the same asset.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactShape {
    /// Skin vertex of each contact point, ascending.
    pub vertices: Vec<u32>,
    /// Rest position of each contact point, m.
    pub rest: Vec<Vec3>,
    /// Contact points of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Triangles around each contact point.
    pub fans: Csr,
    /// The other two corners of these triangles, in their order.
    pub ring: Vec<[u32; 2]>,
    /// Number of the normal at each corner of each triangle: one a contact point, more where edges are sharp at rest.
    pub corner_normals: Vec<[u32; 3]>,
    /// Number of normals.
    pub normal_count: usize,
    /// For each contact point, the sorted points of the same body that it never touches.
    pub exempt: Csr,
    /// Distance up to which the nearest point is looked for, m.
    pub reach: f64,
    /// Mean edge, m.
    pub spacing: f64,
    offsets: Vec<u32>,
    nodes: Vec<u32>,
    weights: Vec<f64>,
    /// 1/kg of each node, zero for held nodes
    pub(super) inverse_mass: Vec<f64>,
    /// kg of each node, zero for held nodes
    pub(super) mass: Vec<f64>,
    /// `Σ x fitᵀ` over the contact points is the linear map that fits their motion from rest best, 1/m
    pub(super) fit: Vec<Vec3>,
}

impl ContactShape {
    /// Points about `spacing` apart (m) on `skin`, and what is needed to move nodes through them. Points less than `exclusion` (m) apart along the
    /// skin do not touch each other.
    ///
    /// Where the skin is as coarse as that it is taken as it is. Cost: about a second for a skin of 100,000 vertices and 3,000 points.
    pub fn new(
        skin: &SurfaceMesh,
        embedding: &SkinEmbedding,
        inverse_mass: &[f64],
        spacing: f64,
        exclusion: f64,
    ) -> Self {
        let (vertices, triangles) = thinned(skin, spacing);
        let rest: Vec<Vec3> = vertices
            .iter()
            .map(|&v| skin.positions[v as usize])
            .collect();
        let surface = SurfaceMesh::new(rest, triangles);
        let longest = surface
            .triangles
            .iter()
            .flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])])
            .map(|(a, b)| (surface.positions[a as usize] - surface.positions[b as usize]).norm())
            .fold(0.0, f64::max);
        let mean = surface.mean_edge();
        let reach = longest.min(REACH * mean).max(spacing * 0.5);
        let fans = vertex_triangles(surface.positions.len(), &surface.triangles);
        let ring = (0..fans.len())
            .flat_map(|p| fans.row(p).iter().map(move |t| (p as u32, *t)))
            .map(|(p, t)| others(&surface.triangles[t as usize], p))
            .collect();
        let (corner_normals, normal_count) = corner_normals(&surface, &fans);
        let mut shape = Self {
            exempt: exempt(&surface, exclusion, reach),
            fit: fit(&surface.positions),
            fans,
            ring,
            corner_normals,
            normal_count,
            vertices,
            rest: surface.positions,
            triangles: surface.triangles,
            reach,
            spacing: mean,
            offsets: Vec::new(),
            nodes: Vec::new(),
            weights: Vec::new(),
            mass: Vec::new(),
            inverse_mass: Vec::new(),
        };
        let rows = shape.vertices.iter().map(|&v| embedding.row(v as usize));
        let rows = rows.map(|(nodes, weights)| {
            let row = nodes.iter().copied().zip(weights.iter().copied());
            (row.collect(), 0.0)
        });
        let rows = SkinEmbedding::from_rows(rows);
        shape.attach(&rows, inverse_mass);
        shape
    }

    /// Contact points follow the nodes of `rows` from now on, one row a point; nodes have these inverse masses, 1/kg.
    pub(super) fn attach(&mut self, rows: &SkinEmbedding, inverse_mass: &[f64]) {
        self.offsets.clear();
        self.nodes.clear();
        self.weights.clear();
        self.offsets.push(0);
        for point in 0..rows.len() {
            let row = rows.row(point);
            for (&n, &w) in row.0.iter().zip(row.1) {
                if w != 0.0 {
                    self.nodes.push(n);
                    self.weights.push(w);
                }
            }
            self.offsets.push(self.nodes.len() as u32);
        }
        self.mass.clear();
        self.mass.extend(inverse_mass.iter().map(mass_of));
        self.inverse_mass.clear();
        self.inverse_mass.extend_from_slice(inverse_mass);
    }

    /// Number of contact points.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Whether nothing touches.
    pub fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    /// Nodes and weights of a contact point.
    pub fn row(&self, point: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[point] as usize..self.offsets[point + 1] as usize;
        (&self.nodes[range.clone()], &self.weights[range])
    }

    /// `Σ w_k values[k]` of a contact point.
    pub fn interpolate(&self, point: usize, values: &[Vec3]) -> Vec3 {
        let (nodes, weights) = self.row(point);
        let mut sum = Vec3::zeros();
        for (&n, w) in nodes.iter().zip(weights) {
            sum += values[n as usize] * *w;
        }
        sum
    }
}

/// Nodes that something holds do not count.
fn mass_of(inverse: &f64) -> f64 {
    if *inverse > 0.0 { 1.0 / inverse } else { 0.0 }
}

/// The corners after corner `p`.
fn others(triangle: &[u32; 3], p: u32) -> [u32; 2] {
    let [a, b, c] = *triangle;
    if a == p {
        [b, c]
    } else if b == p {
        [c, a]
    } else {
        [a, b]
    }
}

/// `Q⁻¹ (x⁰ − x̄⁰)` with `Q = Σ (x⁰ − x̄⁰)(x⁰ − x̄⁰)ᵀ`; without `Q⁻¹` where the points are flat.
fn fit(rest: &[Vec3]) -> Vec<Vec3> {
    let center = rest.iter().sum::<Vec3>() / rest.len().max(1) as f64;
    let spread: Mat3 = rest
        .iter()
        .map(|x| (x - center) * (x - center).transpose())
        .sum();
    let inverse = spread.try_inverse().unwrap_or_else(Mat3::identity);
    rest.iter().map(|x| inverse * (x - center)).collect()
}

/// Numbers of the normals at the corners of triangles, and how many there are: the triangles around a point share one where they meet in no
/// sharp edge.
fn corner_normals(surface: &SurfaceMesh, fans: &Csr) -> (Vec<[u32; 3]>, usize) {
    let normal: Vec<Vec3> = (0..surface.triangles.len())
        .map(|t| {
            surface
                .area_vector(t)
                .try_normalize(0.0)
                .unwrap_or_default()
        })
        .collect();
    let mut corners = vec![[0; 3]; surface.triangles.len()];
    let mut count = 0;
    for v in 0..surface.positions.len() {
        let fan = fans.row(v);
        // groups of the fan, joined over edges at v until nothing changes
        let mut group: Vec<usize> = (0..fan.len()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for i in 0..fan.len() {
                for j in 0..i {
                    let (a, b) = (fan[i] as usize, fan[j] as usize);
                    let shared = surface.triangles[a]
                        .iter()
                        .filter(|p| surface.triangles[b].contains(p))
                        .count();
                    if shared > 1 && normal[a].dot(&normal[b]) > SHARP && group[i] != group[j] {
                        let low = group[i].min(group[j]);
                        (group[i], group[j]) = (low, low);
                        changed = true;
                    }
                }
            }
        }
        for (k, &t) in fan.iter().enumerate() {
            // a group has the number of its first triangle
            let place = (0..=group[k]).filter(|&i| group[i] == i).count() - 1;
            for (corner, &p) in corners[t as usize]
                .iter_mut()
                .zip(&surface.triangles[t as usize])
            {
                if p as usize == v {
                    *corner = (count + place) as u32;
                }
            }
        }
        count += (0..fan.len()).filter(|&i| group[i] == i).count();
    }
    (corners, count)
}

/// Points that are no partners of each other: near along the skin, or two sides of one wall.
fn exempt(surface: &SurfaceMesh, exclusion: f64, reach: f64) -> Csr {
    let around = surface.vertex_neighbours();
    let normals = surface.vertex_normals();
    let x = &surface.positions;
    let mut grid = PointGrid::default();
    grid.build(x, WALL * reach);
    let mut pairs = Vec::new();
    let mut distance = vec![f64::INFINITY; x.len()];
    let mut met: Vec<u32> = Vec::new();
    let mut heap = BinaryHeap::new();
    for i in 0..x.len() {
        distance[i] = 0.0;
        met.push(i as u32);
        heap.push(Reverse((Distance(0.0), i as u32)));
        while let Some(Reverse((Distance(d), v))) = heap.pop() {
            if d > distance[v as usize] {
                continue;
            }
            for &u in around.row(v as usize) {
                let next = d + (x[u as usize] - x[v as usize]).norm();
                if next <= exclusion && next < distance[u as usize] {
                    if distance[u as usize] == f64::INFINITY {
                        met.push(u);
                    }
                    distance[u as usize] = next;
                    heap.push(Reverse((Distance(next), u)));
                }
            }
        }
        for &u in &met {
            pairs.push((i as u32, u));
            distance[u as usize] = f64::INFINITY;
        }
        met.clear();
        grid.visit(&x[i], |j, to| {
            let apart = x[i] - to;
            let wall = apart.norm() < WALL * reach && normals[j as usize].dot(&apart) <= 0.0;
            if wall {
                pairs.push((i as u32, j));
            }
        });
    }
    pairs.sort_unstable();
    pairs.dedup();
    Csr::from_pairs(x.len(), pairs.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn a_cube_has_three_normals_at_a_corner_and_one_inside_a_face() {
        let skin = box_surface(Vec3::repeat(1.0), [2; 3], CellStyle::Kuhn);
        let fans = vertex_triangles(skin.vertex_count(), &skin.triangles);
        let (corners, count) = corner_normals(&skin, &fans);
        // 8 corners, 12 edge middles, 6 face middles
        assert_eq!(count, 8 * 3 + 12 * 2 + 6);
        let mut seen = vec![Vec3::zeros(); count];
        for (t, numbers) in corners.iter().enumerate() {
            let n = skin.area_vector(t).normalize();
            for &k in numbers {
                let known = &mut seen[k as usize];
                assert!(*known == Vec3::zeros() || (*known - n).norm() < 1e-12);
                *known = n;
            }
        }
        assert!(seen.iter().all(|n| n.norm() > 0.9));
    }

    #[test]
    fn two_sides_of_a_plate_never_touch_each_other() {
        let skin = box_surface(Vec3::new(1.0, 0.1, 1.0), [10, 1, 10], CellStyle::Kuhn);
        let lists = exempt(&skin, 0.25, 0.15);
        let at = |x: f64, y: f64, z: f64| {
            let wanted = Vec3::new(x, y, z);
            let found = skin
                .positions
                .iter()
                .position(|p| (p - wanted).norm() < 1e-9);
            found.expect("a vertex") as u32
        };
        let (top, bottom) = (at(0.0, 0.05, 0.0), at(0.0, -0.05, 0.0));
        assert!(lists.row(top as usize).contains(&bottom));
        assert!(
            lists.row(top as usize).contains(&at(0.2, 0.05, 0.0)),
            "near along the skin"
        );
        let far = at(0.5, 0.05, 0.5);
        assert!(!lists.row(top as usize).contains(&far));
    }
}
