//! The border of what a closed surface encloses: where its shells lie in each other, only what is outside of all others.
//!
//! Triangles that others cross are cut along them, and each part is looked at from both sides, as arrangements of meshes do (Zhou et al. 2016, "Mesh
//! arrangements for solid geometry"). Here parts need not share vertices: they serve distances, normals and areas.

mod contact;
mod cut;
mod volume;

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::UnionFind;
use rayon::prelude::*;

use crate::repair::steps::edges::{Side, by_edge, sides_between};
use contact::{Contacts, contacts};
use cut::{Polygon, covers, parts_of};

pub(crate) use volume::volume_by_columns;

/// Distance from a face at which its two sides are tested, share of the diagonal. Smaller gaps and overlaps are ignored.
pub(super) const SIDE_OFFSET: f64 = 1e-6;
/// Distances below this count as zero when triangles are cut, share of [`SIDE_OFFSET`].
const CUT_TOLERANCE: f64 = 1e-3;
/// Triangles with edges shorter than this share of the diagonal are not cut.
const MIN_CUT_EDGE: f64 = 2e-3;
/// Above this many crossing pairs, [`MIN_CUT_EDGE_MANY_PAIRS`] holds instead: shells that lie close to each other all over cross everywhere.
const MANY_PAIRS: usize = 300_000;
const MIN_CUT_EDGE_MANY_PAIRS: f64 = 3e-2;

/// The part of a surface that is on the border, and the connected parts of its triangles.
#[derive(Debug, Clone)]
pub(crate) struct Border {
    /// The border as separate triangles, normals outwards; `None` where it is the whole surface, unchanged.
    pub(crate) skin: Option<SurfaceMesh>,
    /// Number of the part of the body that each triangle belongs to, of the skin or, without one, of the surface: shells that cross or touch are one part.
    pub(crate) part: Vec<u32>,
    /// Number of parts.
    pub(crate) parts: usize,
}

/// Finds the border. `place` numbers distinct vertices, `is_inside` returns whether the surface encloses a point. Cost O(n log n) and that of the crossings.
pub(crate) fn border_of(
    surface: &SurfaceMesh,
    place: &[u32],
    is_inside: &(dyn Fn(&Vec3) -> bool + Sync),
) -> Border {
    let side_offset = SIDE_OFFSET * surface.bounds().diagonal();
    let tolerance = CUT_TOLERANCE * side_offset;
    let contacts = contacts(surface, place, tolerance);
    let partners = &contacts.crossing;
    let sides = sides_between(surface, place);
    let patches = patches(surface, &sides, &contacts);
    let mut out = BorderTriangles::default();
    let is_crossed = partners.iter().any(|p| !p.is_empty());
    if is_crossed || patches.len() > 1 {
        let test = SideTest {
            side_offset,
            is_inside,
        };
        let kept: Vec<Option<bool>> = patches
            .par_iter()
            .map(|patch| test.is_triangle_flipped(&surface.corners(patch.largest as usize)))
            .collect();
        if is_crossed || kept.iter().any(|k| *k != Some(false)) {
            for (patch, is_flipped) in patches.iter().zip(&kept) {
                let Some(is_flipped) = is_flipped else {
                    continue;
                };
                for &t in &patch.triangles {
                    out.push(surface.corners(t as usize), *is_flipped, t);
                }
            }
            collect_crossed(surface, partners, &test, &mut out);
        }
    }
    let skin = (!out.source.is_empty()).then_some(out.skin);
    let all = (0..surface.triangles.len() as u32).collect();
    let source: Vec<u32> = if skin.is_some() { out.source } else { all };
    let mut sets = UnionFind::new(surface.triangles.len());
    for pair in by_edge(&sides).flat_map(|edge| edge.windows(2)) {
        sets.join(pair[0].triangle, pair[1].triangle);
    }
    for touching in [partners, &contacts.along_edges] {
        for (t, others) in (0_u32..).zip(touching) {
            others.iter().for_each(|&u| sets.join(t, u));
        }
    }
    let mut number = vec![u32::MAX; surface.triangles.len()];
    let mut parts = 0;
    let mut number_of = |t: u32| {
        let number = &mut number[sets.find(t) as usize];
        if *number == u32::MAX {
            *number = parts;
            parts += 1;
        }
        *number
    };
    Border {
        part: source.into_iter().map(&mut number_of).collect(),
        parts: parts as usize,
        skin,
    }
}

