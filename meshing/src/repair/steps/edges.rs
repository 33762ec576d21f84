//! The edges of a triangle list with the triangles at each.

use pliant_core::mesh::adjacency::triangle_edges;

/// One side of a triangle: `low < high` name the edge, `forward` is whether the triangle runs from low to high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Side {
    pub low: u32,
    pub high: u32,
    pub triangle: u32,
    pub forward: bool,
}

/// All sides, sorted by edge and then by triangle.
pub(crate) fn sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    let mut sides: Vec<Side> = triangles
        .iter()
        .enumerate()
        .flat_map(|(k, t)| {
            triangle_edges(t).map(|[a, b]| Side {
                low: a.min(b),
                high: a.max(b),
                triangle: k as u32,
                forward: a < b,
            })
        })
        .collect();
    sides.sort_unstable();
    sides
}

/// The sides edge by edge.
pub(crate) fn by_edge(sides: &[Side]) -> impl Iterator<Item = &[Side]> {
    sides.chunk_by(|a, b| a.low == b.low && a.high == b.high)
}

/// The sides of the edges with one triangle.
pub(crate) fn open_sides(sides: &[Side]) -> Vec<Side> {
    by_edge(sides)
        .filter(|edge| edge.len() == 1)
        .map(|edge| edge[0])
        .collect()
}

/// For each triangle whether one of its edges satisfies `test` (of the number of triangles at the edge).
pub(crate) fn touching(triangles: &[[u32; 3]], test: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut touching = vec![false; triangles.len()];
    for edge in by_edge(&sides(triangles)) {
        if test(edge.len()) {
            for side in edge {
                touching[side.triangle as usize] = true;
            }
        }
    }
    touching
}
