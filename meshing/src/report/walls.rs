//! How thick a solid's walls are, and how many elements fit into them.
//!
//! A wall is between two sides that are nearly parallel. Near an edge of a body its two faces are close to each other, too, but that is the end of the body, which no mesh loses.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Ray;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;
use serde::Serialize;

use crate::geometry::fidelity::even_samples;
use crate::tetrahedralise::stuffing::spacing::spacing_guess;

const SAMPLES: usize = 3000;
/// The reported thinnest wall is this quantile of the thickness over the surface. Smaller values belong to edges, where walls end.
const THIN_SHARE: f64 = 0.02;
/// Largest angle between the two sides of a wall, degrees. Where the faces of an edge have this angle, they are less than an element apart within 1.7 elements of the edge.
const MAX_ANGLE_DEG: f64 = 30.0;
/// Node counts for which edge lengths are reported.
const NODE_COUNTS: [usize; 3] = [300, 1500, 8000];
/// Mean edge over lattice spacing of the body-centred cubic lattice: 6 edges of 1 and 8 of 0.866.
const EDGE_PER_SPACING: f64 = 0.923;

/// Walls of a solid, measured from its surface straight inwards.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Walls {
    /// Thickness that 2 % of the surface stays below, in the unit of the file. Places without a side opposite, as near edges, count as thick.
    pub thinnest: f64,
    /// A point with that thickness, in the unit of the file.
    pub thinnest_at: [f64; 3],
    /// Thickness that half of the surface with a side opposite stays below, in the unit of the file.
    pub median: f64,
    /// How levels of tetrahedra resolve them.
    pub levels: Vec<WallAtNodes>,
}

/// Walls at one resolution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WallAtNodes {
    /// Nodes of the level.
    pub nodes: usize,
    /// Its mean edge, estimated, in the unit of the file.
    pub edge: f64,
    /// The thinnest wall in edges. Below about 1 it is lost or thickened.
    pub edges_in_wall: f64,
}

/// Measures a closed, oriented surface; `None` where it has no area, or less than 2 % of it has a side opposite, as a tetrahedron.
pub(super) fn walls(solid: &SurfaceMesh) -> Option<Walls> {
    let tree = TriangleTree::new(&solid.positions, &solid.triangles);
    let start = 1e-7 * solid.bounds().diagonal();
    let samples = even_samples(solid, SAMPLES);
    let max_cosine = -MAX_ANGLE_DEG.to_radians().cos();
    let thickness: Vec<Option<(f64, bool)>> = samples
        .par_iter()
        .map(|(p, normal)| {
            let ray = Ray {
                origin: p - normal * start,
                direction: -normal,
            };
            let (t, hit) = tree.first_hit(&ray)?;
            let opposite = solid.area_vector(hit.triangle as usize).try_normalize(0.0);
            let is_opposite = opposite.is_some_and(|n| normal.dot(&n) <= max_cosine);
            t.is_finite().then_some((t + start, is_opposite))
        })
        .collect();
    let measured = thickness.iter().flatten().count();
    let numbered = thickness.into_iter().enumerate();
    let mut found: Vec<(f64, usize)> = numbered
        .filter_map(|(k, t)| {
            t.filter(|(_, is_opposite)| *is_opposite)
                .map(|(t, _)| (t, k))
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (thinnest, sample) = *found.get((THIN_SHARE * measured as f64) as usize)?;
    let (median, _) = found[found.len() / 2];
    let point: Vec3 = samples[sample].0;
    let levels = NODE_COUNTS.map(|nodes| {
        let edge = EDGE_PER_SPACING * spacing_guess(solid, nodes as f64);
        WallAtNodes {
            nodes,
            edge,
            edges_in_wall: thinnest / edge,
        }
    });
    Some(Walls {
        thinnest,
        thinnest_at: point.into(),
        median,
        levels: levels.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::CellStyle;
    use pliant_core::mesh::procedural::box_surface;

    #[test]
    fn the_wall_of_a_plate_is_its_thickness() {
        let plate = box_surface(Vec3::new(1.0, 0.02, 0.8), [20, 1, 16], CellStyle::Kuhn);
        let walls = walls(&plate).expect("walls");
        assert!((walls.thinnest - 0.02).abs() < 1e-9 && (walls.median - 0.02).abs() < 1e-9);
        let [coarse, .., fine] = &walls.levels[..] else {
            panic!("three levels");
        };
        assert!(coarse.edge > fine.edge && coarse.edges_in_wall < 0.5);
        // four nodes across the plate would be 4 x 20 x 16 of edge 0.05: 8000 give about 0.03
        assert!((0.01..0.05).contains(&fine.edge), "{}", fine.edge);
        let cube = box_surface(Vec3::repeat(1.0), [6; 3], CellStyle::Kuhn);
        let walls = super::walls(&cube).expect("walls");
        assert!((walls.thinnest - 1.0).abs() < 1e-6 && walls.levels[0].edges_in_wall > 3.0);
    }
}
