//! Lips: the edges of the skin along a cut.
//!
//! Two vertices of a triangle are separated if the copies to which they are attached are not connected. The edge between them is cut in the plane in which the blade went
//! through the tetrahedron there, and gets a vertex for each side.

use std::collections::{BTreeMap, BTreeSet};

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::embedding::AttachedPlace;

use super::surface_builder::{Attachment, SurfaceBuilder};
use crate::model::cutting::sides::Sides;

/// Points along an edge of the skin where planes of cuts are searched.
const SAMPLES: [f64; 5] = [0.0, 1.0, 0.5, 0.25, 0.75];

fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn edges([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// The edge of a triangle at which a cut ends: the only one that is cut.
fn only_cut_edge(is_cut: [bool; 3]) -> Option<usize> {
    let count = is_cut.iter().filter(|is_cut| **is_cut).count();
    let at = is_cut.iter().position(|is_cut| *is_cut);
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

/// The skin, the attachments of its vertices, and the cuts of its edges.
pub(super) struct Lips<'a> {
    sides: Sides<'a>,
    skin: &'a SurfaceMesh,
    attachments: &'a [Option<Attachment>],
    /// m
    spacing: f64,
    /// for edges that may be cut the share at which they are cut, if they are
    cuts: BTreeMap<[u32; 2], Option<f64>>,
    /// vertices of lips by edge; the end on their side comes first
    vertices: BTreeMap<[u32; 2], u32>,
    /// edges at which a cut ends: their lips have the same vertex
    ends: BTreeSet<[u32; 2]>,
}

impl<'a> Lips<'a> {
    pub fn new(
        sides: Sides<'a>,
        skin: &'a SurfaceMesh,
        attachments: &'a [Option<Attachment>],
        spacing: f64,
    ) -> Self {
        Self {
            sides,
            skin,
            attachments,
            spacing,
            cuts: BTreeMap::new(),
            vertices: BTreeMap::new(),
            ends: BTreeSet::new(),
        }
    }

    /// Adds the skin. Returns for each of its vertices whether a triangle around it is split.
    pub fn draw(&mut self, builder: &mut SurfaceBuilder) -> Vec<bool> {
        let skin = self.skin;
        let mut touched = vec![false; skin.vertex_count()];
        let mut split = Vec::new();
        for (k, &triangle) in skin.triangles.iter().enumerate() {
            if self.sides.geometry.corners_share_nodes[k]
                && triangle.iter().all(|v| self.is_whole(*v))
            {
                continue;
            }
            let edges = edges(triangle);
            let is_cut = edges.map(|edge| self.share(edge).is_some());
            if let Some(end) = only_cut_edge(is_cut) {
                self.ends.insert(ascending(edges[end]));
            }
            if is_cut != [false; 3] {
                for v in triangle {
                    touched[v as usize] = true;
                }
                split.push((k, is_cut));
            }
        }
        builder.triangles.clone_from(&skin.triangles);
        for (k, is_cut) in split {
            self.draw_parts(skin.triangles[k], is_cut, builder);
            // the last triangle, one of the parts, takes the place of this one, so that all others keep theirs
            builder.triangles.swap_remove(k);
        }
        touched
    }

    /// Whether a vertex of the skin is attached to a tetrahedron that is not split.
    fn is_whole(&self, v: u32) -> bool {
        let attachment = self.attachments[v as usize];
        attachment
            .is_some_and(|attachment| !self.sides.copies.is_split(attachment.place.tet as usize))
    }

    /// Adds the two or three parts of a triangle of which these edges are cut.
    fn draw_parts(&mut self, triangle: [u32; 3], is_cut: [bool; 3], builder: &mut SurfaceBuilder) {
        let [a, b, c] = triangle;
        match is_cut {
            [true, false, true] => self.draw_corner([a, b, c], builder),
            [true, true, false] => self.draw_corner([b, c, a], builder),
            [false, true, true] => self.draw_corner([c, a, b], builder),
            [true, true, true] => self.draw_three(triangle, builder),
            _ => {
                let edge = only_cut_edge(is_cut).unwrap_or(0);
                let [a, b, c] = [0, 1, 2].map(|k| triangle[(edge + k) % 3]);
                let end = self.vertex([a, b], builder);
                builder.triangles.extend([[a, end, c], [end, b, c]]);
            }
        }
    }

    /// The corner `a` is separated from `b` and `c`.
    fn draw_corner(&mut self, [a, b, c]: [u32; 3], builder: &mut SurfaceBuilder) {
        let [ab, ac, ba, ca] = [[a, b], [a, c], [b, a], [c, a]].map(|e| self.vertex(e, builder));
        let parts = [[a, ab, ac], [ba, b, c], [ba, c, ca]];
        builder.triangles.extend(parts);
    }

    /// All three corners are separated: each gets the part up to the centre of the cuts.
    fn draw_three(&mut self, corners: [u32; 3], builder: &mut SurfaceBuilder) {
        let edges = [0, 1, 2].map(|k| [corners[k], corners[(k + 1) % 3]]);
        let middle = edges.iter().map(|e| self.place(*e)).sum::<Vec3>() / 3.0;
        for k in 0..3 {
            let (a, b, c) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
            let [ab, ac] = [[a, b], [a, c]].map(|edge| self.vertex(edge, builder));
            let own = builder.add(middle, a, self.row(a, &middle));
            builder.add_side(own, self.direction(a));
            builder.triangles.extend([[a, ab, own], [a, own, ac]]);
        }
    }

    /// The vertex of the lip at an edge, on the side of its first end. Where a cut ends it is in the middle between both sides.
    fn vertex(&mut self, edge: [u32; 2], builder: &mut SurfaceBuilder) -> u32 {
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
        let vertex = builder.add(place, edge[0], row);
        builder.add_side(vertex, self.direction(edge[0]));
        if is_end {
            builder.add_side(vertex, self.direction(edge[1]));
        }
        self.vertices.insert(edge, vertex);
        vertex
    }

    /// Direction to the side of the copy to which a vertex of the skin is attached.
    fn direction(&self, v: u32) -> Vec3 {
        let attachment = self.attachments[v as usize];
        attachment.map_or_else(Vec3::zeros, |attachment| {
            self.sides.direction(attachment.copy)
        })
    }

    /// Where an edge is cut, at rest, m.
    fn place(&mut self, [a, b]: [u32; 2]) -> Vec3 {
        let edge = ascending([a, b]);
        let share = self.share(edge).unwrap_or(0.5);
        let [from, to] = edge.map(|v| self.skin.positions[v as usize]);
        from + (to - from) * share
    }

    /// Nodes and weights of a point at a cut, on the side of skin vertex `v`: in the copy that is connected with that of the vertex.
    fn row(&self, v: u32, place: &Vec3) -> Vec<(u32, f64)> {
        let Some(attachment) = self.attachments[v as usize] else {
            return Vec::new();
        };
        let (sides, mesh) = (&self.sides, self.sides.mesh);
        if let Some(there) = sides.geometry.attach(mesh, place) {
            let tet = there.tet as usize;
            let copies = (0..4).map(|i| sides.copies.copy_of_corner(tet, i));
            let is_own = |copy: &u32| sides.are_connected(attachment.copy, *copy) == Some(true);
            if let Some(copy) = copies.filter(|_| sides.copies.is_split(tet)).find(is_own) {
                let attachment = Attachment { copy, place: there };
                return attachment.row(sides.copies).collect();
            }
        }
        let own = sides.copies.all[attachment.copy as usize].tet as usize;
        let weights = pliant_core::math::barycentric::tetrahedron_weights(place, mesh.corners(own));
        let place = AttachedPlace {
            weights: weights.unwrap_or(attachment.place.weights),
            ..attachment.place
        };
        Attachment {
            place,
            ..attachment
        }
        .row(sides.copies)
        .collect()
    }

    /// The share of an edge of the skin, from its lower end, at which it is cut; `None` for one that is whole.
    fn share(&mut self, edge: [u32; 2]) -> Option<f64> {
        let edge = ascending(edge);
        let [from, to] = edge.map(|v| self.attachments[v as usize]);
        let (from, to) = (from?, to?);
        if self.sides.share_own_corner(from.copy, to.copy) {
            return None;
        }
        if let Some(cached) = self.cuts.get(&edge) {
            return *cached;
        }
        let share = self.cut_interval(edge, from, to).map(|cut_interval| {
            let [x, y] = edge.map(|v| self.skin.positions[v as usize]);
            let ends = cut_interval.map(|share| x + (y - x) * share);
            cut_interval[0] + (cut_interval[1] - cut_interval[0]) * self.crossing(ends)
        });
        self.cuts.insert(edge, share);
        share
    }

    /// Shares of the edge between which the attached copies are not connected.
    fn cut_interval(&self, edge: [u32; 2], from: Attachment, to: Attachment) -> Option<[f64; 2]> {
        if let Some(together) = self.sides.are_connected(from.copy, to.copy) {
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
                false => self.copy_at_point(&(x + (y - x) * share))?,
            };
            if self.sides.are_connected(last, next) == Some(false) {
                return Some([share - 1.0 / f64::from(steps), share]);
            }
            last = next;
        }
        None
    }

    fn copy_at_point(&self, x: &Vec3) -> Option<u32> {
        let there = self.sides.geometry.attach(self.sides.mesh, x)?;
        Some(self.sides.copy_at(there.tet as usize, &there.weights))
    }

    /// Share of the segment between two points at which it crosses the plane of a cut; the middle where there is no plane.
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
        let first = SAMPLES.into_iter().find_map(crossing);
        // the plane of the tetrahedron that contains the crossing is most accurate
        let share = first.map(|share| crossing(share).unwrap_or(share));
        share.unwrap_or(0.5).clamp(0.0, 1.0)
    }
}
