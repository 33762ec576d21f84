//! Fills what is open by triangles between its own vertices.

use std::collections::BTreeSet;

use super::patch::Patch;
use super::sides::sides;

/// Closes each loop of the boundary, the shortest diagonals first. No edge comes twice.
pub(super) fn fill(patch: &mut Patch<'_>) {
    let all = sides(patch);
    if all.is_empty() {
        return;
    }
    let mut edges: BTreeSet<[u32; 2]> = patch.by_edge().iter().map(|e| [e.0, e.1]).collect();
    let mut seen = vec![false; all.len()];
    for first in 0..all.len() {
        let mut around = Vec::new();
        let mut at = first;
        while !seen[at] {
            seen[at] = true;
            around.push(all[at].from);
            at = all[at].next;
        }
        fill_loop(around, patch, &mut edges);
    }
}

fn fill_loop(mut around: Vec<u32>, patch: &mut Patch<'_>, edges: &mut BTreeSet<[u32; 2]>) {
    let diagonal = |around: &[u32], k: usize| {
        let count = around.len();
        [around[(k + count - 1) % count], around[(k + 1) % count]]
    };
    let length = |patch: &Patch<'_>, [a, b]: [u32; 2]| (patch.place(a) - patch.place(b)).norm();
    let mut lengths: Vec<f64> = (0..around.len())
        .map(|k| length(patch, diagonal(&around, k)))
        .collect();
    while around.len() > 3 {
        let is_new = |k: &usize| {
            let [a, b] = diagonal(&around, *k);
            !edges.contains(&[a.min(b), a.max(b)])
        };
        let ears = (0..around.len()).filter(is_new);
        let Some(ear) = ears.min_by(|a, b| lengths[*a].total_cmp(&lengths[*b])) else {
            // every diagonal is an edge already
            let middle = patch.copy(around[0]);
            for k in 0..around.len() {
                patch.add([around[(k + 1) % around.len()], around[k], middle]);
            }
            return;
        };
        let [before, after] = diagonal(&around, ear);
        patch.add([after, around[ear], before]);
        edges.insert([before.min(after), before.max(after)]);
        around.remove(ear);
        lengths.remove(ear);
        let count = around.len();
        for k in [(ear + count - 1) % count, ear % count] {
            lengths[k] = length(patch, diagonal(&around, k));
        }
    }
    if let [a, b, c] = around[..] {
        patch.add([b, a, c]);
    }
}
