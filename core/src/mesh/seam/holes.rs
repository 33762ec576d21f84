//! Fills what is open by triangles between its own vertices.

use std::collections::BTreeSet;

use super::patch::Patch;
use super::sides::sides;
use crate::math::Vec3;

/// Closes each loop of the boundary, the shortest diagonals first. No edge comes twice. Loops with skin keep to their side of a cut; a loop of caps alone, which no skin has opened, closes the cut.
pub(super) fn fill(patch: &mut Patch<'_>) {
    let all = sides(patch);
    if all.is_empty() {
        return;
    }
    let mut edges: BTreeSet<[u32; 2]> = patch.by_edge().iter().map(|e| [e.0, e.1]).collect();
    let lips: BTreeSet<u32> = patch.skin_vertices();
    let mut seen = vec![false; all.len()];
    for first in 0..all.len() {
        let mut around = Vec::new();
        let mut at = first;
        while !seen[at] {
            seen[at] = true;
            around.push(all[at].from);
            at = all[at].next;
        }
        let has_skin = around.iter().any(|v| lips.contains(v));
        let place = |v: &u32| match patch.compared.get(v) {
            Some(compared) if has_skin => *compared,
            _ => patch.place(*v),
        };
        let places = around.iter().map(place).collect();
        fill_loop((around, places), patch, &mut edges);
    }
}

/// `places` are those by which the lengths of diagonals are told, m.
fn fill_loop(
    (mut around, mut places): (Vec<u32>, Vec<Vec3>),
    patch: &mut Patch<'_>,
    edges: &mut BTreeSet<[u32; 2]>,
) {
    let beside = |k: usize, count: usize| [(k + count - 1) % count, (k + 1) % count];
    let length = |places: &[Vec3], k: usize| {
        let [a, b] = beside(k, places.len()).map(|k| places[k]);
        (a - b).norm()
    };
    let all = 0..around.len();
    let mut lengths: Vec<f64> = all.map(|k| length(&places, k)).collect();
    while around.len() > 3 {
        let count = around.len();
        let is_new = |k: &usize| {
            let [a, b] = beside(*k, count).map(|k| around[k]);
            !edges.contains(&[a.min(b), a.max(b)])
        };
        let ears = (0..count).filter(is_new);
        let Some(ear) = ears.min_by(|a, b| lengths[*a].total_cmp(&lengths[*b])) else {
            // every diagonal is an edge already
            let middle = patch.copy(around[0]);
            for k in 0..count {
                patch.add([around[(k + 1) % count], around[k], middle]);
            }
            return;
        };
        let [before, after] = beside(ear, count).map(|k| around[k]);
        patch.add([after, around[ear], before]);
        edges.insert([before.min(after), before.max(after)]);
        around.remove(ear);
        places.remove(ear);
        lengths.remove(ear);
        let count = around.len();
        for k in [(ear + count - 1) % count, ear % count] {
            lengths[k] = length(&places, k);
        }
    }
    if let [a, b, c] = around[..] {
        patch.add([b, a, c]);
    }
}
