//! Nested dissection by place (George 1973): an order of elimination for a mesh whose boundary comes last.
//!
//! Minimum degree looks at one node at a time, so that its fronts carry all of the boundary. The halves of a dissection carry only their own part of it and
//! cost less.

use pliant_core::math::Vec3;
use pliant_statics::SymmetricBlocks;

/// Sets of at most so many nodes are not cut any more.
const LEAF: usize = 24;

/// Neighbours of each free node, both ways.
struct Graph {
    starts: Vec<usize>,
    others: Vec<u32>,
}

impl Graph {
    fn new(matrix: &SymmetricBlocks) -> Self {
        let nodes = matrix.size() / 3;
        let edges = || {
            (0..nodes).flat_map(|j| {
                let rows = matrix.lower().symbolic().row_idx_of_col(3 * j);
                rows.filter(|row| row % 3 == 0)
                    .map(move |row| (row / 3, j))
                    .filter(|(i, j)| i != j)
            })
        };
        let mut starts = vec![0; nodes + 1];
        for (i, j) in edges() {
            starts[i + 1] += 1;
            starts[j + 1] += 1;
        }
        for k in 0..nodes {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut others = vec![0; starts[nodes]];
        for (i, j) in edges() {
            for (from, to) in [(i, j), (j, i)] {
                others[next[from]] = to as u32;
                next[from] += 1;
            }
        }
        Self { starts, others }
    }

    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.others[self.starts[node]..self.starts[node + 1]]
    }
}

/// All free nodes, whose `places` (m) are given, in an order of elimination that ends with `last`.
pub fn order_ending_with(matrix: &SymmetricBlocks, places: &[Vec3], last: &[usize]) -> Vec<usize> {
    let graph = Graph::new(matrix);
    let mut is_last = vec![false; places.len()];
    for &node in last {
        is_last[node] = true;
    }
    let inner = (0..places.len() as u32).filter(|&i| !is_last[i as usize]);
    let mut order = Vec::with_capacity(places.len());
    let mut side = vec![0; places.len()];
    dissect(inner.collect(), &graph, places, &mut side, &mut order);
    order.extend_from_slice(last);
    order
}

/// Cuts `nodes` across their longest extent: both halves first, then the nodes of the cut. `side` is zero for all, before and after.
fn dissect(
    mut nodes: Vec<u32>,
    graph: &Graph,
    places: &[Vec3],
    side: &mut [u8],
    order: &mut Vec<usize>,
) {
    if nodes.len() <= LEAF {
        order.extend(nodes.iter().map(|&node| node as usize));
        return;
    }
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(-f64::INFINITY));
    for &node in &nodes {
        low = low.inf(&places[node as usize]);
        high = high.sup(&places[node as usize]);
    }
    let axis = (high - low).imax();
    let place = |node: u32| places[node as usize][axis];
    nodes.sort_unstable_by(|&a, &b| place(a).total_cmp(&place(b)).then(a.cmp(&b)));
    let mut right = nodes.split_off(nodes.len() / 2);
    let mut left = nodes;
    for (list, mark) in [(&left, 1), (&right, 2)] {
        for &node in list {
            side[node as usize] = mark;
        }
    }
    let touches = |node: u32, other: u8| graph.of(node).iter().any(|&n| side[n as usize] == other);
    let of_left = left.iter().filter(|&&n| touches(n, 2)).count();
    let of_right = right.iter().filter(|&&n| touches(n, 1)).count();
    let (list, other) = if of_left <= of_right {
        (&mut left, 2)
    } else {
        (&mut right, 1)
    };
    let (cut, rest): (Vec<u32>, Vec<u32>) = list.iter().partition(|&&node| touches(node, other));
    *list = rest;
    for &node in left.iter().chain(&right).chain(&cut) {
        side[node as usize] = 0;
    }
    dissect(left, graph, places, side, order);
    dissect(right, graph, places, side, order);
    order.extend(cut.iter().map(|&node| node as usize));
}
