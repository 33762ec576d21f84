//! The vertices of the finest level as points: on the base first, then on the surface.

use pliant_core::mesh::surface::SurfacePoint;

use crate::remeshing::subdivide::levels::Subdivision;

/// What a vertex may move along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Track {
    /// the surface between sharp lines
    Free,
    /// a sharp line, between these two neighbours
    Line([u32; 2]),
    /// it stays
    Corner,
}

/// Vertices of the finest level.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Samples {
    pub(crate) points: Vec<SurfacePoint>,
    pub(crate) track: Vec<Track>,
}

impl Samples {
    /// The vertices of a subdivided base as points on it; `corner` says which vertices of the base stay.
    pub(crate) fn on_base(tree: &Subdivision, corner: &[bool]) -> Self {
        let points = points_on_base(tree);
        let lines = tree.sharp[tree.levels.len() - 1].at_vertices(points.len());
        let track_of = |(v, ends): (usize, &Vec<u32>)| match ends[..] {
            _ if corner.get(v) == Some(&true) => Track::Corner,
            [] => Track::Free,
            [a, b] => Track::Line([a, b]),
            _ => Track::Corner,
        };
        Self {
            track: lines.iter().enumerate().map(track_of).collect(),
            points,
        }
    }
}

/// Where the vertices of the finest level lie on the base: triangle of the base and weights.
fn points_on_base(result: &Subdivision) -> Vec<SurfacePoint> {
    let corner = |t: usize, c: usize| {
        let mut weights = [0.0; 3];
        weights[c] = 1.0;
        SurfacePoint {
            triangle: t as u32,
            weights,
        }
    };
    let base = &result.levels[0];
    // corners of each triangle of the present level in its triangle of the base
    let mut corners: Vec<[SurfacePoint; 3]> = (0..base.triangles.len())
        .map(|t| [0, 1, 2].map(|c| corner(t, c)))
        .collect();
    for _ in 1..result.levels.len() {
        corners = (corners.iter())
            .flat_map(|&[a, b, c]| {
                let middle = |p: SurfacePoint, q: SurfacePoint| SurfacePoint {
                    triangle: p.triangle,
                    weights: [0, 1, 2].map(|k| 0.5 * (p.weights[k] + q.weights[k])),
                };
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    let finest = &result.levels[result.levels.len() - 1];
    let mut points: Vec<Option<SurfacePoint>> = vec![None; finest.vertex_count()];
    for (triangle, at) in finest.triangles.iter().zip(&corners) {
        for (&v, p) in triangle.iter().zip(at) {
            // a vertex between triangles is taken from the first of them
            points[v as usize].get_or_insert(*p);
        }
    }
    (points.into_iter())
        .map(|p| p.unwrap_or_else(|| corner(0, 0)))
        .collect()
}
