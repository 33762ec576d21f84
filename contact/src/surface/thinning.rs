//! A few points of a skin that stand for all of it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pliant_core::mesh::SurfaceMesh;

use crate::surface::ordered_distance::OrderedDistance;

/// Share of the edges between thinned points that must lie between two triangles; where thin parts come to nothing some do not.
const CLOSED: f64 = 0.9;

/// Skin vertices about `spacing` apart and the triangles between them, in their numbers.
///
/// Farthest points along the skin, one after the other; where the places nearest to three of them meet in a triangle, they make one (the dual of
/// their Voronoi diagram on the skin). If that leaves holes, more points are taken.
pub(crate) fn thinned_surface(skin: &SurfaceMesh, spacing: f64) -> (Vec<u32>, Vec<[u32; 3]>) {
    let mut radius = 0.75 * spacing;
    while radius > skin.mean_edge() {
        let (seeds, nearest) = farthest_points(skin, radius);
        if let Some(triangles) = dual(skin, &nearest) {
            return without_idle(&seeds, triangles);
        }
        radius *= 0.7;
    }
    let all = (0..skin.vertex_count() as u32).collect();
    (all, skin.triangles.clone())
}

/// Vertices such that none is farther than `radius` along edges from one of them, ascending; and for each vertex the nearest of them by number.
fn farthest_points(skin: &SurfaceMesh, radius: f64) -> (Vec<u32>, Vec<u32>) {
    let around = skin.vertex_neighbours();
    let count = skin.vertex_count();
    let mut distance: Vec<f64> = (0..count)
        .map(|v| {
            if around.row(v).is_empty() {
                0.0
            } else {
                f64::INFINITY
            }
        })
        .collect();
    let mut nearest = vec![0_u32; count];
    let mut seeds: Vec<u32> = Vec::new();
    let mut heap = BinaryHeap::new();
    loop {
        let mut far = (radius, None);
        for (v, d) in distance.iter().enumerate() {
            if *d > far.0 {
                far = (*d, Some(v as u32));
            }
        }
        let Some(seed) = far.1 else {
            break;
        };
        distance[seed as usize] = 0.0;
        nearest[seed as usize] = seeds.len() as u32;
        heap.push(Reverse((OrderedDistance(0.0), seed)));
        while let Some(Reverse((OrderedDistance(d), v))) = heap.pop() {
            if d > distance[v as usize] {
                continue;
            }
            for &u in around.row(v as usize) {
                let edge = skin.positions[u as usize] - skin.positions[v as usize];
                let next = d + edge.norm();
                if next < distance[u as usize] {
                    distance[u as usize] = next;
                    nearest[u as usize] = seeds.len() as u32;
                    heap.push(Reverse((OrderedDistance(next), u)));
                }
            }
        }
        seeds.push(seed);
    }
    let mut order: Vec<u32> = (0..seeds.len() as u32).collect();
    order.sort_unstable_by_key(|&k| seeds[k as usize]);
    let mut rank = vec![0; seeds.len()];
    for (place, &k) in order.iter().enumerate() {
        rank[k as usize] = place as u32;
    }
    for k in &mut nearest {
        *k = rank.get(*k as usize).copied().unwrap_or(0);
    }
    (order.iter().map(|&k| seeds[k as usize]).collect(), nearest)
}

/// Points that some triangle uses, and the triangles in their numbers.
fn without_idle(points: &[u32], mut triangles: Vec<[u32; 3]>) -> (Vec<u32>, Vec<[u32; 3]>) {
    let mut number = vec![u32::MAX; points.len()];
    for &p in triangles.as_flattened() {
        number[p as usize] = 0;
    }
    let mut used = Vec::new();
    for (n, &vertex) in number.iter_mut().zip(points) {
        if *n == 0 {
            *n = used.len() as u32;
            used.push(vertex);
        }
    }
    for p in triangles.as_flattened_mut() {
        *p = number[*p as usize];
    }
    (used, triangles)
}

/// Triangles between seeds whose places meet, if they make a surface that is nearly closed.
fn dual(skin: &SurfaceMesh, nearest: &[u32]) -> Option<Vec<[u32; 3]>> {
    let mut triangles: Vec<[u32; 3]> = skin
        .triangles
        .iter()
        .filter_map(|t| {
            let [a, b, c] = t.map(|v| nearest[v as usize]);
            if a == b || b == c || c == a {
                return None;
            }
            // the smallest number first, turned the same way
            Some(if a < b && a < c {
                [a, b, c]
            } else if b < c {
                [b, c, a]
            } else {
                [c, a, b]
            })
        })
        .collect();
    triangles.sort_unstable();
    triangles.dedup();
    let mut edges: Vec<(u32, u32)> = triangles
        .iter()
        .flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])])
        .collect();
    edges.sort_unstable();
    let paired = edges
        .iter()
        .filter(|(a, b)| edges.binary_search(&(*b, *a)).is_ok())
        .count();
    let closed = paired as f64 >= CLOSED * edges.len() as f64;
    (closed && triangles.len() >= 4).then_some(triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn a_fine_skin_is_thinned_to_a_closed_surface_of_its_own_vertices() {
        let skin = box_surface(Vec3::new(0.4, 0.3, 0.2), [40, 30, 20], CellStyle::Kuhn);
        let (vertices, triangles) = thinned_surface(&skin, 0.05);
        assert!(
            vertices.len() > 100 && vertices.len() < 600,
            "{}",
            vertices.len()
        );
        // Euler: a sphere
        assert_eq!(triangles.len(), 2 * vertices.len() - 4);
        let points = vertices
            .iter()
            .map(|&v| skin.positions[v as usize])
            .collect();
        let thin = SurfaceMesh::new(points, triangles);
        assert!((thin.volume() / skin.volume() - 1.0).abs() < 0.12);
        assert!((0.6..1.6).contains(&(thin.mean_edge() / 0.05)));
    }

    #[test]
    fn a_coarse_skin_is_taken_as_it_is() {
        let skin = box_surface(Vec3::repeat(1.0), [4; 3], CellStyle::Kuhn);
        let (vertices, triangles) = thinned_surface(&skin, 0.2);
        assert_eq!(vertices.len(), skin.vertex_count());
        assert_eq!(triangles, skin.triangles);
    }
}
