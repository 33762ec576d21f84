//! Sharp edges and corners of a surface, and which of them a mesh of a given size can show.

use std::collections::HashMap;

use pliant_core::math::Vec3;
use pliant_core::mesh::validate::UnionFind;
use pliant_core::mesh::{Csr, SurfaceMesh, TriangleTree};

use crate::repair::steps::edges::{Side, by_edge, sides_between};

/// Edges with at least this angle between the normals of their two faces are sharp, degrees.
const SHARP_DEG: f64 = 40.0;
/// A sharp line that turns by at least this angle has a corner there, degrees.
const TURN_DEG: f64 = 45.0;

/// Sharp edges of a surface, joined to chains between corners.
///
/// A corner is where three or more chains meet, where a chain ends, or where it turns sharply.
#[derive(Debug, Clone)]
pub struct SharpFeatures {
    /// Positions of distinct places, m.
    pub places: Vec<Vec3>,
    /// the two places of each sharp edge and its chain
    segments: Vec<([u32; 2], u32)>,
    /// length of each chain, m
    lengths: Vec<f64>,
    /// place of each corner
    corners: Vec<u32>,
    /// chains that meet in each corner
    chains_of_corner: Csr,
}

/// The features long enough for a mesh of one size.
#[derive(Debug, Clone)]
pub struct VisibleFeatures {
    /// Corners, m.
    pub corners: Vec<Vec3>,
    /// The two ends of each sharp edge, m.
    pub segments: Vec<[Vec3; 2]>,
    /// Sharp edges as triangles without area, for closest-point queries.
    tree: TriangleTree,
}

impl VisibleFeatures {
    /// The point of a sharp edge closest to `point`, if one lies within `radius`, and the direction of that edge (unit).
    pub fn closest_on_crease(&self, point: &Vec3, radius: f64) -> Option<(Vec3, Vec3)> {
        let found = self.tree.closest_within(point, radius)?;
        let [a, b] = self.segments[found.triangle as usize];
        Some((found.point, (b - a).try_normalize(0.0)?))
    }
}

impl SharpFeatures {
    /// Finds the sharp edges of a surface; vertices at the same place count as one, edges without exactly two faces as
    /// smooth. `place_of_vertex` numbers the distinct places. Cost O(n log n).
    pub fn detect(surface: &SurfaceMesh, place_of_vertex: &[u32]) -> Self {
        let count = place_of_vertex.iter().max().map_or(0, |last| last + 1);
        let mut places = vec![Vec3::zeros(); count as usize];
        for (x, &p) in surface.positions.iter().zip(place_of_vertex) {
            places[p as usize] = *x;
        }
        let max_cosine = SHARP_DEG.to_radians().cos();
        let normal = |side: &Side| {
            let area_vector = surface.area_vector(side.triangle as usize);
            area_vector.try_normalize(0.0)
        };
        let sharp: Vec<[u32; 2]> = by_edge(&sides_between(surface, place_of_vertex))
            .filter(|faces| match faces {
                [one, two] if one.low < one.high => normal(one)
                    .zip(normal(two))
                    .is_some_and(|(m, n)| m.dot(&n) < max_cosine),
                _ => false,
            })
            .map(|faces| [faces[0].low, faces[0].high])
            .collect();
        Self::from_edges(places, sharp)
    }

