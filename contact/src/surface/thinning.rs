//! A few points of a skin that represent all of it.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::{Csr, renumber_used, triangle_edges};

use crate::surface::shortest_paths::{Queue, shorten_distances};

/// Least share of the edges between thinned points that have two triangles. Some have one where thin parts vanish.
const MIN_PAIRED_EDGES: f64 = 0.9;

/// Factor on the distance between points in each round, where they do not represent the skin yet.
const SPACING_FACTOR: f64 = 0.7;

/// Most rounds before the whole skin is taken.
const MAX_ROUNDS: usize = 12;

/// A point represents the skin when the cosine of the angle between its normal and that of the skin is at least this.
const MIN_NORMAL_COSINE: f64 = 0.3;

/// Skin vertices about `spacing` apart and the triangles between them, in their numbers. Those that are `kept` are among them where a triangle uses them.
///
/// The vertices come from farthest point sampling along the skin. Three of them make a triangle where their Voronoi cells meet in a triangle of the skin (the dual of the
/// Voronoi diagram). Where that leaves holes or folds over, as at limbs thinner than the spacing, more points are taken.
pub(crate) fn thinned_surface(
    skin: &SurfaceMesh,
    spacing: f64,
    kept: &[u32],
) -> (Vec<u32>, Vec<[u32; 3]>) {
    let radius = 0.75 * spacing;
    if radius > skin.mean_edge() {
        let mut limit = vec![radius; skin.vertex_count()];
        let normals = skin.vertex_normals();
        let mut sample = Sample::new(skin);
        kept.iter().for_each(|&v| sample.choose(skin, v));
        for _ in 0..MAX_ROUNDS {
            sample.add_points(skin, &limit);
            let (points, nearest) = sample.ascending();
            let triangles = dual(skin, &nearest);
            if !is_closed(&triangles) {
                limit.iter_mut().for_each(|l| *l *= SPACING_FACTOR);
                continue;
            }
            let folded = folded_points(skin, &normals, &points, &triangles);
            if !folded.contains(&true) {
                return without_unused_points(&points, triangles);
            }
            for (l, &p) in limit.iter_mut().zip(&nearest) {
                if folded.get(p as usize) == Some(&true) {
                    *l *= SPACING_FACTOR;
                }
            }
        }
    }
    let all: Vec<u32> = (0..skin.vertex_count() as u32).collect();
    without_unused_points(&all, skin.triangles.clone())
}

/// Whether the triangles around each point face away from the skin.
fn folded_points(
    skin: &SurfaceMesh,
    normals: &[Vec3],
    points: &[u32],
    triangles: &[[u32; 3]],
) -> Vec<bool> {
    let mut folded = vec![false; points.len()];
    let mut own = vec![Vec3::zeros(); points.len()];
    for t in triangles {
        let [a, b, c] = t.map(|p| skin.positions[points[p as usize] as usize]);
        let area = (b - a).cross(&(c - a));
        let outward: Vec3 = t
            .iter()
            .map(|&p| normals[points[p as usize] as usize])
            .sum();
        for &p in t {
            own[p as usize] += area;
            folded[p as usize] |= area.dot(&outward) <= 0.0;
        }
    }
    for ((folded, own), &v) in folded.iter_mut().zip(&own).zip(points) {
        *folded |= own.dot(&normals[v as usize]) < MIN_NORMAL_COSINE * own.norm();
    }
    folded
}

/// Vertices of a skin that were chosen so far, and the distances of all others from them along edges.
struct Sample {
    around: Csr,
    /// m; zero for vertices without edges
    distance: Vec<f64>,
    /// chosen vertex by number in `points`
    nearest: Vec<u32>,
    points: Vec<u32>,
    queue: Queue,
}

impl Sample {
    fn new(skin: &SurfaceMesh) -> Self {
        let around = skin.vertex_neighbours();
        let alone = |v| around.row(v).is_empty();
        let distance = (0..skin.vertex_count())
            .map(|v| if alone(v) { 0.0 } else { f64::INFINITY })
            .collect();
        Self {
            distance,
            nearest: vec![0; skin.vertex_count()],
            points: Vec::new(),
            queue: Queue::new(),
            around,
        }
    }

