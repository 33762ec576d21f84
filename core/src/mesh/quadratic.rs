//! Tetrahedral meshes with a node in the middle of every edge.

use crate::math::Vec3;
use crate::mesh::TetMesh;

/// Corner pairs whose midpoints are the nodes 4 to 9 of a quadratic tetrahedron.
pub const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]];

/// A tetrahedral mesh at rest with straight edges, each with a node in its middle.
///
/// The nodes of the linear mesh come first and keep their numbers. The midpoints follow, sorted by the end nodes of their edges.
#[derive(Debug, Clone, PartialEq)]
pub struct QuadraticTetMesh {
    /// Material positions of all nodes, m.
    pub nodes: Vec<Vec3>,
    /// Ten nodes a tetrahedron: the four corners, then the midpoints of [`EDGES`].
    pub tets: Vec<[u32; 10]>,
    /// Number of nodes of the linear mesh.
    pub corner_count: usize,
    /// End nodes of the edge of each midpoint, the lower first: the edge of node `corner_count + k` is `edges[k]`.
    pub edges: Vec<[u32; 2]>,
}

impl QuadraticTetMesh {
    /// Adds the midpoints of all edges to a linear mesh. Cost: sorting six edges a tetrahedron.
    pub fn new(linear: &TetMesh) -> Self {
        let edge_of = |tet: &[u32; 4], [a, b]: [usize; 2]| {
            let (a, b) = (tet[a], tet[b]);
            [a.min(b), a.max(b)]
        };
        let mut edges: Vec<[u32; 2]> = linear
            .tets
            .iter()
            .flat_map(|tet| EDGES.map(|e| edge_of(tet, e)))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let corner_count = linear.nodes.len();
        let tets = linear
            .tets
            .iter()
            .map(|tet| {
                let mut nodes = [0; 10];
                nodes[..4].copy_from_slice(tet);
                for (node, e) in nodes[4..].iter_mut().zip(EDGES) {
                    // every edge is in the list
                    let k = edges.binary_search(&edge_of(tet, e)).unwrap_or(0);
                    *node = (corner_count + k) as u32;
                }
                nodes
            })
            .collect();
        let middle =
            |e: &[u32; 2]| 0.5 * (linear.nodes[e[0] as usize] + linear.nodes[e[1] as usize]);
        let mut nodes = linear.nodes.clone();
        nodes.extend(edges.iter().map(middle));
        Self {
            nodes,
            tets,
            corner_count,
            edges,
        }
    }
}
