//! The contact surface of a body: points of its skin at a distance that suits its resolution, and the triangles between them.

use std::sync::Arc;

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::adjacency::{Csr, triangle_edges, vertex_triangles};
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh, WeightedRows};
use pliant_core::model::PartedSurface;

use crate::surface::corner_normals::corner_normals;
use crate::surface::exempt_points::exempt_points;
use crate::surface::thinning::thinned_surface;

/// Largest search radius, over the mean edge between contact points: a few long edges must not make every search wide.
const MAX_REACH: f64 = 1.5;

/// Contact points of a body at rest; shared by all bodies of the same asset.
#[derive(Debug, Clone)]
pub(crate) struct ContactShape {
    /// Vertex of each contact point, ascending: of the skin, or of the surface of a body in parts.
    pub vertices: Vec<u32>,
    /// Contact points of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Triangles around each contact point.
    pub fans: Csr,
    /// The other two corners of these triangles, in their order.
    pub ring: Vec<[u32; 2]>,
    /// Index of the normal at each corner of each triangle. A contact point has one normal, or several where edges are sharp at rest.
    pub corner_normals: Vec<[u32; 3]>,
    /// Number of normals.
    pub normal_count: usize,
    /// For each contact point, the sorted points of the same body that it never touches.
    pub exempt: Csr,
    /// Distance up to which the nearest point is looked for, m.
    pub reach: f64,
    /// Mean edge, m.
    pub spacing: f64,
    /// Nodes and weights of each contact point.
    rows: WeightedRows,
    /// 1/kg of each node, zero for held nodes
    pub inverse_mass: Vec<f64>,
    /// kg of each node, zero for held nodes
    pub mass: Vec<f64>,
    /// `Σ x fitᵀ` over the contact points is the linear map that fits their motion from rest best, 1/m
    pub fit: Vec<Vec3>,
    /// Piece of the body that each contact point belongs to; empty for a body that is whole.
    pieces: Vec<u32>,
    /// The contact points of the whole body, for one that is in parts.
    pub whole: Option<Arc<Self>>,
}

impl ContactShape {
    /// Points about `spacing` apart (m) on `skin`, attached to the nodes that move them. Points less than `exclusion` (m) apart along the
    /// skin do not touch each other.
    ///
    /// A skin that is no finer than that is taken as it is. Cost: about a second for a skin of 100,000 vertices and 3,000 points.
    pub fn new(
        skin: &SurfaceMesh,
        embedding: &SkinEmbedding,
        inverse_mass: &[f64],
        spacing: f64,
        exclusion: f64,
    ) -> Self {
        let points = thinned_surface(skin, spacing, &[]);
        let mut shape = Self::unattached(skin, points, spacing, exclusion);
        shape.attach(&embedding.of_vertices(&shape.vertices), inverse_mass);
        shape
    }

    /// The same on the surface of a body in `parts`, of which `whole` are the points while it was whole: they stay where there is skin left, and others come where faces were laid open.
    /// `inverse_mass` (1/kg) are those of the present nodes, of which a body in parts may have more.
    ///
    /// Cost: a search over the surface for all points that stay, and a pass over its vertices for each that comes.
    pub fn in_parts(
        whole: &Arc<Self>,
        parts: &PartedSurface,
        inverse_mass: &[f64],
        spacing: f64,
        exclusion: f64,
    ) -> Self {
        let points = thinned_surface(&parts.surface, spacing, &whole.vertices);
        let mut shape = Self::unattached(&parts.surface, points, spacing, exclusion);
        let pieces = shape.vertices.iter().map(|&v| parts.pieces[v as usize]);
        shape.pieces = pieces.collect();
        let rows = parts.rows.of_vertices(&shape.vertices);
        shape.attach(&rows, inverse_mass);
        shape.whole = Some(Arc::clone(whole));
        shape
    }

    /// The shape of some vertices of a skin and the triangles between them, not attached to nodes yet.
    fn unattached(
        skin: &SurfaceMesh,
        (vertices, triangles): (Vec<u32>, Vec<[u32; 3]>),
        spacing: f64,
        exclusion: f64,
    ) -> Self {
        let rest: Vec<Vec3> = vertices
            .iter()
            .map(|&v| skin.positions[v as usize])
            .collect();
        let surface = SurfaceMesh::new(rest, triangles);
        let longest = surface
            .triangles
            .iter()
            .flat_map(triangle_edges)
            .map(|[a, b]| (surface.positions[a as usize] - surface.positions[b as usize]).norm())
            .fold(0.0, f64::max);
        let mean = surface.mean_edge();
        let reach = longest.min(MAX_REACH * mean).max(spacing * 0.5);
        let fans = vertex_triangles(surface.positions.len(), &surface.triangles);
        let ring = (0..fans.len())
            .flat_map(|p| fans.row(p).iter().map(move |t| (p as u32, *t)))
            .map(|(p, t)| other_corners(&surface.triangles[t as usize], p))
            .collect();
        let (corner_normals, normal_count) = corner_normals(&surface, &fans);
        Self {
            exempt: exempt_points(&surface, exclusion, reach),
            fit: fit(&surface.positions),
            fans,
            ring,
            corner_normals,
            normal_count,
            vertices,
            triangles: surface.triangles,
            reach,
            spacing: mean,
            rows: WeightedRows::default(),
            mass: Vec::new(),
            inverse_mass: Vec::new(),
            pieces: Vec::new(),
            whole: None,
        }
    }

    /// Contact points follow the nodes of `rows` from now on, one row a point; nodes have these inverse masses, 1/kg.
    pub fn attach(&mut self, rows: &SkinEmbedding, inverse_mass: &[f64]) {
        self.rows.clear();
        for point in 0..rows.len() {
            let row = rows.entries(point).filter(|(_, w)| *w != 0.0);
            self.rows.push(row);
        }
        self.mass.clear();
        self.mass.extend(inverse_mass.iter().map(mass_of));
        self.inverse_mass.clear();
        self.inverse_mass.extend_from_slice(inverse_mass);
    }

    /// Whether two contact points belong to one piece of the body.
    pub fn are_one_piece(&self, a: u32, b: u32) -> bool {
        self.pieces.get(a as usize) == self.pieces.get(b as usize)
    }

    /// The present number of the contact point that had number `point` in the `old` shape of the same body, if it still exists. Vertices from number `skin` on belong to cuts, and are
    /// numbered anew by every break.
    pub fn point_of(&self, old: &Self, point: u32, skin: u32) -> Option<u32> {
        let vertex = old.vertices.get(point as usize).filter(|v| **v < skin)?;
        let at = self.vertices.binary_search(vertex).ok()?;
        Some(at as u32)
    }

    /// Number of contact points.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Each node of a contact point with its weight.
    pub fn entries(&self, point: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.rows.entries(point)
    }

    /// `Σ w_k values[k]` of a contact point.
    pub fn interpolate(&self, point: usize, values: &[Vec3]) -> Vec3 {
        self.rows.interpolate(point, values)
    }
}

/// Mass of a node, kg; zero for a held one.
fn mass_of(inverse: &f64) -> f64 {
    if *inverse > 0.0 { 1.0 / inverse } else { 0.0 }
}

/// The two corners after corner `p`.
fn other_corners(triangle: &[u32; 3], p: u32) -> [u32; 2] {
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
