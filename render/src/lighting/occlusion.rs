//! Ambient occlusion: how much of the light from all sides reaches a point of a skin.
//!
//! Sky and floor light a skin from the whole hemisphere above it. Nearby parts hide some of it, so that hollows are
//! darker. The share that arrives is an integral over the hemisphere, here a mean over a few fixed directions whose density is
//! the cosine of the angle to the normal. A triangle hides less the farther away it is, and nothing beyond a maximum distance.
//!
//! The floor hides nothing: its light is a part of the lighting model. The directions are not random, so that the same
//! skin has the same shares everywhere.

use nalgebra::Vector3;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Ray;
use pliant_core::math::tangents::tangents;
use pliant_core::mesh::TriangleTree;
use rayon::prelude::*;

use super::height_map::bounds_of;
use crate::surface::CreasedSurface;

/// Factor on the ambient occlusion where vertex colours show values.
pub const UNDER_COLORS: f32 = 0.5;
/// Distance from which on a triangle hides nothing, in diagonals of the bounding box of all of them.
const MAX_OCCLUSION_DISTANCE: f64 = 0.3;
/// Offset of ray origins above the skin, in mean edges, so that a nearly flat skin does not occlude itself.
const NORMAL_OFFSET: f64 = 0.02;
/// Smallest and largest number of directions per point.
const DIRECTION_COUNTS: [usize; 2] = [24, 64];
/// Budget of rays for all points of a skin, where each has more than the smallest number of directions.
const MAX_RAYS: usize = 300_000;
/// Cosine and sine of the golden angle, `π (3 - √5)`.
const GOLDEN_ANGLE_COS_SIN: [f64; 2] = [-0.737_368_878_078_319_7, 0.675_490_294_261_523_8];

/// A point at which occlusion is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Position, m.
    pub position: Vec3,
    /// Unit normal; zero where there is none.
    pub normal: Vec3,
    /// Unit direction away from the skin: the mean of the normals where a sharp edge runs through the point.
    pub outward: Vec3,
}

/// Triangles that hide light from each other.
#[derive(Debug, Clone)]
pub struct Occluders {
    tree: TriangleTree,
    /// m
    reach: f64,
    /// m
    lift: f64,
}

impl Occluders {
    /// Triangles of world points (m); those with a coordinate that is not finite are left out. Cost O(n log² n).
    pub fn new(triangles: &[[Vector3<f32>; 3]]) -> Self {
        let sound = |t: &&[Vector3<f32>; 3]| t.iter().flatten().all(|c| c.is_finite());
        let sound: Vec<[Vector3<f32>; 3]> = triangles.iter().filter(sound).copied().collect();
        let corners: Vec<Vec3> = sound.as_flattened().iter().map(|p| p.cast()).collect();
        let numbers: Vec<[u32; 3]> = (0..sound.len() as u32)
            .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
            .collect();
        let perimeter = |t: &[Vec3; 3]| {
            let [a, b, c] = t;
            (b - a).norm() + (c - b).norm() + (a - c).norm()
        };
        let edges: f64 = corners.as_chunks::<3>().0.iter().map(perimeter).sum();
        Self {
            tree: TriangleTree::new(&corners, &numbers),
            reach: MAX_OCCLUSION_DISTANCE * bounds_of(&sound).diagonal(),
            lift: NORMAL_OFFSET * edges / corners.len().max(1) as f64,
        }
    }

    /// Share of the light from `directions` ([`directions`]) around the normal of a place that is not occluded, 0 to 1; 1 where
    /// there is no normal.
    pub fn open_share(&self, place: &Place, directions: &[Vec3]) -> f32 {
        let is_sound = place.position.iter().all(|c| c.is_finite())
            && [place.normal, place.outward]
                .iter()
                .all(|n| n.norm_squared() > 0.5);
        if !is_sound || directions.is_empty() {
            return 1.0;
        }
        let [u, v] = tangents(&place.normal);
        let origin = place.position + place.outward * self.lift;
        let hidden = |d: &Vec3| {
            let direction = u * d.x + v * d.y + place.normal * d.z;
            let hit = self
                .tree
                .first_hit_within(&Ray { origin, direction }, self.reach);
            hit.map_or(0.0, |(distance, _)| 1.0 - distance / self.reach)
        };
        let hidden: f64 = directions.iter().map(hidden).sum();
        (1.0 - hidden / directions.len() as f64) as f32
    }

