//! Which coarse node a fine node belongs to.

use std::num::NonZeroUsize;

use kiddo::{ImmutableKdTree, SquaredEuclidean};
use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::{Csr, TetMesh};
use rayon::prelude::*;

use crate::hierarchy::geodesic::{CANDIDATE_FACTOR, Labels, VolumeGraph};

/// Number of nearest coarse nodes that are compared. If all of them are equally near, all coarse nodes are. A cell centre of a regular grid has eight.
const TIES: usize = 16;

/// Parents of the nodes of a fine mesh among those of a coarse one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parentage {
    /// For each fine node its coarse node.
    pub parents: Vec<u32>,
    /// Coarse nodes without a child, ascending: there were not enough fine nodes. They may not be split.
    pub leaves: Vec<u32>,
}

/// Parents by distance through the body (Voronoi regions of Debunne et al. 2001, section 2.2, that do not jump gaps).
///
/// A fine node belongs to the nearest coarse node when the straight way there stays in the body; of equally near ones to the lowest. Otherwise
/// distances are those along the edges of the fine mesh: coarse nodes up to 1.3 times the smallest are candidates, and of these the one nearest by
/// straight distance is the parent. In a convex body this is [`nearest_parents`]. Afterwards every coarse node without a child takes the nearest fine
/// node through the body whose parent keeps two, or one where none can.
///
/// Cost: some microseconds a fine node. Neither mesh may be empty.
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
pub fn geodesic_parents(
    fine: &TetMesh,
    coarse: &TetMesh,
    progress: &Progress,
) -> Result<Parentage, Cancelled> {
    let graph = VolumeGraph::new(fine, &coarse.nodes);
    let labels = graph.labels(&coarse.nodes, progress)?;
    Ok(parentage(&graph, &labels, &coarse.nodes))
}

/// [`geodesic_parents`] from the distances in `labels`.
pub(super) fn parentage(graph: &VolumeGraph<'_>, labels: &Labels, coarse: &[Vec3]) -> Parentage {
    let nearest = nearest_parents(&graph.mesh.nodes, coarse);
    let mut parents: Vec<u32> = graph
        .mesh
        .nodes
        .par_iter()
        .zip(&nearest)
        .enumerate()
        .map(|(node, (x, &straight))| {
            if labels.row(node).is_empty() || graph.has_line_of_sight(x, straight) {
                straight
            } else {
                lowest_nearest(x, coarse, labels.candidates(node))
            }
        })
        .collect();
    let leaves = give_children(&mut parents, graph, coarse);
    Parentage { parents, leaves }
}

