//! The skin on the free boundary nodes: short rows of weights.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::embedding::embed_in_surface;
use pliant_core::mesh::tet::TetBoundary;

use crate::error::BakeError;
use crate::greens::assembly::NOT_FREE;
use crate::greens::support::{BoundaryColumns, NO_SUPPORT};

/// For every skin vertex its weights on free boundary nodes: displacement `u_s = Σ w_k u_k`.
///
/// Weights on held nodes are left out, because those do not move; a row can therefore be empty.
#[derive(Debug, Clone, PartialEq)]
pub struct SkinRows {
    pub(crate) offsets: Vec<u32>,
    pub(crate) nodes: Vec<u32>,
    pub(crate) weights: Vec<f64>,
    /// Weights on held nodes, ascending by vertex: that part of a force goes straight into the support.
    pub(crate) held: Vec<HeldShare>,
    /// Whether every skin vertex is a boundary node.
    pub identity: bool,
    /// Largest distance of a skin vertex from the boundary, m.
    pub max_distance: f64,
    /// The skin vertex where that happens.
    pub farthest_vertex: u32,
}

/// The part of a skin vertex that rests on a support.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldShare {
    /// Skin vertex.
    pub vertex: u32,
    /// Number of the support.
    pub support: u32,
    /// Boundary vertex, or element, that is held there; [`NO_NODE`] where a support was added afterwards.
    pub node: u32,
    /// Weight on its nodes.
    pub weight: f64,
}

/// Marks a held share whose node is not known.
pub const NO_NODE: u32 = u32::MAX;

/// Vertices closer than this share of the diagonal to a boundary node are that node.
const COINCIDENT: f64 = 1e-9;
/// Share of the diagonal from which on the distance is an error.
const TOO_FAR: f64 = 0.10;
/// Shares of the diagonal from which on it is worth a strong and a mild note.
const FAR: f64 = 0.03;
const NOTICEABLE: f64 = 0.01;

impl SkinRows {
    /// Attaches every skin vertex to the boundary vertex at its place, else to the closest boundary triangle with three weights.
    ///
    /// # Errors
    /// [`BakeError::EmbeddingFar`] beyond 10 % of the skin's diagonal.
    pub fn new(
        skin: &SurfaceMesh,
        boundary: &TetBoundary,
        columns: &BoundaryColumns,
    ) -> Result<Self, BakeError> {
        let embedding = embed_in_surface(skin, &boundary.surface);
        let diagonal = skin.bounds().diagonal();
        if embedding.max_distance.is_nan() || embedding.max_distance > TOO_FAR * diagonal {
            return Err(BakeError::EmbeddingFar {
                vertex: embedding.farthest_vertex,
                distance: embedding.max_distance,
                percent: 100.0 * embedding.max_distance / diagonal,
            });
        }
        let mut rows = Self::empty(embedding.max_distance, embedding.farthest_vertex);
        for (vertex, x) in skin.positions.iter().enumerate() {
            let (nodes, weights) = embedding.row(vertex);
            let here = nodes.iter().find(|&&n| {
                (boundary.surface.positions[n as usize] - x).norm() <= COINCIDENT * diagonal
            });
            let place = |node: u32| {
                let (column, support) = (&columns.column_of_vertex, &columns.support_of_vertex);
                (column[node as usize], support[node as usize], node)
            };
            match here {
                Some(&node) => rows.push_row([(place(node), 1.0)]),
                None => {
                    let parts = nodes.iter().zip(weights);
                    rows.push_row(parts.map(|(&node, &weight)| (place(node), weight)));
                    rows.identity = false;
                }
            }
        }
        Ok(rows)
    }

    /// No row yet.
    pub(crate) fn empty(max_distance: f64, farthest_vertex: u32) -> Self {
        Self {
            offsets: vec![0],
            nodes: Vec::new(),
            weights: Vec::new(),
            held: Vec::new(),
            identity: true,
            max_distance,
            farthest_vertex,
        }
    }

    /// The row of the next vertex: weights on things that are a column or held by a support (column, support, node), or loose.
    pub(crate) fn push_row(&mut self, parts: impl IntoIterator<Item = ((u32, u32, u32), f64)>) {
        let vertex = self.len() as u32;
        for ((column, support, node), weight) in parts {
            if column != NOT_FREE {
                self.nodes.push(column);
                self.weights.push(weight);
            } else if support != NO_SUPPORT {
                self.held.push(HeldShare {
                    vertex,
                    support,
                    node,
                    weight,
                });
            }
        }
        self.offsets.push(self.nodes.len() as u32);
    }

    /// Number of skin vertices.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no skin vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Most nodes behind one skin vertex: 1 where every vertex is a node.
    pub fn widest(&self) -> usize {
        let lengths = self.offsets.windows(2).map(|w| (w[1] - w[0]) as usize);
        lengths.max().unwrap_or(0)
    }

    /// Free boundary nodes and weights of skin vertex `vertex`; empty where the skin cannot move.
    pub fn row(&self, vertex: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize;
        (&self.nodes[range.clone()], &self.weights[range])
    }

    /// The parts of skin vertex `vertex` that rest on supports.
    pub fn held(&self, vertex: u32) -> &[HeldShare] {
        let start = self.held.partition_point(|share| share.vertex < vertex);
        let end = self.held.partition_point(|share| share.vertex <= vertex);
        &self.held[start..end]
    }

    /// Displacement of skin vertex `vertex` (m) in a field of three numbers a node.
    pub fn interpolate(&self, vertex: usize, field: &[f64]) -> Vec3 {
        let (nodes, weights) = self.row(vertex);
        let mut sum = Vec3::zeros();
        for (&node, &weight) in nodes.iter().zip(weights) {
            let k = 3 * node as usize;
            sum += Vec3::new(field[k], field[k + 1], field[k + 2]) * weight;
        }
        sum
    }

    /// What a user should know about the distance between skin and boundary, if anything.
    pub fn note(&self, diagonal: f64) -> Option<String> {
        let share = self.max_distance / diagonal;
        let figures = format!(
            "skin vertex {} is {:.4} m ({:.1} % of the diagonal) from the mesh of the Green's functions",
            self.farthest_vertex,
            self.max_distance,
            100.0 * share
        );
        if share > FAR {
            Some(format!("{figures}: shape and forces there are unreliable"))
        } else if share > NOTICEABLE {
            Some(format!("{figures}: forces there are approximate"))
        } else {
            None
        }
    }
}