    /// Shares for all vertices of a skin at `positions` ([`CreasedSurface::positions`]). The same bits for any number of threads.
    pub(crate) fn open_shares(&self, skin: &CreasedSurface, positions: &[[f32; 3]]) -> Vec<f32> {
        let places = places(skin, positions);
        let directions = directions(places.len());
        let all = places.par_iter();
        all.map(|place| self.open_share(place, &directions))
            .collect()
    }
}

/// The vertices of a skin at `positions` ([`CreasedSurface::positions`]) as places.
pub fn places(skin: &CreasedSurface, positions: &[[f32; 3]]) -> Vec<Place> {
    let normals: Vec<Vec3> = skin
        .normals(positions)
        .into_iter()
        .map(|n| Vector3::from(n).cast())
        .collect();
    let count = skin.source.iter().max().map_or(0, |&v| v as usize + 1);
    let mut sums = vec![Vec3::zeros(); count];
    for (&v, normal) in skin.source.iter().zip(&normals) {
        sums[v as usize] += normal;
    }
    let all = positions.iter().zip(&skin.source).zip(normals);
    all.map(|((&position, &v), normal)| Place {
        position: Vector3::from(position).cast(),
        normal,
        outward: sums[v as usize].try_normalize(1e-9).unwrap_or(normal),
    })
    .collect()
}

