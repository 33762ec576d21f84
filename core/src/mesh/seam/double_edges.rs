//! Edges with more than two triangles, though none of their ends has several fans.

use std::collections::BTreeSet;

use super::patch::{Beyond, Patch};

/// Puts a copy of one end into such an edge for each pair of triangles but the first, which then has edges of its own.
pub(super) fn part(patch: &mut Patch<'_>) {
    loop {
        let all = patch.by_edge();
        let mut changed: BTreeSet<u32> = BTreeSet::new();
        for edge in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for &(.., up, half) in edge
                .iter()
                .skip(if edge.len() > 2 { 1 } else { edge.len() })
            {
                let Beyond::Half(other) = patch.beyond[half as usize] else {
                    continue;
                };
                let triangles = [half / 3, other / 3];
                // each pair is seen from either side
                let is_first = edge[0].3 == other;
                if !up || is_first || triangles.iter().any(|t| changed.contains(t)) {
                    continue;
                }
                changed.extend(triangles);
                split(patch, half, other);
            }
        }
        if changed.is_empty() {
            return;
        }
        patch.part_fans();
    }
}

fn split(patch: &mut Patch<'_>, half: u32, other: u32) {
    let [a, b] = patch.ends(half);
    let middle = patch.copy(a);
    // from a over the middle to b, and back
    for (half, end) in [(half, a), (other, b)] {
        let (t, s) = (half as usize / 3, half as usize % 3);
        let tip = patch.triangles[t][(s + 2) % 3];
        patch.triangles[t][s] = middle;
        patch.add([end, middle, tip]);
    }
}
