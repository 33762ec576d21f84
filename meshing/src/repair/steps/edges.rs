//! The edges of a triangle list with the triangles at each.

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::triangle_edges;
use rayon::prelude::*;

/// One side of a triangle, from its `corner` to the next: `low <= high` name the edge, `forward` is whether the triangle runs from low to high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Side {
    pub low: u32,
    pub high: u32,
    pub triangle: u32,
    pub corner: u8,
    pub forward: bool,
}

/// All sides, sorted by edge and then by triangle.
pub(crate) fn sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    sides_of(triangles.iter().copied())
}

/// All sides of a surface on which vertices at the same `place` count as one.
pub(crate) fn sides_between(surface: &SurfaceMesh, place: &[u32]) -> Vec<Side> {
    let triangles = surface.triangles.iter();
    sides_of(triangles.map(|t| t.map(|v| place[v as usize])))
}

fn sides_of(triangles: impl Iterator<Item = [u32; 3]>) -> Vec<Side> {
    let mut sides: Vec<Side> = (0..)
        .zip(triangles)
        .flat_map(|(triangle, t)| {
            let corners: [u8; 3] = [0, 1, 2];
            corners.map(|corner| {
                let [a, b] = triangle_edges(&t)[usize::from(corner)];
                Side {
                    low: a.min(b),
                    high: a.max(b),
                    triangle,
                    corner,
                    forward: a < b,
                }
            })
        })
        .collect();
    sides.par_sort_unstable();
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
