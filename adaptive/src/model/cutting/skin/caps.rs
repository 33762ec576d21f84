//! Caps: the polygons between the parts of a tetrahedron, for each part one that faces outwards.
//!
//! Corners of caps are the points where edges were cut, so that caps of neighbours share theirs, and both sides do where a cut ends: their boundary lies on the boundary of the tetrahedra. What is there is
//! drawn on the skin, and joined to it by [`pliant_core::mesh::seam`].

use std::collections::BTreeMap;

use pliant_core::math::Vec3;
use pliant_core::math::barycentric::tetrahedron_weights;
use pliant_core::mesh::embedding::embedding_row;
use pliant_core::mesh::quadratic::EDGES;
use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::tet::FACES;

use super::surface_builder::SurfaceBuilder;
use crate::model::cutting::sides::Sides;

/// Projections onto the skin and back into the plane of a cut.
const ROUNDS: usize = 4;
/// Largest distance by which a corner on the boundary is moved onto the skin, mean edges: a farther point belongs to another part of the skin.
const MAX_SKIN_DISTANCE: f64 = 0.3;

/// Builds the caps of a level.
pub(super) struct Caps<'a> {
    pub sides: Sides<'a>,
    /// m
    pub spacing: f64,
    /// corners by the two nodes of their edge, ascending
    corners: BTreeMap<[u32; 2], u32>,
    /// middles of faces that are cut in three, by their nodes
    middles: BTreeMap<[u32; 3], u32>,
}

impl<'a> Caps<'a> {
    pub fn new(sides: Sides<'a>, spacing: f64) -> Self {
        Self {
            sides,
            spacing,
            corners: BTreeMap::new(),
            middles: BTreeMap::new(),
        }
    }

    /// Adds the caps of a copy.
    pub fn draw(&mut self, copy: usize, builder: &mut SurfaceBuilder) {
        let own_copy = self.sides.copies.all[copy];
        let groups = self.sides.copies.groups(own_copy.tet as usize);
        let own: Vec<usize> = (0..4).filter(|&i| own_copy.own[i]).collect();
        let others: Vec<usize> = (0..4).filter(|&i| !own_copy.own[i]).collect();
        let in_two = others.iter().all(|&i| groups[i] == groups[others[0]]);
        let mut corner = |i: usize, j: usize| self.corner(copy, i, j, builder);
        match (own.as_slice(), others.as_slice()) {
            (_, []) => {}
            // opposite faces are counter-clockwise from outside
            ([a], [_, _, _]) if in_two => {
                let cap = FACES[*a].map(|j| corner(*a, j));
                builder.triangles.push(cap);
            }
            ([_, _, _], [a]) => {
                let [p, q, r] = FACES[*a].map(|i| corner(i, *a));
                builder.triangles.push([p, r, q]);
            }
            ([a, b], [c, d]) if in_two => {
                let quad = [(*a, *c), (*a, *d), (*b, *d), (*b, *c)];
                let mut quad = quad.map(|(i, j)| corner(i, j));
                // pairs that are an odd permutation of the corners
                if (*a, *b) == (0, 2) || (*a, *b) == (1, 3) {
                    quad.reverse();
                }
                let [p, q, r, s] = quad;
                builder.triangles.extend([[p, q, r], [p, r, s]]);
            }
            _ => self.draw_from_middle(copy, builder),
        }
    }

    /// The cap of one of three or four parts: from each cut edge to the middles of the faces around it and to the middle of the tetrahedron.
    fn draw_from_middle(&mut self, copy: usize, builder: &mut SurfaceBuilder) {
        let own_copy = self.sides.copies.all[copy];
        let tet = own_copy.tet as usize;
        let groups = *self.sides.copies.groups(tet);
        let is_cut = |[i, j]: [usize; 2]| groups[i] != groups[j];
        let all: Vec<[usize; 2]> = EDGES.into_iter().filter(|e| is_cut(*e)).collect();
        let middle = self.add_mean(copy, &all, builder);
        for face in FACES {
            let around = [0, 1, 2].map(|k| [face[k], face[(k + 1) % 3]]);
            let cut: Vec<[usize; 2]> = around.into_iter().filter(|e| is_cut(*e)).collect();
            let mine: Vec<[usize; 2]> = cut
                .iter()
                .copied()
                .filter(|e| own_copy.own[e[0]] != own_copy.own[e[1]])
                .collect();
            if mine.is_empty() {
                continue;
            }
            let mut ends = mine.iter().map(|&[i, j]| {
                // seen from outside, the cap is to the left of an edge that leaves the part
                let (from, to, leaves) = if own_copy.own[i] {
                    (i, j, true)
                } else {
                    (j, i, false)
                };
                (self.corner(copy, from, to, builder), leaves)
            });
            let ends: Vec<(u32, bool)> = ends.by_ref().collect();
            let through = match (cut.len(), ends.as_slice()) {
                // the two cut points are joined by a straight edge
                (2, &[(p, true), (q, _)] | &[(q, _), (p, true)]) => {
                    builder.triangles.push([p, middle, q]);
                    continue;
                }
                _ => self.face_middle(copy, face, &cut, builder),
            };
            for (end, leaves) in ends {
                let triangle = match leaves {
                    true => [end, middle, through],
                    false => [end, through, middle],
                };
                builder.triangles.push(triangle);
            }
        }
    }