    /// Chooses farthest vertices until none is farther from a chosen one than its `limit`, m.
    fn add_points(&mut self, skin: &SurfaceMesh, limit: &[f64]) {
        loop {
            let mut far = (0.0, None);
            for (v, (d, limit)) in self.distance.iter().zip(limit).enumerate() {
                if *d > limit.max(far.0) {
                    far = (*d, Some(v as u32));
                }
            }
            let Some(chosen) = far.1 else {
                return;
            };
            self.choose(skin, chosen);
        }
    }

    /// Chooses a vertex, and finds the vertices that are nearer to it than to the others.
    fn choose(&mut self, skin: &SurfaceMesh, chosen: u32) {
        let number = self.points.len() as u32;
        self.points.push(chosen);
        let nearest = &mut self.nearest;
        shorten_distances(
            chosen,
            (&self.around, &skin.positions),
            f64::INFINITY,
            &mut self.distance,
            &mut self.queue,
            |v, _| nearest[v as usize] = number,
        );
    }

    /// Chosen vertices, ascending, and for each vertex the nearest of them by number.
    fn ascending(&self) -> (Vec<u32>, Vec<u32>) {
        let mut order: Vec<u32> = (0..self.points.len() as u32).collect();
        order.sort_unstable_by_key(|&k| self.points[k as usize]);
        let mut rank = vec![0; self.points.len()];
        for (place, &k) in order.iter().enumerate() {
            rank[k as usize] = place as u32;
        }
        let ranked = |k: &u32| rank.get(*k as usize).copied().unwrap_or(0);
        let nearest = self.nearest.iter().map(ranked).collect();
        let points = order.iter().map(|&k| self.points[k as usize]).collect();
        (points, nearest)
    }
}

/// Points that some triangle uses, and the triangles in their numbers.
fn without_unused_points(
    points: &[u32],
    mut triangles: Vec<[u32; 3]>,
) -> (Vec<u32>, Vec<[u32; 3]>) {
    let used = renumber_used(points.len(), &mut triangles).into_iter();
    (used.map(|p| points[p as usize]).collect(), triangles)
}

/// Triangles between points whose Voronoi cells meet in a triangle of the skin.
fn dual(skin: &SurfaceMesh, nearest: &[u32]) -> Vec<[u32; 3]> {
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
    triangles
}

/// Whether the triangles make a surface that is nearly closed.
fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(triangle_edges).collect();
    edges.sort_unstable();
    let paired = edges
        .iter()
        .filter(|&&[a, b]| edges.binary_search(&[b, a]).is_ok())
        .count();
    triangles.len() >= 4 && paired as f64 >= MIN_PAIRED_EDGES * edges.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn kept_points_stay_and_others_fill_the_rest() {
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

    #[test]
    fn vertices_without_triangles_are_no_points() {
        let mut skin = box_surface(Vec3::repeat(1.0), [4; 3], CellStyle::Kuhn);
        let count = skin.vertex_count() as u32;
        skin.positions.push(Vec3::repeat(3.0));
        for spacing in [0.2, 0.8] {
            let (vertices, triangles) = thinned_surface(&skin, spacing, &[count]);
            assert!(!triangles.is_empty());
            assert!(!vertices.contains(&count), "{spacing}");
        }
    }

    #[test]
    fn no_triangle_folds_over() {
        // on even grids the cells of four points meet in one vertex, and walls of thin bodies are closer to each other than the points
        for (size, cells) in [
            (Vec3::new(0.5, 0.08, 0.5), [17, 3, 17]),
            (Vec3::new(0.4, 0.3, 0.2), [40, 30, 20]),
            (Vec3::new(1.0, 0.02, 0.03), [100, 2, 3]),
        ] {
            let skin = box_surface(size, cells, CellStyle::Kuhn);
            let normals = skin.vertex_normals();
            for factor in [1.4, 1.5, 1.7, 2.0, 3.0, 5.0, 9.0] {
                let (vertices, triangles) = thinned_surface(&skin, factor * skin.mean_edge(), &[]);
                let folded = folded_points(&skin, &normals, &vertices, &triangles);
                assert!(!folded.contains(&true), "{cells:?} {factor}");
                assert_eq!(triangles.len(), 2 * vertices.len() - 4);
            }
        }
    }
}
