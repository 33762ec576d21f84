//! Edges with more than two triangles, though each of their ends has a single fan.

use std::collections::BTreeSet;

use super::patch::{Opposite, Patch};

/// Splits such edges: each pair of triangles but the first gets a copy of one end in the middle of the edge, and thereby edges of its own.
pub(super) fn split(patch: &mut Patch<'_>) {
    loop {
        let all = patch.sorted_half_edges();
        let mut changed: BTreeSet<u32> = BTreeSet::new();
        for edge in all.chunk_by(|a, b| (a.lower, a.upper) == (b.lower, b.upper)) {
            let kept = if edge.len() > 2 { 1 } else { edge.len() };
            for half_edge in &edge[kept..] {
                let number = half_edge.number;
                let Opposite::HalfEdge(other) = patch.opposite[number as usize] else {
                    continue;
                };
                let triangles = [number / 3, other / 3];
                // each pair occurs twice, once for either half-edge
                let is_first = edge[0].number == other;
                if !half_edge.ascends || is_first || triangles.iter().any(|t| changed.contains(t)) {
                    continue;
                }
                changed.extend(triangles);
                split_pair(patch, number, other);
            }
        }
        if changed.is_empty() {
            return;
        }
        patch.split_fans();
    }
}

/// Inserts a copy of one end into the edge of two half-edges, which are opposite to each other.
fn split_pair(patch: &mut Patch<'_>, half_edge: u32, other: u32) {
    let [a, b] = patch.ends(half_edge);
    let middle = patch.copy(a);
    // from a over the middle to b, and back
    for (half_edge, end) in [(half_edge, a), (other, b)] {
        let (t, s) = (half_edge as usize / 3, half_edge as usize % 3);
        let tip = patch.triangles[t][(s + 2) % 3];
        patch.triangles[t][s] = middle;
        patch.add([end, middle, tip]);
    }
}