/// Adds what of the crossed triangles is on the border.
fn collect_crossed(
    surface: &SurfaceMesh,
    partners: &[Vec<u32>],
    sides: &SideTest<'_>,
    out: &mut BorderTriangles,
) {
    let pairs: usize = partners.iter().map(Vec::len).sum::<usize>() / 2;
    let min_edge = if pairs > MANY_PAIRS {
        MIN_CUT_EDGE_MANY_PAIRS
    } else {
        MIN_CUT_EDGE
    } * surface.bounds().diagonal();
    let crossed: Vec<Vec<(Polygon, bool)>> = (0..surface.triangles.len())
        .into_par_iter()
        .map(|t| match partners[t].as_slice() {
            [] => Vec::new(),
            others => border_parts(surface, t, others, min_edge, sides),
        })
        .collect();
    for (t, polygons) in (0_u32..).zip(crossed) {
        for (polygon, is_flipped) in polygons {
            for k in 1..polygon.len() - 1 {
                out.push([polygon[0], polygon[k], polygon[k + 1]], is_flipped, t);
            }
        }
    }
}

/// Triangles of the border and the triangles of the surface that they come from.
#[derive(Default)]
struct BorderTriangles {
    skin: SurfaceMesh,
    source: Vec<u32>,
}

impl BorderTriangles {
    fn push(&mut self, [a, b, c]: [Vec3; 3], is_flipped: bool, source: u32) {
        let first = self.skin.positions.len() as u32;
        let corners = if is_flipped { [a, c, b] } else { [a, b, c] };
        self.skin.positions.extend(corners);
        self.skin.triangles.push([first, first + 1, first + 2]);
        self.source.push(source);
    }
}

/// The parts of a crossed triangle that are on the border, and whether they face inwards.
fn border_parts(
    surface: &SurfaceMesh,
    t: usize,
    others: &[u32],
    min_edge: f64,
    sides: &SideTest<'_>,
) -> Vec<(Polygon, bool)> {
    let corners = surface.corners(t);
    let longest = (0..3).map(|k| (corners[k] - corners[(k + 1) % 3]).norm());
    if longest.fold(0.0, f64::max) < min_edge {
        // too small to be cut: the whole triangle is kept where any of it is on the border
        let middle = corners.iter().sum::<Vec3>() / 3.0;
        let points = [middle, corners[0], corners[1], corners[2]].map(|x| x * 0.8 + middle * 0.2);
        let normal = surface.area_vector(t);
        let found = points.iter().find_map(|x| sides.is_flipped_at(x, &normal));
        return found
            .map(|is_flipped| (corners.to_vec(), is_flipped))
            .into_iter()
            .collect();
    }
    let cutters: Vec<[Vec3; 3]> = others
        .iter()
        .map(|&u| surface.corners(u as usize))
        .collect();
    let parts = parts_of(corners, &cutters, CUT_TOLERANCE * sides.side_offset);
    let normal = surface.area_vector(t);
    parts
        .into_iter()
        .filter_map(|part| {
            let middle = part.iter().sum::<Vec3>() / part.len() as f64;
            // the first of coplanar faces represents all: they have the same sides
            let is_duplicate = others
                .iter()
                .zip(&cutters)
                .any(|(&u, cutter)| (u as usize) < t && covers(cutter, &middle, sides.side_offset));
            let is_flipped = sides
                .is_flipped_at(&middle, &normal)
                .filter(|_| !is_duplicate)?;
            Some((part, is_flipped))
        })
        .collect()
}

/// Tests which side of a face is inside.
struct SideTest<'a> {
    side_offset: f64,
    is_inside: &'a (dyn Fn(&Vec3) -> bool + Sync),
}

