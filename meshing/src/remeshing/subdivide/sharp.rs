//! The edges that stay sharp under Loop subdivision.

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::{sorted_set, triangle_edges};

use super::edges::EdgeTable;
use super::error::SubdivideError;

/// A set of sharp edges, for the rules of piecewise smooth subdivision (Hoppe et al. 1994).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharpEdges {
    /// ends ascending, sorted
    edges: Vec<[u32; 2]>,
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

impl SharpEdges {
    /// No sharp edge.
    pub fn none() -> Self {
        Self::default()
    }

    /// The three edges of each of these triangles.
    ///
    /// # Errors
    /// [`SubdivideError::NoSuchFace`].
    pub fn from_faces(surface: &SurfaceMesh, faces: &[u32]) -> Result<Self, SubdivideError> {
        let mut edges = Vec::new();
        for &face in faces {
            let Some(triangle) = surface.triangles.get(face as usize) else {
                return Err(SubdivideError::NoSuchFace {
                    face,
                    triangles: surface.triangles.len(),
                });
            };
            edges.extend(triangle_edges(triangle));
        }
        Ok(Self::from_edges(edges.into_iter()))
    }

    /// The edges at which the surface bends by more than `degrees`.
    pub fn from_angle(surface: &SurfaceMesh, degrees: f64) -> Self {
        let table = EdgeTable::new(surface.vertex_count(), &surface.triangles);
        let bends = |e: &usize| normal_angle(surface, &table, *e) > degrees.to_radians();
        Self::from_edges((0..table.len()).filter(bends).map(|e| table.ends[e]))
    }

    /// Whether the edge with these ends, in any order, is sharp.
    pub fn contains(&self, ends: [u32; 2]) -> bool {
        self.edges.binary_search(&sorted(ends)).is_ok()
    }

    /// The sharp edges, ends ascending, sorted.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The set on the next level: both halves of each sharp edge.
    pub(crate) fn split(&self, vertex_count: usize, table: &EdgeTable) -> Self {
        let halves = (table.ends.iter().enumerate())
            .filter(|(_, ends)| self.contains(**ends))
            .flat_map(|(e, &[a, b])| {
                let odd = vertex_count as u32 + e as u32;
                [[a, odd], [b, odd]]
            });
        Self::from_edges(halves)
    }

    /// The other ends of the sharp edges at each vertex.
    pub(crate) fn at_vertices(&self, vertex_count: usize) -> Vec<Vec<u32>> {
        let mut at = vec![Vec::new(); vertex_count];
        for &[a, b] in &self.edges {
            if (b as usize) < vertex_count {
                at[a as usize].push(b);
                at[b as usize].push(a);
            }
        }
        at
    }

    /// These edges, whether or not a surface has them.
    pub(crate) fn from_edges(edges: impl Iterator<Item = [u32; 2]>) -> Self {
        Self {
            edges: sorted_set(edges.map(sorted)),
        }
    }
}

/// Angle between the normals on both sides of edge `e`, radians.
pub(super) fn normal_angle(surface: &SurfaceMesh, table: &EdgeTable, e: usize) -> f64 {
    let x = |v: u32| surface.positions[v as usize];
    let ([a, b], [c, d]) = (table.ends[e].map(x), table.opposite[e].map(x));
    let left = (b - a).cross(&(c - a));
    let right = (d - a).cross(&(b - a));
    left.cross(&right).norm().atan2(left.dot(&right))
}
