//! A surface inside the boundary of finite elements: each of its vertices as a weighted sum of nodes.

use std::iter::Sum;
use std::ops::Mul;

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SurfaceMesh, TetMesh, TriangleTree};
use rayon::prelude::*;

use crate::asset::inside::{InsidePoint, NO_STRESS, add_stress};
use crate::bake::held_nodes::HeldNodes;
use crate::finite_elements::linear_system::LinearSystem;
use crate::greens::skin_rows::NO_SUPPORT;

/// Weights below this count as zero.
const MIN_WEIGHT: f64 = 1e-12;

/// Shape functions at each free vertex of a surface.
///
/// A vertex moves by the weighted sum of the displacements of its nodes. A force on it acts on them with the same weights, so that compliances between vertices are
/// symmetric.
pub(super) struct SurfaceWeights {
    vertices: Vec<VertexWeights>,
}

/// Nodes of one vertex.
#[derive(Default)]
struct VertexWeights {
    /// Indices of free nodes, and weights.
    free: Vec<(u32, f64)>,
    /// Supports of held nodes, and weights.
    held: Vec<(u32, f64)>,
}

impl SurfaceWeights {
    /// Attaches the vertices of `surface` for which `is_free` holds to the closest points of the boundary of `mesh`. `held` includes the midside nodes of quadratic elements.
    pub fn new(
        surface: &SurfaceMesh,
        is_free: impl Fn(usize) -> bool + Sync,
        mesh: &TetMesh,
        system: &LinearSystem,
        held: &HeldNodes,
    ) -> Self {
        let boundary = mesh.boundary();
        let tree = TriangleTree::new(&boundary.surface.positions, &boundary.surface.triangles);
        let attach = |x: &Vec3| {
            let mut weights = VertexWeights::default();
            let Some(closest) = tree.closest(x) else {
                return weights;
            };
            let tet = boundary.tet_of_triangle[closest.triangle as usize] as usize;
            let triangle = boundary.surface.triangles[closest.triangle as usize];
            let nodes = triangle.map(|v| boundary.node_of_vertex[v as usize]);
            let mut at = [0.0; 4];
            for (at, corner) in at.iter_mut().zip(mesh.tets[tet]) {
                if let Some(k) = nodes.iter().position(|&node| node == corner) {
                    *at = closest.weights[k];
                }
            }
            let values = system.elements.values(at);
            for (&node, weight) in system.elements.tet(tet).iter().zip(values) {
                let support = held.support_of_node[node as usize];
                if weight.abs() < MIN_WEIGHT {
                    continue;
                } else if let Some(i) = system.free.get(node) {
                    weights.free.push((i as u32, weight));
                } else if support != NO_SUPPORT {
                    weights.held.push((support, weight));
                }
            }
            weights
        };
        let positions: Vec<&Vec3> = (0..surface.vertex_count())
            .filter(|&v| is_free(v))
            .map(|v| &surface.positions[v])
            .collect();
        Self {
            vertices: positions.into_par_iter().map(attach).collect(),
        }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Indices of free nodes and weights of a vertex.
    pub fn free(&self, vertex: usize) -> &[(u32, f64)] {
        &self.vertices[vertex].free
    }

    /// The value of each vertex from the values of all free nodes.
    pub fn interpolate<T>(&self, value: impl Fn(usize) -> T) -> Vec<T>
    where
        T: Mul<f64, Output = T> + Sum,
    {
        let sum = |vertex: &VertexWeights| {
            let parts = vertex.free.iter();
            parts.map(|&(i, w)| value(i as usize) * w).sum()
        };
        self.vertices.iter().map(sum).collect()
    }

    /// Replaces the rows of a point for all free nodes by those for the vertices.
    pub fn interpolate_point(&self, point: &mut InsidePoint) {
        point.displacement = self.interpolate(|i| point.displacement[i]);
        let stress = |vertex: &VertexWeights| {
            let mut sum = NO_STRESS;
            for &(i, w) in &vertex.free {
                add_stress(&mut sum, &point.stress[i as usize], w);
            }
            sum
        };
        point.stress = self.vertices.iter().map(stress).collect();
    }

    /// Reaction of a support to a unit force on each vertex, from its reactions to unit forces on free nodes. Forces on its own nodes act on it directly.
    pub fn reactions(&self, support: u32, of_nodes: &[Mat3]) -> Vec<Mat3> {
        let mut reactions = self.interpolate(|i| of_nodes[i]);
        for (reaction, vertex) in reactions.iter_mut().zip(&self.vertices) {
            let own = vertex.held.iter().filter(|(k, _)| *k == support);
            *reaction -= Mat3::identity() * own.map(|(_, w)| w).sum::<f64>();
        }
        reactions
    }
}
