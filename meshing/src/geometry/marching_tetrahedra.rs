//! Marching tetrahedra: the kernel that cuts a body-centred cubic lattice between its inside and outside points.
//!
//! The boundary of the inside is closed, manifold and oriented whatever the flags are, because every tetrahedron is cut by its own four flags alone and
//! neighbours share them.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use rayon::prelude::*;

/// Points have doubled coordinates: even for cell corners, odd for cell centres.
pub(crate) type Doubled = [i64; 3];

/// Steps to the 14 neighbours of a point: eight short ones, then six long ones.
pub(crate) const NEIGHBOURS: [Doubled; 14] = [
    [-1, -1, -1],
    [1, -1, -1],
    [-1, 1, -1],
    [1, 1, -1],
    [-1, -1, 1],
    [1, -1, 1],
    [-1, 1, 1],
    [1, 1, 1],
    [-2, 0, 0],
    [2, 0, 0],
    [0, -2, 0],
    [0, 2, 0],
    [0, 0, -2],
    [0, 0, 2],
];

/// The four neighbours around an axis, as steps along the other two.
const RING: [[i64; 2]; 4] = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
/// Even permutations that bring vertex i to the front.
const VERTEX_FIRST: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 0, 1, 3], [3, 0, 2, 1]];
/// Even permutations that bring each pair to the front.
const PAIR_FIRST: [[usize; 4]; 6] = [
    [0, 1, 2, 3],
    [0, 2, 3, 1],
    [0, 3, 1, 2],
    [1, 2, 0, 3],
    [1, 3, 2, 0],
    [2, 3, 0, 1],
];

/// The twelve tetrahedra between the cell centre `center` and the next centres along the axes, positively oriented.
pub(crate) fn tetrahedra(center: Doubled) -> impl Iterator<Item = [Doubled; 4]> {
    (0..12).map(move |n| {
        let (axis, m) = (n / 4, n % 4);
        let shifted = |along: i64, [s, t]: [i64; 2]| {
            let mut q = center;
            q[axis] += along;
            q[(axis + 1) % 3] += s;
            q[(axis + 2) % 3] += t;
            q
        };
        [
            center,
            shifted(2, [0, 0]),
            shifted(1, RING[m]),
            shifted(1, RING[(m + 1) % 4]),
        ]
    })
}

/// Cuts a positively oriented tetrahedron with the points `k` between its inside and outside vertices. Each corner of the triangles is the lattice edge
/// that it lies on, from the outside to the inside point.
pub(crate) fn cut<K: Copy>(k: [K; 4], inside: [bool; 4], mut triangle: impl FnMut([(K, K); 3])) {
    let edge = |a: usize, b: usize| {
        if inside[a] {
            (k[b], k[a])
        } else {
            (k[a], k[b])
        }
    };
    match inside.iter().filter(|&&i| i).count() {
        1 => {
            for [a, b, c, d] in VERTEX_FIRST {
                if inside[a] {
                    triangle([edge(a, b), edge(a, c), edge(a, d)]);
                }
            }
        }
        3 => {
            for [a, b, c, d] in VERTEX_FIRST {
                if !inside[a] {
                    triangle([edge(a, b), edge(a, d), edge(a, c)]);
                }
            }
        }
        2 => {
            for [a, b, c, d] in PAIR_FIRST {
                if inside[a] && inside[b] {
                    triangle([edge(a, c), edge(a, d), edge(b, d)]);
                    triangle([edge(a, c), edge(b, d), edge(b, c)]);
                }
            }
        }
        _ => {}
    }
}

/// The surface of triangles whose corners are given by keys; vertices are numbered in the order of their keys. `position` of a key, m.
pub(crate) fn surface_of<K: Copy + Ord + Send + Sync>(
    corners: &[[K; 3]],
    position: impl Fn(K) -> Vec3 + Sync,
) -> SurfaceMesh {
    let mut keys: Vec<K> = corners.iter().flatten().copied().collect();
    keys.par_sort_unstable();
    keys.dedup();
    let positions = keys.par_iter().map(|&key| position(key)).collect();
    let triangles = corners
        .par_iter()
        .map(|t| t.map(|key| keys.partition_point(|other| *other < key) as u32))
        .collect();
    SurfaceMesh::new(positions, triangles)
}