    fn from_edges(places: Vec<Vec3>, sharp: Vec<[u32; 2]>) -> Self {
        let ends = sharp
            .iter()
            .enumerate()
            .flat_map(|(k, e)| e.map(|p| (p, k as u32)));
        let edges_of_place = Csr::from_pairs(places.len(), ends);
        let direction = |edge: u32, from: u32| {
            let [a, b] = sharp[edge as usize];
            let to = if a == from { b } else { a };
            (places[to as usize] - places[from as usize]).normalize()
        };
        let min_cosine = TURN_DEG.to_radians().cos();
        let mut corners = Vec::new();
        let mut chains = UnionFind::new(sharp.len());
        for place in 0..places.len() as u32 {
            match edges_of_place.row(place as usize) {
                [] => {}
                &[e, f] if -direction(e, place).dot(&direction(f, place)) > min_cosine => {
                    chains.join(e, f)
                }
                _ => corners.push(place),
            }
        }
        let roots: Vec<u32> = (0..sharp.len() as u32).map(|e| chains.find(e)).collect();
        let mut lengths = vec![0.0; sharp.len()];
        for (&[a, b], &root) in sharp.iter().zip(&roots) {
            lengths[root as usize] += (places[a as usize] - places[b as usize]).norm();
        }
        let chains_at_corners: Vec<(u32, u32)> = (0_u32..)
            .zip(&corners)
            .flat_map(|(k, &place)| {
                let row = edges_of_place.row(place as usize).iter();
                row.map(move |&e| (k, e))
            })
            .map(|(k, e)| (k, roots[e as usize]))
            .collect();
        Self {
            segments: sharp.into_iter().zip(roots).collect(),
            lengths,
            chains_of_corner: Csr::from_pairs(corners.len(), chains_at_corners.iter().copied()),
            corners,
            places,
        }
    }

    /// The chains of at least length `min_length` (m) and their corners. Corners of more and longer chains come first, and no
    /// corner is closer than `min_distance` (m) to one before it. `is_border` returns whether a point is on the border of the body, and not
    /// inside it where shells overlap: the rest is left out.
    pub fn visible(
        &self,
        min_length: f64,
        min_distance: f64,
        is_border: impl Fn(&Vec3) -> bool,
    ) -> VisibleFeatures {
        let place = |p: u32| self.places[p as usize];
        let is_long = |chain: u32| self.lengths[chain as usize] >= min_length;
        let segments: Vec<[Vec3; 2]> = self
            .segments
            .iter()
            .filter(|(_, chain)| is_long(*chain))
            .map(|(ends, _)| ends.map(place))
            .filter(|[a, b]| is_border(&((a + b) * 0.5)))
            .collect();
        let mut ranked: Vec<(usize, f64, u32)> = Vec::new();
        for (k, &corner) in self.corners.iter().enumerate() {
            let long = self.chains_of_corner.row(k).iter().filter(|c| is_long(**c));
            let lengths = long.map(|&c| self.lengths[c as usize]);
            let (count, sum) = lengths.fold((0, 0.0), |(n, s), l| (n + 1, s + l));
            if count > 0 && is_border(&place(corner)) {
                ranked.push((count, sum, corner));
            }
        }
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        let corners = thinned(ranked.into_iter().map(|(_, _, p)| place(p)), min_distance);
        let ends: Vec<Vec3> = segments.iter().flatten().copied().collect();
        let degenerate: Vec<[u32; 3]> = (0..segments.len() as u32)
            .map(|k| [2 * k, 2 * k + 1, 2 * k + 1])
            .collect();
        VisibleFeatures {
            corners,
            tree: TriangleTree::new(&ends, &degenerate),
            segments,
        }
    }
}

/// The points that are no closer than `min_distance` (m) to one kept before them.
pub fn thinned(points: impl Iterator<Item = Vec3>, min_distance: f64) -> Vec<Vec3> {
    // never iterated: results do not depend on its order
    let mut cells: HashMap<[i64; 3], Vec<Vec3>> = HashMap::new();
    let mut kept = Vec::new();
    for x in points {
        let cell = [0, 1, 2].map(|axis| (x[axis] / min_distance).floor() as i64);
        let is_near = |c: [i64; 3]| {
            let mut neighbours = cells.get(&c).into_iter().flatten();
            neighbours.any(|y| (x - y).norm() < min_distance)
        };
        let around = (0..27).map(|k| [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1]);
        let mut around = around.map(|step| [0, 1, 2].map(|axis| cell[axis] + step[axis]));
        if !around.any(is_near) {
            cells.entry(cell).or_default().push(x);
            kept.push(x);
        }
    }
    kept
}