/// For each fine node the nearest coarse node in a straight line, and of several equally near ones the lowest index. `coarse` must not be empty.
pub fn nearest_parents(fine: &[Vec3], coarse: &[Vec3]) -> Vec<u32> {
    let exhaustive = |x: &Vec3| lowest_nearest(x, coarse, 0..coarse.len() as u32);
    let points: Vec<[f64; 3]> = coarse.iter().map(|x| [x.x, x.y, x.z]).collect();
    let Ok(tree) = ImmutableKdTree::<f64, 3>::new_from_slice(&points) else {
        return fine.iter().map(exhaustive).collect();
    };
    let ties = NonZeroUsize::MIN.saturating_add(TIES - 1);
    fine.par_iter()
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

/// Gives every coarse node without a child one from a neighbour, in ascending order of coarse nodes. Returns the nodes that still have none.
fn give_children(parents: &mut [u32], graph: &VolumeGraph<'_>, coarse: &[Vec3]) -> Vec<u32> {
    let mut count = vec![0_u32; coarse.len()];
    for &p in parents.iter() {
        count[p as usize] += 1;
    }
    let mut leaves = Vec::new();
    for node in 0..coarse.len() {
        if count[node] > 0 {
            continue;
        }
        // a parent keeps only one child where no richer one can be found
        let taken = [2, 1].into_iter().find_map(|kept| {
            nearest_spare_child(node, kept, parents, &count, graph, &coarse[node])
        });
        match taken {
            Some(child) => {
                count[parents[child] as usize] -= 1;
                parents[child] = node as u32;
                count[node] = 1;
            }
            None => leaves.push(node as u32),
        }
    }
    leaves
}

/// The fine node that `node` may take from a parent that keeps at least `kept` children: the nearest through the body, where straight distance decides
/// among those that are about as near.
fn nearest_spare_child(
    node: usize,
    kept: u32,
    parents: &[u32],
    count: &[u32],
    graph: &VolumeGraph<'_>,
    x: &Vec3,
) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    let mut limit = f64::INFINITY;
    graph.visit_by_distance(node, x, |cost, fine| {
        let fine = fine as usize;
        if cost > limit {
            return true;
        }
        if count[parents[fine] as usize] > kept {
            limit = limit.min(CANDIDATE_FACTOR * cost);
            let d = (graph.mesh.nodes[fine] - x).norm_squared();
            if best.is_none_or(|(b, n)| d < b || (d == b && fine < n)) {
                best = Some((d, fine));
            }
        }
        false
    });
    best.map(|(_, fine)| fine)
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
    use pliant_core::mesh::procedural::{CellStyle, box_tets, grid_nodes};
    use pliant_fuzzing::on_threads;

    fn made(fine: &TetMesh, coarse: &TetMesh) -> Parentage {
        geodesic_parents(fine, coarse, &Progress::new()).expect("not cancelled")
    }

    /// A U of two fingers that stand 0.2 apart on a bar, from a grid whose cells of the gap are left out; cells of `edge`.
    fn two_fingers(edge: f64) -> TetMesh {
        let size = Vec3::new(1.0, 1.2, 0.2);
        let cells = [0, 1, 2].map(|axis| (size[axis] / edge).round() as usize);
        let whole = box_tets(size, cells, CellStyle::Alternating);
        whole.part(|x| x.x.abs() >= 0.1 || x.y <= -0.4)
    }

    #[test]
    fn in_a_convex_body_parents_are_the_nearest_nodes_and_ties_go_to_the_lowest() {
        let size = Vec3::new(1.0, 0.8, 1.1);
        for (coarse, fine) in [
            ([2, 2, 2], [4, 4, 4]),
            ([2, 1, 3], [5, 3, 7]),
            ([3, 3, 3], [6, 5, 8]),
        ] {
            let coarse = box_tets(size, coarse, CellStyle::Alternating);
            let fine = box_tets(size, fine, CellStyle::Kuhn);
            let found = made(&fine, &coarse);
            assert!(found.leaves.is_empty());
            for (x, &parent) in fine.nodes.iter().zip(&found.parents) {
                let mut best = 0;
                for n in 1..coarse.nodes.len() {
                    let nearer = (coarse.nodes[n] - x).norm_squared()
                        < (coarse.nodes[best] - x).norm_squared();
                    if nearer {
                        best = n;
                    }
                }
                assert_eq!(parent as usize, best);
            }
        }
    }

    #[test]
    fn no_parent_lies_across_a_gap() {
        // fingers 0.4 wide, 0.03 apart; the right coarse one is too thin, so that its inner fine nodes have nearer ones on the left
        let (mut fine, mut coarse) = (two_fingers(0.05), two_fingers(0.2));
        for x in fine.nodes.iter_mut().chain(&mut coarse.nodes) {
            x.x -= 0.085 * x.x.signum();
        }
        for x in &mut coarse.nodes {
            if x.y > -0.5 && (0.0..0.1).contains(&x.x) {
                x.x += 0.1;
            }
        }
        let found = made(&fine, &coarse);
        let straight = nearest_parents(&fine.nodes, &coarse.nodes);
        let across = |parents: &[u32]| {
            let pairs = fine.nodes.iter().zip(parents);
            pairs
                .filter(|(x, p)| x.y > -0.2 && x.x * coarse.nodes[**p as usize].x < 0.0)
                .count()
        };
        assert!(across(&straight) > 50, "the test is not too easy");
        assert_eq!(across(&found.parents), 0);
    }

    #[test]
    fn no_node_is_left_without_a_child_where_there_are_enough() {
        let fine = box_tets(Vec3::repeat(1.0), [3, 3, 3], CellStyle::Alternating);
        // crowded coarse nodes in one corner: most of them own no region with a fine node
        let mut coarse = box_tets(Vec3::repeat(0.2), [2, 2, 2], CellStyle::Alternating);
        coarse.nodes = grid_nodes(Vec3::repeat(0.2), [2, 2, 2])
            .into_iter()
            .map(|x| x + Vec3::repeat(0.4))
            .collect();
        let nearest = nearest_parents(&fine.nodes, &coarse.nodes);
        let rows = children(&nearest, coarse.nodes.len());
        assert!((0..coarse.nodes.len()).any(|n| rows.row(n).is_empty()));
        let found = made(&fine, &coarse);
        assert!(found.leaves.is_empty());
        let rows = children(&found.parents, coarse.nodes.len());
        assert!((0..coarse.nodes.len()).all(|n| !rows.row(n).is_empty()));
        assert_eq!(rows.items().len(), fine.nodes.len());
        // more coarse than fine nodes: some must stay leaves, and each fine node still has one parent
        let few = box_tets(Vec3::repeat(1.0), [1, 1, 1], CellStyle::Kuhn);
        let found = made(&few, &coarse);
        assert_eq!(found.leaves.len(), 27 - 8);
        assert!(found.leaves.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn the_same_for_any_number_of_threads() {
        let (fine, coarse) = (two_fingers(0.05), two_fingers(0.2));
        let with = |threads: usize| on_threads(threads, || made(&fine, &coarse));
        assert_eq!(with(1), with(2));
        assert_eq!(with(1), with(8));
        let cancelled = Progress::new();
        cancelled.cancel();
        // small meshes may end before the first look, large ones do not
        let big = box_tets(Vec3::repeat(1.0), [16, 16, 16], CellStyle::Kuhn);
        assert!(geodesic_parents(&big, &coarse, &cancelled).is_err());
    }
}
