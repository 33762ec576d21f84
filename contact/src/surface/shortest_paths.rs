//! Shortest paths along the edges of a surface.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pliant_core::math::Vec3;
use pliant_core::mesh::adjacency::Csr;

/// Vertices, nearest first: the bits of distances are in the order of the distances.
pub(crate) type Queue = BinaryHeap<Reverse<(u64, u32)>>;

/// Shortens the `distance` (m) of each vertex, at `x` (m), to which a path along edges from `start` is shorter than that and at most `limit` (m) long (Dijkstra 1959). `shorten` gets each with its distance before. The `queue` is empty before and after the call.
pub(crate) fn shorten_distances(
    start: u32,
    (around, x): (&Csr, &[Vec3]),
    limit: f64,
    distance: &mut [f64],
    queue: &mut Queue,
    mut shorten: impl FnMut(u32, f64),
) {
    shorten(start, std::mem::replace(&mut distance[start as usize], 0.0));
    queue.push(Reverse((0.0_f64.to_bits(), start)));
    while let Some(Reverse((bits, v))) = queue.pop() {
        let d = f64::from_bits(bits);
        if d > distance[v as usize] {
            continue;
        }
        for &u in around.row(v as usize) {
            let next = d + (x[u as usize] - x[v as usize]).norm();
            if next <= limit && next < distance[u as usize] {
                shorten(u, std::mem::replace(&mut distance[u as usize], next));
                queue.push(Reverse((next.to_bits(), u)));
            }
        }
    }
}
