//! Held nodes, parts of the mesh without a support, and the boundary vertices that become columns.

use std::collections::BTreeMap;

use pliant_core::asset::BodyGeometry;
use pliant_core::asset::bake::spans_a_plane;
use pliant_core::math::Vec3;
use pliant_core::mesh::tet::TetBoundary;
use pliant_core::mesh::validate::UnionFind;
use pliant_core::mesh::{QuadraticTetMesh, SurfaceMesh, TetMesh};

use crate::error::BakeError;
use crate::greens::skin_rows::{NO_SUPPORT, NOT_FREE};

/// Held nodes and the parts of the mesh without a support.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldNodes {
    /// Support that holds each node (the first one that selects it), or [`NO_SUPPORT`].
    pub support_of_node: Vec<u32>,
    /// Whether each node belongs to a part that is solved; unsupported parts and nodes without tetrahedra are not.
    pub solved: Vec<bool>,
    /// Number of parts without a support, which stay at rest.
    pub unsupported_parts: usize,
}

impl HeldNodes {
    /// Finds the held nodes of every part of `mesh`.
    ///
    /// # Errors
    /// [`BakeError::Unconstrained`] when no part has a support, [`BakeError::SupportHinge`] when a part is held along a line only.
    pub fn new(mesh: &TetMesh, geometry: &BodyGeometry) -> Result<Self, BakeError> {
        let cells = mesh.tets.iter().map(<[u32; 4]>::as_slice);
        Self::of_cells(&mesh.nodes, cells, mesh.mean_edge(), geometry)
    }

    /// Finds the held corners and midside nodes of quadratic tetrahedra, whose mean edge is `spacing` (m). A support holds the midside node between two of its nodes.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of_quadratic(
        mesh: &QuadraticTetMesh,
        spacing: f64,
        geometry: &BodyGeometry,
    ) -> Result<Self, BakeError> {
        let cells = mesh.tets.iter().map(<[u32; 10]>::as_slice);
        let mut held = Self::of_cells(&mesh.nodes, cells, spacing, geometry)?;
        for (middle, &ends) in (mesh.corner_count..).zip(&mesh.edges) {
            let [a, b] = ends.map(|node| held.support_of_node[node as usize]);
            if a == b && a != NO_SUPPORT {
                held.support_of_node[middle] = a;
            }
        }
        Ok(held)
    }

    /// Finds the held vertices of every part of a closed surface.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of_surface(surface: &SurfaceMesh, geometry: &BodyGeometry) -> Result<Self, BakeError> {
        let spacing = surface.mean_edge();
        let cells = surface.triangles.iter().map(<[u32; 3]>::as_slice);
        Self::of_cells(&surface.positions, cells, spacing, geometry)
    }

    fn of_cells<'c>(
        nodes: &[Vec3],
        cells: impl Iterator<Item = &'c [u32]>,
        spacing: f64,
        geometry: &BodyGeometry,
    ) -> Result<Self, BakeError> {
        let mut support_of_node = vec![NO_SUPPORT; nodes.len()];
        for (k, support) in geometry.supports.iter().enumerate() {
            for node in support.nodes(nodes, spacing, &geometry.skin) {
                let slot = &mut support_of_node[node as usize];
                *slot = (*slot).min(k as u32);
            }
        }
        let mut parts = UnionFind::new(nodes.len());
        let mut used = vec![false; nodes.len()];
        for cell in cells {
            for &node in cell {
                used[node as usize] = true;
                parts.join(cell[0], node);
            }
        }
        let mut held_of_part: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for node in (0..nodes.len() as u32).filter(|&n| used[n as usize]) {
            let held = held_of_part.entry(parts.find(node)).or_default();
            if support_of_node[node as usize] != NO_SUPPORT {
                held.push(node);
            }
        }
        let unsupported_parts = held_of_part.values().filter(|held| held.is_empty()).count();
        if unsupported_parts == held_of_part.len() {
            return Err(BakeError::Unconstrained);
        }
        for held in held_of_part.values().filter(|held| !held.is_empty()) {
            let points = held.iter().map(|&n| nodes[n as usize]);
            if !spans_a_plane(points) {
                return Err(BakeError::SupportHinge {
                    nodes: held.len(),
                    at: nodes[held[0] as usize],
                });
            }
        }
        let solved = (0..nodes.len() as u32)
            .map(|node| {
                used[node as usize]
                    && held_of_part
                        .get(&parts.find(node))
                        .is_some_and(|held| !held.is_empty())
            })
            .collect();
        Ok(Self {
            support_of_node,
            solved,
            unsupported_parts,
        })
    }

    /// Whether `node` moves: part of a supported piece and not held itself.
    pub fn is_free(&self, node: usize) -> bool {
        self.solved[node] && self.support_of_node[node] == NO_SUPPORT
    }
}

/// The boundary vertices as columns of the Green's functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundaryColumns {
    /// Free boundary node of each vertex of the boundary surface, [`NOT_FREE`] for held and unsupported ones.
    pub column_of_vertex: Vec<u32>,
    /// Support of each vertex of the boundary surface, [`NO_SUPPORT`] for free and unsupported ones.
    pub support_of_vertex: Vec<u32>,
    /// Node of the mesh behind each vertex of the boundary surface.
    pub node_of_vertex: Vec<u32>,
    /// Node of the mesh behind each column, ascending.
    pub nodes: Vec<u32>,
}

impl BoundaryColumns {
    /// Numbers the free vertices of `boundary` in their order.
    pub fn new(boundary: &TetBoundary, held: &HeldNodes) -> Self {
        let nodes = boundary.node_of_vertex.iter().copied();
        let mut columns = Self {
            column_of_vertex: Vec::with_capacity(boundary.node_of_vertex.len()),
            support_of_vertex: nodes
                .clone()
                .map(|node| held.support_of_node[node as usize])
                .collect(),
            node_of_vertex: boundary.node_of_vertex.clone(),
            nodes: Vec::new(),
        };
        for node in nodes {
            if held.is_free(node as usize) {
                columns.column_of_vertex.push(columns.nodes.len() as u32);
                columns.nodes.push(node);
            } else {
                columns.column_of_vertex.push(NOT_FREE);
            }
        }
        columns
    }
}