impl SideTest<'_> {
    /// Whether `normal` points inwards at a point of the surface; `None` if the point is not on the border.
    fn is_flipped_at(&self, x: &Vec3, normal: &Vec3) -> Option<bool> {
        let step = normal.try_normalize(0.0)? * self.side_offset;
        let (before, behind) = ((self.is_inside)(&(x + step)), (self.is_inside)(&(x - step)));
        (before != behind).then_some(before)
    }

    fn is_triangle_flipped(&self, corners: &[Vec3; 3]) -> Option<bool> {
        let [a, b, c] = corners;
        self.is_flipped_at(&((a + b + c) / 3.0), &(b - a).cross(&(c - a)))
    }
}

/// Connected triangles that nothing crosses: all of them are on the border, or none.
struct Patch {
    triangles: Vec<u32>,
    /// the one with the largest area
    largest: u32,
}

/// Patches in the order of their first triangles.
fn patches(surface: &SurfaceMesh, sides: &[Side], contacts: &Contacts) -> Vec<Patch> {
    let is_uncrossed = |t: u32| contacts.crossing[t as usize].is_empty();
    let mut sets = UnionFind::new(surface.triangles.len());
    let is_free = |side: &Side| is_uncrossed(side.triangle) && !contacts.has_side_along(side);
    for edge in by_edge(sides) {
        // where more than two meet, the border may continue on another patch
        if let [s, t] = edge
            && is_free(s)
            && is_free(t)
        {
            sets.join(s.triangle, t.triangle);
        }
    }
    let mut number = vec![usize::MAX; surface.triangles.len()];
    let mut patches: Vec<Patch> = Vec::new();
    let area = |t: u32| surface.area_vector(t as usize).norm_squared();
    for t in (0..surface.triangles.len() as u32).filter(|&t| is_uncrossed(t)) {
        let root = sets.find(t) as usize;
        if number[root] == usize::MAX {
            number[root] = patches.len();
            patches.push(Patch {
                triangles: Vec::new(),
                largest: t,
            });
        }
        let patch = &mut patches[number[root]];
        patch.triangles.push(t);
        if area(t) > area(patch.largest) {
            patch.largest = t;
        }
    }
    patches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::solid::{MeshSolid, Solid};
    use crate::test_bodies::{assert_near, inverted, joined};
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    fn cube(size: f64) -> SurfaceMesh {
        box_surface(Vec3::repeat(size), [2; 3], CellStyle::Kuhn)
    }

    fn solid(surface: &SurfaceMesh) -> MeshSolid {
        MeshSolid::new(surface).expect("closed")
    }

    /// Asserts area of the border and volume inside.
    fn assert_measures(surface: &SurfaceMesh, (area, volume): (f64, f64)) {
        let solid = solid(surface);
        let skin = solid.border().expect("not the whole surface");
        assert_near(skin.area(), area, 1e-5);
        assert_near(solid.volume, volume, 3e-3);
    }

    #[test]
    fn a_surface_that_does_not_cross_itself_is_its_own_border() {
        let one = solid(&cube(1.0));
        assert!(one.border().is_none() && one.border.parts == 1);
        let two = solid(&joined(&cube(1.0), &cube(0.5), Vec3::new(2.0, 0.0, 0.0)));
        assert!(two.border().is_none() && two.border.parts == 2);
        assert!((two.volume - 1.125).abs() < 1e-12);
    }

    #[test]
    fn area_and_volume_of_what_two_cubes_enclose_are_those_of_their_union() {
        // they share an eighth: three of its faces belong to each cube
        let shift = Vec3::repeat(0.5);
        let crossing = joined(&cube(1.0), &cube(1.0), shift);
        assert_measures(&crossing, (12.0 - 6.0 * 0.25, 2.0 - 0.125));
        assert_eq!(solid(&crossing).border.parts, 1);
        // a cube in a cube, a cube twice, and inside out as a whole
        assert_measures(&joined(&cube(1.0), &cube(0.5), Vec3::zeros()), (6.0, 1.0));
        assert_measures(&joined(&cube(1.0), &cube(1.0), Vec3::zeros()), (6.0, 1.0));
        assert_measures(&inverted(crossing), (10.5, 1.875));
    }

    #[test]
    fn where_cubes_touch_there_is_no_border() {
        // half of a face of each is a wall between them, and triangles overlap in its plane
        let shift = Vec3::new(1.0, 0.5, 0.0);
        let touching = joined(&cube(1.0), &cube(1.0), shift);
        assert_measures(&touching, (12.0 - 2.0 * 0.5, 2.0));
        let solid = solid(&touching);
        // on the wall, whichever way rays pass its two faces
        for k in -12..12 {
            let at_wall = Vec3::new(0.5, 0.25, 0.04 * f64::from(k));
            let expected = -0.25_f64.min(0.5 - at_wall.z.abs());
            assert!((solid.signed_distance(&at_wall) - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn distances_are_those_to_the_border() {
        let crossing = joined(&cube(1.0), &cube(1.0), Vec3::new(0.5, 0.0, 0.0));
        // on a face of the second cube, in the middle of the first
        let middle = Vec3::new(0.0, 0.1, 0.0);
        assert!((solid(&crossing).signed_distance(&middle) + 0.4).abs() < 1e-9);
    }

    #[test]
    fn grids_that_meet_along_their_lines_are_cut_there() {
        // every vertex near the other cube lies on a line of its grid, up to rounding: no triangle crosses another
        let one = box_surface(Vec3::repeat(1.0), [10; 3], CellStyle::Kuhn);
        for shift in [[0.3, 0.2, 0.1], [0.5, 0.1, 0.7], [0.9, 0.9, 0.9]] {
            let [a, b, c] = shift.map(|s| 1.0 - s);
            let hidden = 2.0 * (a * b + b * c + c * a);
            let two = joined(&one, &one, shift.into());
            assert_measures(&two, (12.0 - hidden, 2.0 - a * b * c));
            assert_eq!(solid(&two).border.parts, 1);
        }
    }

    #[test]
    fn faces_in_one_plane_count_once_whichever_way_they_face() {
        let one = box_surface(Vec3::repeat(1.0), [5; 3], CellStyle::Kuhn);
        // moved along two faces: 0.6 by 0.8 of the cubes is common, and so are two faces of that
        let along = joined(&one, &one, Vec3::new(0.4, 0.0, 0.2));
        let area = 4.0 + 2.0 * 2.0 - 2.0 * (0.6 + 0.8) + 4.0 - 2.0 * 0.6 * 0.8;
        assert_measures(&along, (area, 2.0 - 0.6 * 0.8));
        // on top of each other, grids that fit and grids that do not
        let small = box_surface(Vec3::new(0.6, 1.0, 0.6), [3, 1, 3], CellStyle::Kuhn);
        for top in [&one, &small] {
            for shift in [[0.0, 1.0, 0.0], [0.2, 1.0, -0.4], [0.137, 1.0, 0.059]] {
                let half = top.bounds().size() / 2.0;
                let width = |k: usize| {
                    let low = (shift[k] - half[k]).max(-0.5);
                    (shift[k] + half[k]).min(0.5) - low
                };
                let wall = width(0) * width(2);
                let stack = joined(&one, top, shift.into());
                let expected = (6.0 + top.area() - 2.0 * wall, 1.0 + top.volume());
                assert_measures(&stack, expected);
                assert_eq!(solid(&stack).border.parts, 1);
            }
        }
        // a box that touches a face from inside
        let inside = joined(&one, &small, Vec3::new(0.2, 0.0, 0.0));
        assert_measures(&inside, (6.0, 1.0));
        // a face three times: forth, back, and forth
        let mut thrice = one;
        let face: Vec<[u32; 3]> = thrice.triangles[..20].to_vec();
        thrice
            .triangles
            .extend(face.iter().map(|t| [t[0], t[2], t[1]]));
        thrice.triangles.extend(face);
        assert_measures(&thrice, (6.0, 1.0));
    }
}
