//! Lips: where the skin parts along a cut.
//!
//! Two vertices of a triangle are apart if the copies that they hang on do not hang together. The edge between them is cut in the plane in which the blade went
//! through the tetrahedron there, and has a vertex for each side.

use std::collections::{BTreeMap, BTreeSet};

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::embedding::AttachedPlace;

use super::drawing::{Drawing, Hold};
use crate::model::cutting::sides::Sides;

/// Places along an edge of the skin where planes of cuts are looked for.
const LOOKS: [f64; 5] = [0.0, 1.0, 0.5, 0.25, 0.75];

fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn edges([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// The edge of a triangle at which a cut ends: the only one that is cut.
fn single(apart: [bool; 3]) -> Option<usize> {
    let count = apart.iter().filter(|apart| **apart).count();
    let at = apart.iter().position(|apart| *apart);
    at.filter(|_| count == 1)
}

/// Halfway between two rows.
fn mean_row(rows: [Vec<(u32, f64)>; 2]) -> Vec<(u32, f64)> {
    let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
    for (node, weight) in rows.into_iter().flatten() {
        *sums.entry(node).or_default() += 0.5 * weight;
    }
    sums.into_iter().collect()
}

/// The skin, what its vertices hang on, and what was found out about its edges.
pub(super) struct Lips<'a> {
    sides: Sides<'a>,
    skin: &'a SurfaceMesh,
    holds: &'a [Option<Hold>],
    /// m
    spacing: f64,
    /// for edges that are not plainly whole the share at which they are cut, if they are
    cuts: BTreeMap<[u32; 2], Option<f64>>,
    /// vertices of lips by edge: the end on their side first
    vertices: BTreeMap<[u32; 2], u32>,
    /// edges at which a cut ends: their lips have the same vertex
    ends: BTreeSet<[u32; 2]>,
}

impl<'a> Lips<'a> {
    pub fn new(
        sides: Sides<'a>,
        skin: &'a SurfaceMesh,
        holds: &'a [Option<Hold>],
        spacing: f64,
    ) -> Self {
        Self {
            sides,
            skin,
            holds,
            spacing,
            cuts: BTreeMap::new(),
            vertices: BTreeMap::new(),
            ends: BTreeSet::new(),
        }
    }

    /// Draws the skin. Returns for each of its vertices whether a triangle around it is in parts.
    pub fn draw(&mut self, drawing: &mut Drawing) -> Vec<bool> {
        let skin = self.skin;
        let mut touched = vec![false; skin.vertex_count()];
        let mut parted = Vec::new();
        for (k, &triangle) in skin.triangles.iter().enumerate() {
            if self.sides.geometry.corners_share_nodes[k]
                && triangle.iter().all(|v| self.is_whole(*v))
            {
                continue;
            }
            let edges = edges(triangle);
            let apart = edges.map(|edge| self.share(edge).is_some());
            if let Some(end) = single(apart) {
                self.ends.insert(ascending(edges[end]));
            }
            if apart != [false; 3] {
                for v in triangle {
                    touched[v as usize] = true;
                }
                parted.push((k, apart));
            }
        }
        drawing.triangles.clone_from(&skin.triangles);
        for (k, apart) in parted {
            self.draw_parts(skin.triangles[k], apart, drawing);
            // one of the parts takes the place of the triangle, so that the others keep theirs
            drawing.triangles.swap_remove(k);
        }
        touched
    }

    /// Whether a vertex of the skin hangs on a tetrahedron that is not parted.
    fn is_whole(&self, v: u32) -> bool {
        let hold = self.holds[v as usize];
        hold.is_some_and(|hold| !self.sides.copies.is_parted(hold.place.tet as usize))
    }

    /// Draws a triangle of which these edges are cut in two or three parts.
    fn draw_parts(&mut self, triangle: [u32; 3], apart: [bool; 3], drawing: &mut Drawing) {
        let [a, b, c] = triangle;
        match apart {
            [true, false, true] => self.draw_corner([a, b, c], drawing),
            [true, true, false] => self.draw_corner([b, c, a], drawing),
            [false, true, true] => self.draw_corner([c, a, b], drawing),
            [true, true, true] => self.draw_three(triangle, drawing),
            _ => {
                let edge = single(apart).unwrap_or(0);
                let [a, b, c] = [0, 1, 2].map(|k| triangle[(edge + k) % 3]);
                let end = self.vertex([a, b], drawing);
                drawing.triangles.extend([[a, end, c], [end, b, c]]);
            }
        }
    }

    /// The corner `a` comes off `b` and `c`.
    fn draw_corner(&mut self, [a, b, c]: [u32; 3], drawing: &mut Drawing) {
        let [ab, ac, ba, ca] = [[a, b], [a, c], [b, a], [c, a]].map(|e| self.vertex(e, drawing));
        let parts = [[a, ab, ac], [ba, b, c], [ba, c, ca]];
        drawing.triangles.extend(parts);
    }

    /// All three corners come off each other: each has the quarter as far as the middle of the cuts.
    fn draw_three(&mut self, corners: [u32; 3], drawing: &mut Drawing) {
        let edges = [0, 1, 2].map(|k| [corners[k], corners[(k + 1) % 3]]);
        let middle = edges.iter().map(|e| self.place(*e)).sum::<Vec3>() / 3.0;
        for k in 0..3 {
            let (a, b, c) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
            let [ab, ac] = [[a, b], [a, c]].map(|edge| self.vertex(edge, drawing));
            let own = drawing.add(middle, a, self.row(a, &middle));
            drawing.goes_with(own, self.direction(a));
            drawing.triangles.extend([[a, ab, own], [a, own, ac]]);
        }
    }

    /// The vertex of the lip at an edge, on the side of its first end. Where a cut ends it is in the middle between both sides.
    fn vertex(&mut self, edge: [u32; 2], drawing: &mut Drawing) -> u32 {
        let is_end = self.ends.contains(&ascending(edge));
        let edge = if is_end { ascending(edge) } else { edge };
        if let Some(&vertex) = self.vertices.get(&edge) {
            return vertex;
        }
        let place = self.place(edge);
        let own = self.row(edge[0], &place);
        let row = match is_end {
            true => mean_row([own, self.row(edge[1], &place)]),
            false => own,
        };
        let vertex = drawing.add(place, edge[0], row);
        drawing.goes_with(vertex, self.direction(edge[0]));
        if is_end {
            drawing.goes_with(vertex, self.direction(edge[1]));
        }
        self.vertices.insert(edge, vertex);
        vertex
    }

    /// To the side of what a vertex of the skin hangs on.
    fn direction(&self, v: u32) -> Vec3 {
        let hold = self.holds[v as usize];
        hold.map_or_else(Vec3::zeros, |hold| self.sides.direction(hold.copy))
    }

    /// Where an edge is cut, at rest, m.
    fn place(&mut self, [a, b]: [u32; 2]) -> Vec3 {
        let edge = ascending([a, b]);
        let share = self.share(edge).unwrap_or(0.5);
        let [from, to] = edge.map(|v| self.skin.positions[v as usize]);
        from + (to - from) * share
    }

    /// What a place at a cut hangs on, on the side of skin vertex `v`: the copy that hangs together with that of the vertex.
    fn row(&self, v: u32, place: &Vec3) -> Vec<(u32, f64)> {
        let Some(hold) = self.holds[v as usize] else {
            return Vec::new();
        };
        let (sides, mesh) = (&self.sides, self.sides.mesh);
        if let Some(there) = sides.geometry.attach(mesh, place) {
            let tet = there.tet as usize;
            let copies = (0..4).map(|i| sides.copies.of_corner(tet, i));
            let is_own = |copy: &u32| sides.hang_together(hold.copy, *copy) == Some(true);
            if let Some(copy) = copies.filter(|_| sides.copies.is_parted(tet)).find(is_own) {
                let hold = Hold { copy, place: there };
                return hold.row(sides.copies).collect();
            }
        }
        let own = sides.copies.all[hold.copy as usize].tet as usize;
        let weights = pliant_core::math::barycentric::tetrahedron_weights(place, mesh.corners(own));
        let place = AttachedPlace {
            weights: weights.unwrap_or(hold.place.weights),
            ..hold.place
        };
        Hold { place, ..hold }.row(sides.copies).collect()
    }

    /// The share of an edge of the skin, from its lower end, at which it is cut; `None` for one that is whole.
    fn share(&mut self, edge: [u32; 2]) -> Option<f64> {
        let edge = ascending(edge);
        let [from, to] = edge.map(|v| self.holds[v as usize]);
        let (from, to) = (from?, to?);
        if self.sides.have_common_corner(from.copy, to.copy) {
            return None;
        }
        if let Some(known) = self.cuts.get(&edge) {
            return *known;
        }
        let share = self.gap(edge, from, to).map(|gap| {
            let [x, y] = edge.map(|v| self.skin.positions[v as usize]);
            let ends = gap.map(|share| x + (y - x) * share);
            gap[0] + (gap[1] - gap[0]) * self.crossing(ends)
        });
        self.cuts.insert(edge, share);
        share
    }

    /// Shares of the edge between which what it hangs on does not hang together.
    fn gap(&self, edge: [u32; 2], from: Hold, to: Hold) -> Option<[f64; 2]> {
        if let Some(together) = self.sides.hang_together(from.copy, to.copy) {
            return (!together).then_some([0.0, 1.0]);
        }
        // an edge across several tetrahedra: step by step
        let [x, y] = edge.map(|v| self.skin.positions[v as usize]);
        let steps = (2.0 * (y - x).norm() / self.spacing)
            .ceil()
            .clamp(2.0, 64.0) as u32;
        let mut last = from.copy;
        for k in 1..=steps {
            let share = f64::from(k) / f64::from(steps);
            let next = match k == steps {
                true => to.copy,
                false => self.copy_near(&(x + (y - x) * share))?,
            };
            if self.sides.hang_together(last, next) == Some(false) {
                return Some([share - 1.0 / f64::from(steps), share]);
            }
            last = next;
        }
        None
    }

    fn copy_near(&self, x: &Vec3) -> Option<u32> {
        let there = self.sides.geometry.attach(self.sides.mesh, x)?;
        Some(self.sides.copy_at(there.tet as usize, &there.weights))
    }

    /// Share of the way between two places at which the plane of a cut is crossed; the middle where there is no plane.
    fn crossing(&self, [x, y]: [Vec3; 2]) -> f64 {
        let crossing = |at: f64| {
            let there = self
                .sides
                .geometry
                .attach(self.sides.mesh, &(x + (y - x) * at))?;
            let plane = self.sides.plane(there.tet as usize)?;
            let (from, to) = (plane.height(&x), plane.height(&y));
            ((from > 0.0) != (to > 0.0)).then(|| from / (from - to))
        };
        let first = LOOKS.into_iter().find_map(crossing);
        // the tetrahedron in which the crossing lies knows it best
        let share = first.map(|share| crossing(share).unwrap_or(share));
        share.unwrap_or(0.5).clamp(0.0, 1.0)
    }
}
