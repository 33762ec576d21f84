//! Fills the loops of the boundary with triangles between their own vertices.

use std::collections::BTreeSet;

use super::boundary::boundary_edges;
use super::patch::Patch;
use crate::math::Vec3;

/// Fills each loop of the boundary, the shortest diagonals first. No diagonal is an edge already. A loop with skin stays on its side of a cut. A loop of caps alone, which no skin has opened, closes the cut.
pub(super) fn fill(patch: &mut Patch<'_>) {
    let boundary = boundary_edges(patch);
    if boundary.is_empty() {
        return;
    }
    let half_edges = patch.sorted_half_edges();
    let ends = half_edges.iter().map(|e| [e.lower, e.upper]);
    let mut edges: BTreeSet<[u32; 2]> = ends.collect();
    let skin: BTreeSet<u32> = patch.skin_vertices();
    let mut is_visited = vec![false; boundary.len()];
    for first in 0..boundary.len() {
        let mut vertices = Vec::new();
        let mut k = first;
        while !is_visited[k] {
            is_visited[k] = true;
            vertices.push(boundary[k].from);
            k = boundary[k].next;
        }
        let has_skin = vertices.iter().any(|v| skin.contains(v));
        let position = |v: &u32| match patch.offset_positions.get(v) {
            Some(position) if has_skin => *position,
            _ => patch.position(*v),
        };
        let positions = vertices.iter().map(position).collect();
        fill_loop((vertices, positions), patch, &mut edges);
    }
}

/// Fills one loop; `positions` (m) give the lengths of diagonals.
fn fill_loop(
    (mut vertices, mut positions): (Vec<u32>, Vec<Vec3>),
    patch: &mut Patch<'_>,
    edges: &mut BTreeSet<[u32; 2]>,
) {
    let neighbours = |k: usize, count: usize| [(k + count - 1) % count, (k + 1) % count];
    let length = |positions: &[Vec3], k: usize| {
        let [a, b] = neighbours(k, positions.len()).map(|k| positions[k]);
        (a - b).norm()
    };
    let all = 0..vertices.len();
    let mut lengths: Vec<f64> = all.map(|k| length(&positions, k)).collect();
    while vertices.len() > 3 {
        let count = vertices.len();
        let is_new = |k: &usize| {
            let [a, b] = neighbours(*k, count).map(|k| vertices[k]);
            !edges.contains(&[a.min(b), a.max(b)])
        };
        let ears = (0..count).filter(is_new);
        let Some(ear) = ears.min_by(|a, b| lengths[*a].total_cmp(&lengths[*b])) else {
            // every diagonal is an edge already: a fan around a new vertex
            let center = patch.copy(vertices[0]);
            for k in 0..count {
                patch.add([vertices[(k + 1) % count], vertices[k], center]);
            }
            return;
        };
        let [before, after] = neighbours(ear, count).map(|k| vertices[k]);
        patch.add([after, vertices[ear], before]);
        edges.insert([before.min(after), before.max(after)]);
        vertices.remove(ear);
        positions.remove(ear);
        lengths.remove(ear);
        let count = vertices.len();
        for k in [(ear + count - 1) % count, ear % count] {
            lengths[k] = length(&positions, k);
        }
    }
    if let [a, b, c] = vertices[..] {
        patch.add([b, a, c]);
    }
}
