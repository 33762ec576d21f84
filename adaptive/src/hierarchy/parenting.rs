//! Which coarse node a fine node belongs to.

use std::num::NonZeroUsize;

use kiddo::{ImmutableKdTree, SquaredEuclidean};
use pliant_core::math::Vec3;
use pliant_core::mesh::Csr;

/// Equidistant coarse nodes looked at before all of them are: a cell centre of a regular grid has eight.
const TIES: usize = 16;

/// For each fine node the coarse node in whose Voronoi region it lies (Debunne et al. 2001, section 2.2): the nearest one, and
/// of several equally near ones the lowest index. `coarse` must not be empty.
pub fn nearest_parents(fine: &[Vec3], coarse: &[Vec3]) -> Vec<u32> {
    let exhaustive = |x: &Vec3| lowest_nearest(x, coarse, 0..coarse.len() as u32);
    let points: Vec<[f64; 3]> = coarse.iter().map(|x| [x.x, x.y, x.z]).collect();
    let Ok(tree) = ImmutableKdTree::<f64, 3>::new_from_slice(&points) else {
        return fine.iter().map(exhaustive).collect();
    };
    let ties = NonZeroUsize::MIN.saturating_add(TIES - 1);
    fine.iter()
        .map(|x| {
            let near = tree
                .query(&[x.x, x.y, x.z])
                .nearest_n::<SquaredEuclidean<f64>>(ties)
                .execute();
            let candidates = near.iter().map(|n| n.item);
            let best = lowest_nearest(x, coarse, candidates.clone());
            let distance = |n: u32| (coarse[n as usize] - x).norm_squared();
            let farthest = candidates.map(distance).fold(0.0, f64::max);
            if coarse.len() > TIES && farthest <= distance(best) {
                // all are ties: there may be more
                exhaustive(x)
            } else {
                best
            }
        })
        .collect()
}

fn lowest_nearest(x: &Vec3, coarse: &[Vec3], candidates: impl Iterator<Item = u32>) -> u32 {
    let mut best = (f64::INFINITY, 0);
    for n in candidates {
        let d = (coarse[n as usize] - x).norm_squared();
        if d < best.0 || (d == best.0 && n < best.1) {
            best = (d, n);
        }
    }
    best.1
}

/// Gives every coarse node without a child the nearest fine node whose parent keeps at least two, in ascending order of coarse
/// nodes. Returns those that still have none: they may not be split.
pub fn repair_empty(parents: &mut [u32], fine: &[Vec3], coarse: &[Vec3]) -> Vec<u32> {
    let mut count = vec![0_u32; coarse.len()];
    for &p in parents.iter() {
        count[p as usize] += 1;
    }
    let mut leaves = Vec::new();
    for node in 0..coarse.len() {
        if count[node] > 0 {
            continue;
        }
        let mut best: Option<(f64, usize)> = None;
        for (child, x) in fine.iter().enumerate() {
            let d = (x - coarse[node]).norm_squared();
            if count[parents[child] as usize] > 2 && best.is_none_or(|(b, _)| d < b) {
                best = Some((d, child));
            }
        }
        match best {
            Some((_, child)) => {
                count[parents[child] as usize] -= 1;
                parents[child] = node as u32;
                count[node] = 1;
            }
            None => leaves.push(node as u32),
        }
    }
    leaves
}

/// Children of each of `coarse` nodes, ascending.
pub fn children(parents: &[u32], coarse: usize) -> Csr {
    Csr::from_pairs(
        coarse,
        parents
            .iter()
            .enumerate()
            .map(|(child, &parent)| (parent, child as u32)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::grid_nodes;

    #[test]
    fn parents_are_the_nearest_nodes_and_ties_go_to_the_lowest() {
        let coarse = grid_nodes(Vec3::repeat(1.0), [3, 3, 3]);
        // every other node of this one lies midway: two, four or eight equally near parents
        let fine = grid_nodes(Vec3::repeat(1.0), [6, 6, 6]);
        let parents = nearest_parents(&fine, &coarse);
        for (x, &parent) in fine.iter().zip(&parents) {
            let mut best = 0;
            for n in 1..coarse.len() {
                if (coarse[n] - x).norm_squared() < (coarse[best] - x).norm_squared() {
                    best = n;
                }
            }
            assert_eq!(parent as usize, best);
        }
    }

    #[test]
    fn no_node_is_left_without_a_child_where_there_are_enough() {
        let fine = grid_nodes(Vec3::repeat(1.0), [3, 3, 3]);
        // crowded coarse nodes in one corner: most of them own no region with a fine node
        let coarse: Vec<Vec3> = grid_nodes(Vec3::repeat(0.2), [2, 2, 2])
            .into_iter()
            .map(|x| x + Vec3::repeat(0.4))
            .collect();
        let mut parents = nearest_parents(&fine, &coarse);
        let rows = children(&parents, coarse.len());
        assert!((0..coarse.len()).any(|n| rows.row(n).is_empty()));
        assert!(repair_empty(&mut parents, &fine, &coarse).is_empty());
        let rows = children(&parents, coarse.len());
        assert!((0..coarse.len()).all(|n| !rows.row(n).is_empty()));
        assert_eq!(rows.items().len(), fine.len());
        // more coarse than fine nodes: some must stay leaves
        let mut few = nearest_parents(&fine[..5], &coarse);
        assert!(!repair_empty(&mut few, &fine[..5], &coarse).is_empty());
    }
}
