//! The skin as weighted sums of free boundary nodes.

use pliant_core::math::Vec3;

/// Marks a node, or an element, without a column.
pub const NOT_FREE: u32 = u32::MAX;
/// Marks a node that no support holds.
pub const NO_SUPPORT: u32 = u32::MAX;

/// For every skin vertex its weights on free boundary nodes: displacement `u_s = Σ w_k u_k`.
///
/// Weights on held nodes are left out, because those do not move; a row can therefore be empty.
#[derive(Debug, Clone, PartialEq)]
pub struct SkinRows {
    pub(crate) offsets: Vec<u32>,
    pub(crate) nodes: Vec<u32>,
    pub(crate) weights: Vec<f64>,
    /// Weights on held nodes, ascending by vertex. This part of a force acts directly on the support.
    pub(crate) held: Vec<HeldShare>,
    /// Whether every skin vertex is a boundary node.
    pub identity: bool,
    /// Largest distance of a skin vertex from the boundary, m.
    pub max_distance: f64,
    /// The skin vertex at that distance.
    pub farthest_vertex: u32,
}

/// The weight of a skin vertex on a node that a support holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldShare {
    /// Skin vertex.
    pub vertex: u32,
    /// Index of the support.
    pub support: u32,
    /// Boundary vertex, or element, that is held there; [`NO_NODE`] where a support was added afterwards.
    pub node: u32,
    /// Weight on its nodes.
    pub weight: f64,
}

/// Marks a held share whose node is not known.
pub const NO_NODE: u32 = u32::MAX;

impl SkinRows {
    /// Without any row.
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

    /// Appends the row of the next vertex: weights on nodes given as (column, support, node). Weights on unsupported nodes are dropped.
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
    pub(crate) fn max_nodes_per_vertex(&self) -> usize {
        let lengths = self.offsets.windows(2).map(|w| (w[1] - w[0]) as usize);
        lengths.max().unwrap_or(0)
    }

    /// Free boundary nodes and weights of skin vertex `vertex`; empty where the skin cannot move.
    pub fn row(&self, vertex: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize;
        (&self.nodes[range.clone()], &self.weights[range])
    }

    /// The weights of skin vertex `vertex` on held nodes.
    pub fn held(&self, vertex: u32) -> &[HeldShare] {
        let start = self.held.partition_point(|share| share.vertex < vertex);
        let end = self.held.partition_point(|share| share.vertex <= vertex);
        &self.held[start..end]
    }

    /// Displacement of skin vertex `vertex` (m) in a field of three numbers a node.
    pub fn interpolate(&self, vertex: usize, field: &[f64]) -> Vec3 {
        weighted_sum(self.row(vertex), field)
    }
}

/// The weighted sum of a field of three numbers a node.
#[inline]
pub(crate) fn weighted_sum((nodes, weights): (&[u32], &[f64]), field: &[f64]) -> Vec3 {
    let mut sum = Vec3::zeros();
    for (&node, &weight) in nodes.iter().zip(weights) {
        let k = 3 * node as usize;
        sum += Vec3::new(field[k], field[k + 1], field[k + 2]) * weight;
    }
    sum
}
