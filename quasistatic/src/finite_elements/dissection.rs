//! Geometric nested dissection (George 1973): an order of elimination for a mesh whose boundary comes last.
//!
//! Minimum degree considers one node at a time, so that its fronts contain all of the boundary. The halves of a dissection contain only their own part of it and
//! cost less.

use pliant_core::math::Vec3;
use pliant_core::mesh::Csr;
use pliant_statics::SymmetricBlocks;

/// Sets of at most this many nodes are not divided.
const LEAF_SIZE: usize = 24;

/// Neighbours of each free node, both ways.
fn neighbours_of(matrix: &SymmetricBlocks) -> Csr {
    let larger = matrix.larger_neighbours().iter().zip(0..);
    let edges = larger.flat_map(|(others, j)| others.iter().flat_map(move |&i| [(i, j), (j, i)]));
    Csr::from_pairs(matrix.size() / 3, edges)
}

/// All free nodes, whose `positions` (m) are given, in an order of elimination that ends with `last`.
pub fn order_ending_with(
    matrix: &SymmetricBlocks,
    positions: &[Vec3],
    last: &[usize],
) -> Vec<usize> {
    let graph = neighbours_of(matrix);
    let mut is_last = vec![false; positions.len()];
    for &node in last {
        is_last[node] = true;
    }
    let inner = (0..positions.len() as u32).filter(|&i| !is_last[i as usize]);
    let mut order = Vec::with_capacity(positions.len());
    let mut side = vec![0; positions.len()];
    dissect(inner.collect(), &graph, positions, &mut side, &mut order);
    order.extend_from_slice(last);
    order
}

/// Orders `nodes`, which are divided across their longest extent: both halves first, then the separator. `side` is zero for all nodes, before and after.
fn dissect(
    mut nodes: Vec<u32>,
    graph: &Csr,
    positions: &[Vec3],
    side: &mut [u8],
    order: &mut Vec<usize>,
) {
    if nodes.len() <= LEAF_SIZE {
        order.extend(nodes.iter().map(|&node| node as usize));
        return;
    }
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(-f64::INFINITY));
    for &node in &nodes {
        low = low.inf(&positions[node as usize]);
        high = high.sup(&positions[node as usize]);
    }
    let axis = (high - low).imax();
    let coordinate = |node: u32| positions[node as usize][axis];
    nodes.sort_unstable_by(|&a, &b| coordinate(a).total_cmp(&coordinate(b)).then(a.cmp(&b)));
    let mut right = nodes.split_off(nodes.len() / 2);
    let mut left = nodes;
    for (list, mark) in [(&left, 1), (&right, 2)] {
        for &node in list {
            side[node as usize] = mark;
        }
    }
    let touches = |node: u32, other: u8| {
        let mut neighbours = graph.row(node as usize).iter();
        neighbours.any(|&n| side[n as usize] == other)
    };
    let of_left = left.iter().filter(|&&n| touches(n, 2)).count();
    let of_right = right.iter().filter(|&&n| touches(n, 1)).count();
    let (list, other) = if of_left <= of_right {
        (&mut left, 2)
    } else {
        (&mut right, 1)
    };
    let (separator, rest): (Vec<u32>, Vec<u32>) =
        list.iter().partition(|&&node| touches(node, other));
    *list = rest;
    for &node in left.iter().chain(&right).chain(&separator) {
        side[node as usize] = 0;
    }
    dissect(left, graph, positions, side, order);
    dissect(right, graph, positions, side, order);
    order.extend(separator.iter().map(|&node| node as usize));
}
