//! Embedding of the skin in a coarser mesh: each skin vertex is a weighted sum of nodes.

use rayon::prelude::*;

use crate::math::Vec3;
use crate::math::barycentric::tetrahedron_weights;
use crate::mesh::tet::TetBoundary;
use crate::mesh::{SurfaceMesh, TetMesh, TriangleTree, WeightedRows};

/// For each skin vertex a short row of nodes and weights that sum to one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SkinEmbedding {
    rows: WeightedRows,
    /// Largest distance of a skin vertex from the mesh that it is attached to, m.
    pub max_distance: f64,
    /// The skin vertex with this distance.
    pub farthest_vertex: u32,
}

impl SkinEmbedding {
    /// For each skin vertex its row of (node, weight) and its distance from the mesh that it is attached to (m).
    pub fn from_rows(rows: impl IntoIterator<Item = (Vec<(u32, f64)>, f64)>) -> Self {
        let mut embedding = Self::default();
        for (row, distance) in rows {
            embedding.push(row, distance);
        }
        embedding
    }

    /// Removes all skin vertices; keeps the memory.
    pub fn clear(&mut self) {
        self.rows.clear();
        (self.max_distance, self.farthest_vertex) = (0.0, 0);
    }

    /// Appends a skin vertex with its row of (node, weight) and its distance from the mesh that it is attached to (m).
    pub fn push(&mut self, row: impl IntoIterator<Item = (u32, f64)>, distance: f64) {
        if distance > self.max_distance {
            self.max_distance = distance;
            self.farthest_vertex = self.len() as u32;
        }
        self.rows.push(row);
    }

    /// Appends a skin vertex with the row of `vertex`.
    pub fn push_again(&mut self, vertex: usize) {
        self.rows.push_again(vertex);
    }

    /// Number of skin vertices.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no skin vertex.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Nodes and weights of skin vertex `vertex`.
    pub fn row(&self, vertex: usize) -> (&[u32], &[f64]) {
        self.rows.row(vertex)
    }

    /// Each node of skin vertex `vertex` with its weight.
    pub fn entries(&self, vertex: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.rows.entries(vertex)
    }

    /// The rows of some skin vertices, in their order.
    pub fn of_vertices(&self, vertices: &[u32]) -> Self {
        let mut rows = Self::default();
        for &v in vertices {
            rows.push(self.entries(v as usize), 0.0);
        }
        rows
    }

    /// `Σ w_k values[k]` for skin vertex `vertex`.
    pub fn interpolate(&self, vertex: usize, values: &[Vec3]) -> Vec3 {
        self.rows.interpolate(vertex, values)
    }
}

/// Attaches points to the tetrahedra behind their closest boundary triangles.
#[derive(Debug, Clone)]
pub struct TetAttachment {
    tree: TriangleTree,
    tet_of_triangle: Vec<u32>,
}

/// A point that is attached to a tetrahedron.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttachedPlace {
    /// Which tetrahedron.
    pub tet: u32,
    /// Barycentric weights of its corners; some are negative for a point outside.
    pub weights: [f64; 4],
    /// Square of the distance from the boundary, m².
    pub distance_squared: f64,
}

impl TetAttachment {
    /// An attachment to the tetrahedra with this boundary. Cost: a search tree over its triangles.
    pub fn new(boundary: &TetBoundary) -> Self {
        Self {
            tree: TriangleTree::new(&boundary.surface.positions, &boundary.surface.triangles),
            tet_of_triangle: boundary.tet_of_triangle.clone(),
        }
    }

    /// The tetrahedron of `mesh` behind the boundary triangle closest to `x` (m); `None` without a boundary.
    pub fn attach(&self, mesh: &TetMesh, x: &Vec3) -> Option<AttachedPlace> {
        let closest = self.tree.closest(x)?;
        let tet = self.tet_of_triangle[closest.triangle as usize];
        let weights = tetrahedron_weights(x, mesh.corners(tet as usize)).unwrap_or([0.25; 4]);
        Some(AttachedPlace {
            tet,
            weights,
            distance_squared: closest.distance_squared,
        })
    }
}

/// Attaches every skin vertex to the tetrahedron behind the closest boundary triangle.
///
/// Four barycentric weights, extrapolating outside: `p = Σ b x + F o` of Debunne et al. 2001, section 4.1, with the offset `o`
/// carried by the tetrahedron's deformation gradient. Affine deformations are reproduced exactly.
pub fn embed_in_tets(skin: &SurfaceMesh, mesh: &TetMesh, boundary: &TetBoundary) -> SkinEmbedding {
    let attachment = TetAttachment::new(boundary);
    embed(skin, |x| {
        let place = attachment.attach(mesh, x)?;
        let nodes = mesh.tets[place.tet as usize];
        Some((
            embedding_row(nodes, place.weights).collect(),
            place.distance_squared,
        ))
    })
}

/// A row of an embedding without weights that are round-off, so that a point at a corner has one exact weight.
pub fn embedding_row<const N: usize>(
    nodes: [u32; N],
    weights: [f64; N],
) -> impl Iterator<Item = (u32, f64)> + Clone {
    let all = nodes.into_iter().zip(weights);
    all.filter(|(_, w)| w.abs() > 1e-12)
}

/// Attaches every skin vertex to the closest point of another closed surface: three weights, for displacements.
pub fn embed_in_surface(skin: &SurfaceMesh, surface: &SurfaceMesh) -> SkinEmbedding {
    let tree = TriangleTree::new(&surface.positions, &surface.triangles);
    embed(skin, |x| {
        let closest = tree.closest(x)?;
        let nodes = surface.triangles[closest.triangle as usize];
        Some((
            embedding_row(nodes, closest.weights).collect(),
            closest.distance_squared,
        ))
    })
}

/// Attaches every skin vertex by the row of (node, weight) and the squared distance (m²) that `attach` gives; without them the row is empty and the distance infinite.
fn embed(
    skin: &SurfaceMesh,
    attach: impl Fn(&Vec3) -> Option<(Vec<(u32, f64)>, f64)> + Sync,
) -> SkinEmbedding {
    let rows = skin.positions.par_iter().map(|x| match attach(x) {
        Some((row, distance_squared)) => (row, distance_squared.sqrt()),
        None => (Vec::new(), f64::INFINITY),
    });
    SkinEmbedding::from_rows(rows.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::mesh::procedural::{CellStyle, box_surface, box_tets};

    #[test]
    fn affine_fields_are_reproduced_also_outside() {
        let mesh = box_tets(Vec3::repeat(1.0), [2, 2, 2], CellStyle::Kuhn);
        let skin = box_surface(Vec3::new(1.05, 0.98, 1.1), [5, 4, 3], CellStyle::Kuhn);
        let embedding = embed_in_tets(&skin, &mesh, &mesh.boundary());
        let f = Mat3::new(1.0, 0.4, 0.0, -0.3, 1.2, 0.1, 0.2, 0.0, 0.8);
        let map = |x: &Vec3| f * x + Vec3::new(3.0, -1.0, 2.0);
        let moved: Vec<Vec3> = mesh.nodes.iter().map(map).collect();
        for (v, x) in skin.positions.iter().enumerate() {
            assert!((embedding.interpolate(v, &moved) - map(x)).norm() < 1e-12);
        }
        assert!((embedding.max_distance - (0.05_f64 * 0.5).hypot(0.05)).abs() < 1e-12);
        let on_surface = embed_in_surface(&skin, &mesh.boundary().surface);
        assert_eq!(on_surface.len(), skin.vertex_count());
    }
}
