//! Cycles in a graph.

use std::collections::HashSet;

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

/// The strongly connected components of two or more nodes, in the order of their first nodes.
pub fn cycles(edges: &[HashSet<usize>]) -> Vec<Vec<usize>> {
    let pairs = edges
        .iter()
        .enumerate()
        .flat_map(|(from, to)| to.iter().map(move |&to| (from as u32, to as u32)));
    let graph = DiGraph::<(), ()>::from_edges(pairs);
    let mut components: Vec<Vec<usize>> = tarjan_scc(&graph)
        .into_iter()
        .filter(|group| group.len() > 1)
        .map(|group| group.into_iter().map(|n| n.index()).collect())
        .collect();
    for group in &mut components {
        group.sort_unstable();
    }
    components.sort_unstable();
    components
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_found_and_a_chain_is_not() {
        let edges = |pairs: &[(usize, usize)]| {
            let mut edges = vec![HashSet::new(); 5];
            for &(from, to) in pairs {
                edges[from].insert(to);
            }
            edges
        };
        assert!(cycles(&edges(&[(0, 1), (1, 2), (0, 2), (2, 4)])).is_empty());
        let components = cycles(&edges(&[(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (4, 3)]));
        assert_eq!(components, [vec![1, 2], vec![3, 4]]);
    }
}