/// Directions of light around the z axis for a skin of this many places: 64 to 24 unit vectors, fewer for more places, so that
/// the cost is about the same.
pub fn directions(places: usize) -> Vec<Vec3> {
    let count = (MAX_RAYS / places.max(1)).clamp(DIRECTION_COUNTS[0], DIRECTION_COUNTS[1]);
    let [cos, sin] = GOLDEN_ANGLE_COS_SIN;
    let (mut x, mut y) = (1.0_f64, 0.0_f64);
    (0..count)
        .map(|k| {
            // a spiral of uniform density on the unit disc, projected onto the hemisphere (Malley's method)
            let squared = (k as f64 + 0.5) / count as f64;
            let radius = squared.sqrt();
            let direction = Vec3::new(radius * x, radius * y, (1.0 - squared).sqrt());
            (x, y) = (x * cos - y * sin, x * sin + y * cos);
            direction
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use pliant_core::contact::{Pose, ToolShape};
    use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
    use pliant_fuzzing::on_threads;

    use super::*;
    use crate::surface::{GlyphMesh, SHARP_ANGLE};

    /// The drawn vertices of a skin with their places and shares.
    fn shares(mesh: &SurfaceMesh) -> Vec<(Place, f32)> {
        let skin = CreasedSurface::new(mesh, SHARP_ANGLE);
        let positions = skin.positions(&SurfaceFrame::at_rest(mesh).positions);
        let at = |v: u32| Vector3::from(positions[v as usize]);
        let triangles: Vec<_> = skin.triangles.iter().map(|t| t.map(at)).collect();
        let open = Occluders::new(&triangles).open_shares(&skin, &positions);
        places(&skin, &positions).into_iter().zip(open).collect()
    }

    /// A sheet of squares over the unit square, mapped by `place`.
    fn sheet(cells: u32, place: impl Fn(f64, f64) -> Vec3) -> SurfaceMesh {
        let across = cells + 1;
        let part = |k: u32| f64::from(k) / f64::from(cells);
        let positions = (0..across * across).map(|k| place(part(k % across), part(k / across)));
        let squares = (0..cells * cells).map(|k| k / cells * across + k % cells);
        let triangles = squares.flat_map(|a| {
            let (b, c, d) = (a + 1, a + across, a + across + 1);
            [[a, c, b], [b, c, d]]
        });
        SurfaceMesh::new(positions.collect(), triangles.collect())
    }

    /// A prism over an L: six corners, the last but two of which is the inner one.
    fn corner() -> SurfaceMesh {
        let outline = [
            [0.0, 0.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 2.0],
            [0.0, 2.0],
        ];
        let both = [0.0, 1.0].into_iter();
        let positions = both.flat_map(|z| outline.map(|[x, y]| Vec3::new(x, y, z)));
        let mut triangles = Vec::new();
        for k in 0..6 {
            let next = (k + 1) % 6;
            triangles.push([k, next, next + 6]);
            triangles.push([k, next + 6, k + 6]);
        }
        for [a, b] in [[4, 5], [5, 0], [0, 1], [1, 2]] {
            triangles.push([3, b, a]);
            triangles.push([9, a + 6, b + 6]);
        }
        SurfaceMesh::new(positions.collect(), triangles)
    }

    #[test]
    fn directions_are_unit_vectors_whose_density_is_the_cosine() {
        for places in [1, 10_000, 1_000_000] {
            let all = directions(places);
            assert!(all.len() >= DIRECTION_COUNTS[0] && all.len() <= DIRECTION_COUNTS[1]);
            let mean = all.iter().fold(Vec3::zeros(), |sum, d| sum + d) / all.len() as f64;
            assert!(all.iter().all(|d| (d.norm() - 1.0).abs() < 1e-12));
            // the mean of cos² / π over the hemisphere is 2/3 along the normal and nothing across it
            assert!((mean.z - 2.0 / 3.0).abs() < 0.01, "{mean}");
            assert!(mean.xy().norm() < 0.05, "{mean}");
        }
    }

    #[test]
    fn a_flat_open_sheet_and_the_outside_of_a_ball_are_open() {
        let flat = sheet(7, |x, z| Vec3::new(x, 0.0, z));
        let ball = ToolShape::Sphere { radius: 0.3 };
        let ball = GlyphMesh::of_tool(&ball, &Pose::at(Vec3::zeros()), 1.0);
        for mesh in [flat, ball.surface()] {
            for (place, share) in shares(&mesh) {
                assert_eq!(share, 1.0, "{place:?}");
            }
        }
    }

    #[test]
    fn the_inner_corner_is_darker_than_the_outside() {
        let mesh = corner();
        let mut seen = 0;
        for (place, share) in shares(&mesh) {
            let is_inner = place.position.xy() == nalgebra::Vector2::new(1.0, 1.0);
            if is_inner && place.normal.z == 0.0 {
                // at the end of the corner the other side hides a quarter of the light
                assert!((0.6..0.85).contains(&share), "{place:?}: {share}");
                seen += 1;
            } else {
                assert_eq!(share, 1.0, "{place:?}");
            }
        }
        assert_eq!(seen, 4, "two faces at both ends");
    }

    #[test]
    fn a_wall_hides_half_of_the_light_at_its_foot_and_nothing_beyond_the_reach() {
        // a floor from x = 0 to 3, and a wall at x = 0 of height 1
        let mesh = sheet(16, |s, z| match 2.0 * s {
            t if t < 1.0 => Vec3::new(0.0, 1.0 - t, 4.0 * z),
            t => Vec3::new(3.0 * (t - 1.0), 0.0, 4.0 * z),
        });
        let reach = MAX_OCCLUSION_DISTANCE * mesh.bounds().diagonal();
        let floor = |p: &Place| p.normal.y > 0.99 && (p.position.z - 2.0).abs() < 0.3;
        let (mut at_foot, mut beyond) = (0, 0);
        for (place, share) in shares(&mesh).into_iter().filter(|(p, _)| floor(p)) {
            if place.position.x == 0.0 {
                assert!((share - 0.5).abs() < 0.1, "{share}");
                at_foot += 1;
            } else if place.position.x > reach {
                assert_eq!(share, 1.0, "{place:?}");
                beyond += 1;
            } else {
                assert!(share > 0.5, "{place:?}: {share}");
            }
        }
        assert!(at_foot == 3 && beyond > 3, "{at_foot}, {beyond}");
    }

    #[test]
    fn shares_are_the_same_for_any_number_of_threads() {
        let mesh = corner();
        let with_threads = |count: usize| on_threads(count, || shares(&mesh));
        assert_eq!(with_threads(1), with_threads(4));
    }

    #[test]
    fn what_is_not_finite_hides_nothing_and_is_open() {
        let nowhere = Vector3::repeat(f32::NAN);
        let occluders = Occluders::new(&[[nowhere; 3]]);
        let place = Place {
            position: Vec3::repeat(f64::NAN),
            normal: Vec3::y(),
            outward: Vec3::y(),
        };
        assert_eq!(occluders.open_share(&place, &directions(1)), 1.0);
        let sound = Place {
            position: Vec3::zeros(),
            ..place
        };
        assert_eq!(occluders.open_share(&sound, &directions(1)), 1.0);
    }
}