    fn face_middle(
        &mut self,
        copy: usize,
        face: [usize; 3],
        cut: &[[usize; 2]],
        builder: &mut SurfaceBuilder,
    ) -> u32 {
        let mut nodes = face.map(|i| self.sides.copies.all[copy].nodes[i]);
        nodes.sort_unstable();
        if let Some(&existing) = self.middles.get(&nodes) {
            return existing;
        }
        let added = self.add_mean(copy, cut, builder);
        self.middles.insert(nodes, added);
        added
    }

    /// A vertex at the mean of the points where these edges were cut.
    fn add_mean(&self, copy: usize, edges: &[[usize; 2]], builder: &mut SurfaceBuilder) -> u32 {
        let own_copy = &self.sides.copies.all[copy];
        let tet = own_copy.tet as usize;
        let mut weights = [0.0; 4];
        for &[i, j] in edges {
            let share = self
                .sides
                .edges
                .share(tet, &self.sides.mesh.tets[tet], i, j);
            weights[i] += (1.0 - share) / edges.len() as f64;
            weights[j] += share / edges.len() as f64;
        }
        let corners = self.sides.mesh.corners(tet);
        let place = corners.iter().zip(weights).map(|(x, w)| x * w).sum();
        builder.add(
            place,
            CutSurface::CAP,
            embedding_row(own_copy.nodes, weights),
        )
    }

    /// The point where the edge from the own corner `i` to corner `j` was cut.
    fn corner(&mut self, copy: usize, i: usize, j: usize, builder: &mut SurfaceBuilder) -> u32 {
        let own_copy = &self.sides.copies.all[copy];
        let ends = [own_copy.nodes[i], own_copy.nodes[j]];
        let key = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let side = self.sides.direction(copy as u32);
        if let Some(&existing) = self.corners.get(&key) {
            builder.add_side(existing, side);
            return existing;
        }
        let tet = own_copy.tet as usize;
        let whole = self.sides.mesh.tets[tet];
        let place = self.sides.cut_point(tet, i, j);
        let edge = [whole[i].min(whole[j]), whole[i].max(whole[j])];
        let on_skin = match self.sides.geometry.is_on_boundary(edge) {
            true => self.on_skin(tet, &place),
            false => None,
        };
        let row = on_skin.and_then(|place| {
            let weights = tetrahedron_weights(&place, self.sides.mesh.corners(tet))?;
            Some((place, embedding_row(own_copy.nodes, weights).collect()))
        });
        let (place, row) = row.unwrap_or_else(|| {
            let share = self.sides.edges.share(tet, &whole, i, j);
            (place, vec![(ends[0], 1.0 - share), (ends[1], share)])
        });
        let added = builder.add(place, CutSurface::CAP, row);
        builder.add_side(added, side);
        self.corners.insert(key, added);
        added
    }

    /// Where the skin meets the plane of the cut, by alternating projections; `None` where that is far, or nowhere else.
    fn on_skin(&self, tet: usize, place: &Vec3) -> Option<Vec3> {
        let plane = self.sides.plane(tet)?;
        let tree = &self.sides.geometry.skin_tree;
        let mut position = *place;
        for _ in 0..ROUNDS {
            position = plane.nearest(&tree.closest(&position)?.point);
        }
        let distance = (position - place).norm();
        (distance > 1e-9 * self.spacing && distance < MAX_SKIN_DISTANCE * self.spacing)
            .then_some(position)
    }
}
