//! Tetrahedral meshes with a node in the middle of every edge.

use crate::math::Vec3;
use crate::mesh::TetMesh;

/// Corner pairs whose midpoints are the nodes 4 to 9 of a quadratic tetrahedron.
pub const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]];

/// The edges of tetrahedra, each once with its lower end first, ascending; and the edges of each tetrahedron in the order of [`EDGES`]. Cost: sorting six edges a tetrahedron.
pub fn numbered_edges(tets: &[[u32; 4]]) -> (Vec<[u32; 2]>, Vec<[u32; 6]>) {
    let ends_of = |tet: &[u32; 4]| {
        EDGES.map(|[i, j]| {
            let (a, b) = (tet[i], tet[j]);
            [a.min(b), a.max(b)]
        })
    };
    let mut edges: Vec<[u32; 2]> = tets.iter().flat_map(ends_of).collect();
    edges.sort_unstable();
    edges.dedup();
    // every edge is in the list
    let number = |ends: [u32; 2]| edges.binary_search(&ends).unwrap_or(0) as u32;
    let of_tets = tets.iter().map(|tet| ends_of(tet).map(number)).collect();
    (edges, of_tets)
}

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
    /// Adds the midpoints of all edges to a linear mesh. Cost: that of [`numbered_edges`].
    pub fn new(linear: &TetMesh) -> Self {
        let (edges, of_tets) = numbered_edges(&linear.tets);
        let corner_count = linear.nodes.len();
        let quadratic = |(corners, edges): (&[u32; 4], [u32; 6])| {
            let mut nodes = [0; 10];
            nodes[..4].copy_from_slice(corners);
            nodes[4..].copy_from_slice(&edges.map(|k| corner_count as u32 + k));
            nodes
        };
        let tets = linear.tets.iter().zip(of_tets).map(quadratic).collect();
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
