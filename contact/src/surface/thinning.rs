//! A few points of a skin that stand for all of it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pliant_core::mesh::{Csr, SurfaceMesh};

use crate::surface::ordered_distance::OrderedDistance;

/// Share of the edges between thinned points that must lie between two triangles; where thin parts come to nothing some do not.
const CLOSED: f64 = 0.9;

/// Skin vertices about `spacing` apart and the triangles between them, in their numbers; those that are `kept` are among them where a triangle uses them.
///
/// Farthest points along the skin, one after the other; where the places nearest to three of them meet in a triangle, they make one (the dual of
/// their Voronoi diagram on the skin). If that leaves holes, more points are taken.
pub(crate) fn thinned_surface(
    skin: &SurfaceMesh,
    spacing: f64,
    kept: &[u32],
) -> (Vec<u32>, Vec<[u32; 3]>) {
    let mut radius = 0.75 * spacing;
    while radius > skin.mean_edge() {
        let (seeds, nearest) = farthest_points(skin, radius, kept);
        if let Some(triangles) = dual(skin, &nearest) {
            return without_idle(&seeds, triangles);
        }
        radius *= 0.7;
    }
    let all = (0..skin.vertex_count() as u32).collect();
    (all, skin.triangles.clone())
}

/// How far vertices are from the nearest of some seeds along edges.
struct Reached<'a> {
    skin: &'a SurfaceMesh,
    around: Csr,
    seeds: Vec<u32>,
    /// m; infinite before there is a seed
    distance: Vec<f64>,
    /// the nearest seed by number
    nearest: Vec<u32>,
    heap: BinaryHeap<Reverse<(OrderedDistance, u32)>>,
}

impl<'a> Reached<'a> {
    fn new(skin: &'a SurfaceMesh) -> Self {
        let around = skin.vertex_neighbours();
        let count = skin.vertex_count();
        let far = |v: usize| match around.row(v).is_empty() {
            true => 0.0,
            false => f64::INFINITY,
        };
        Self {
            distance: (0..count).map(far).collect(),
            nearest: vec![0; count],
            seeds: Vec::new(),
            heap: BinaryHeap::new(),
            skin,
            around,
        }
    }

    /// One seed more.
    fn take(&mut self, seed: u32) {
        self.distance[seed as usize] = 0.0;
        self.nearest[seed as usize] = self.seeds.len() as u32;
        self.heap.push(Reverse((OrderedDistance(0.0), seed)));
        self.seeds.push(seed);
    }

    /// Finds what is nearer to the last seeds than to those before (Dijkstra 1959).
    fn spread(&mut self) {
        while let Some(Reverse((OrderedDistance(d), v))) = self.heap.pop() {
            if d > self.distance[v as usize] {
                continue;
            }
            let seed = self.nearest[v as usize];
            for &u in self.around.row(v as usize) {
                let edge = self.skin.positions[u as usize] - self.skin.positions[v as usize];
                let next = d + edge.norm();
                if next < self.distance[u as usize] {
                    self.distance[u as usize] = next;
                    self.nearest[u as usize] = seed;
                    self.heap.push(Reverse((OrderedDistance(next), u)));
                }
            }
        }
    }

    /// The vertex farthest from all seeds, if it is farther than `radius` (m); the first of several.
    fn farthest(&self, radius: f64) -> Option<u32> {
        let mut far = (radius, None);
        for (v, d) in self.distance.iter().enumerate() {
            if *d > far.0 {
                far = (*d, Some(v as u32));
            }
        }
        far.1
    }
}

/// Vertices such that none is farther than `radius` along edges from one of them, ascending, those `kept` among them; and for each vertex the nearest of them by
/// number.
fn farthest_points(skin: &SurfaceMesh, radius: f64, kept: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut reached = Reached::new(skin);
    kept.iter().for_each(|&seed| reached.take(seed));
    reached.spread();
    while let Some(seed) = reached.farthest(radius) {
        reached.take(seed);
        reached.spread();
    }
    let Reached {
        seeds, mut nearest, ..
    } = reached;
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
        let (vertices, triangles) = thinned_surface(&skin, 0.05, &[]);
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
    fn points_are_kept_and_others_fill_what_they_leave() {
        let skin = box_surface(Vec3::new(0.4, 0.3, 0.2), [40, 30, 20], CellStyle::Kuhn);
        let (all, _) = thinned_surface(&skin, 0.05, &[]);
        let left = |v: &u32| skin.positions[*v as usize].x < 0.0;
        let kept: Vec<u32> = all.iter().copied().filter(left).collect();
        let (vertices, _) = thinned_surface(&skin, 0.05, &kept);
        assert!(vertices.is_sorted());
        assert!(kept.iter().all(|v| vertices.binary_search(v).is_ok()));
        let others = vertices.len() - kept.len();
        let before = all.len() - kept.len();
        assert!(
            others > before / 2 && others < 2 * before,
            "{others} {before}"
        );
    }

    #[test]
    fn a_coarse_skin_is_taken_as_it_is() {
        let skin = box_surface(Vec3::repeat(1.0), [4; 3], CellStyle::Kuhn);
        let (vertices, triangles) = thinned_surface(&skin, 0.2, &[]);
        assert_eq!(vertices.len(), skin.vertex_count());
        assert_eq!(triangles, skin.triangles);
    }
}
