//! Edges of a closed surface, numbered in the order of its faces.

use pliant_core::mesh::surface::VertexGroup;

/// The edges of a closed, oriented, manifold surface.
///
/// Numbered in the order of their first appearance when the triangles are visited in order and each triangle `[a, b, c]` in the order ab, bc, ca. Splitting every edge makes
/// the odd vertex of edge `e` vertex `V + e`, where V is the number of (even) vertices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeTable {
    /// Ends of each edge, in the direction of the triangle where it was first met.
    pub ends: Vec<[u32; 2]>,
    /// Third corners of the two triangles of each edge; first that of the triangle where it was first met.
    pub opposite: Vec<[u32; 2]>,
    /// Edges ab, bc, ca of each triangle.
    pub of_face: Vec<[u32; 3]>,
}

impl EdgeTable {
    /// Numbers the edges of `triangles`; [`Self::opposite`] is defined where they have two triangles. Cost O(n).
    pub fn new(vertex_count: usize, triangles: &[[u32; 3]]) -> Self {
        // edges by their lower end: (higher end, edge)
        let mut edges_at: Vec<Vec<(u32, u32)>> = vec![Vec::new(); vertex_count];
        let mut table = Self {
            ends: Vec::with_capacity(triangles.len() * 3 / 2),
            opposite: Vec::with_capacity(triangles.len() * 3 / 2),
            of_face: Vec::with_capacity(triangles.len()),
        };
        for &[a, b, c] in triangles {
            table
                .of_face
                .push([[a, b, c], [b, c, a], [c, a, b]].map(|[p, q, r]| {
                    let (low, high) = (p.min(q), p.max(q));
                    let at_low = &mut edges_at[low as usize];
                    if let Some(&(_, e)) = at_low.iter().find(|(w, _)| *w == high) {
                        table.opposite[e as usize][1] = r;
                        e
                    } else {
                        let e = table.ends.len() as u32;
                        at_low.push((high, e));
                        table.ends.push([p, q]);
                        table.opposite.push([r, r]);
                        e
                    }
                }));
        }
        table
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no edge.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The two triangles of each edge of a closed manifold, that where it was first met first.
    pub(crate) fn faces(&self) -> Vec<[u32; 2]> {
        let mut faces = vec![[u32::MAX; 2]; self.len()];
        for (t, edges) in self.of_face.iter().enumerate() {
            for &e in edges {
                let pair = &mut faces[e as usize];
                pair[usize::from(pair[0] != u32::MAX)] = t as u32;
            }
        }
        faces
    }

    /// Adds the new vertices on edges that have both ends in a sorted group; they are numbered behind all others.
    pub(crate) fn extend_group(
        &self,
        group: &mut VertexGroup,
        on_edge: impl Fn(usize) -> Option<u32>,
    ) {
        let member = |v: &u32| group.vertices.binary_search(v).is_ok();
        let new: Vec<u32> = (self.ends.iter().enumerate())
            .filter(|(_, ends)| ends.iter().all(member))
            .filter_map(|(e, _)| on_edge(e))
            .collect();
        group.vertices.extend(new);
    }

    /// The triangles of the next level: triangle `t = [a, b, c]` becomes `4t` at corner a, `4t + 1` at b, `4t + 2` at c and `4t + 3` in the middle.
    pub fn split(&self, vertex_count: usize, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
        let first_odd = vertex_count as u32;
        (triangles.iter().zip(&self.of_face))
            .flat_map(|(&[a, b, c], edges)| {
                let [ab, bc, ca] = edges.map(|e| first_odd + e);
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect()
    }
}
