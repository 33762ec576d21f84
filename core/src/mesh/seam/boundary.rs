//! The boundary of a patch: half-edges without an opposite one, each with those before and after it.

use std::collections::BTreeMap;

use super::patch::{Opposite, Patch};
use crate::math::Vec3;

/// A half-edge without an opposite one.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoundaryEdge {
    /// number of the half-edge
    pub half_edge: u32,
    pub from: u32,
    pub to: u32,
    pub is_skin: bool,
    /// indices of the neighbours in the list of boundary edges
    pub next: usize,
    pub previous: usize,
}

/// All boundary edges of a patch. Once fans are split, at most one begins at each vertex.
pub(super) fn boundary_edges(patch: &Patch<'_>) -> Vec<BoundaryEdge> {
    let mut all: Vec<BoundaryEdge> = Vec::new();
    let mut edge_from: BTreeMap<u32, usize> = BTreeMap::new();
    for (half_edge, opposite) in (0..).zip(&patch.opposite) {
        if *opposite == Opposite::Boundary {
            let [from, to] = patch.ends(half_edge);
            edge_from.insert(from, all.len());
            all.push(BoundaryEdge {
                half_edge,
                from,
                to,
                is_skin: patch.is_skin(half_edge),
                next: 0,
                previous: 0,
            });
        }
    }
    for k in 0..all.len() {
        // boundaries are closed loops
        let next = edge_from.get(&all[k].to).copied().unwrap_or(k);
        all[k].next = next;
        all[next].previous = k;
    }
    all
}

/// A unit vector from the first vertex of each edge into the side of the body that it belongs to: the one that the method gives, or else that of the triangles. Zero at the end of a cut, which belongs to
/// both sides.
pub(super) fn inward_directions(patch: &Patch<'_>, edges: &[BoundaryEdge]) -> Vec<Vec3> {
    let of_edges: Vec<Vec3> = edges.iter().map(|edge| inward_of(patch, edge)).collect();
    let mean = |edge: &BoundaryEdge, own: &Vec3| {
        let sum = own + of_edges[edge.previous];
        let of_triangles = || sum.try_normalize(0.5).unwrap_or_default();
        patch.inward(edge.from).unwrap_or_else(of_triangles)
    };
    edges
        .iter()
        .zip(&of_edges)
        .map(|(edge, own)| mean(edge, own))
        .collect()
}

/// Into the body by the triangle of an edge: the skin lies on its side of a cut, and a cap bounds it.
fn inward_of(patch: &Patch<'_>, edge: &BoundaryEdge) -> Vec3 {
    let [a, b] = [edge.from, edge.to].map(|v| patch.position(v));
    let triangle = patch.triangles[edge.half_edge as usize / 3];
    let c = patch.position(triangle[(edge.half_edge as usize % 3 + 2) % 3]);
    let normal = (b - a).cross(&(c - a));
    let direction = match edge.is_skin {
        true => normal.cross(&(b - a)),
        false => -normal,
    };
    direction.try_normalize(0.0).unwrap_or_default()
}
