//! The part of a surface that cuts have changed: opposite half-edges, and the fans of vertices.

use std::collections::{BTreeMap, BTreeSet};

use super::open_surface::{OpenSurface, Seam};
use crate::math::Vec3;
use crate::mesh::Csr;
use crate::mesh::validate::UnionFind;

/// Marks a number that is not yet known.
const UNKNOWN: u32 = u32::MAX;

/// The origin of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Its number in the skin.
    Skin(u32),
    Cap,
}

/// The other side of a half-edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opposite {
    /// A half-edge of the patch.
    HalfEdge(u32),
    /// The skin outside the patch.
    UnchangedSkin,
    /// None: the half-edge is on the boundary.
    Boundary,
}

/// A half-edge in the order of its edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HalfEdge {
    pub lower: u32,
    pub upper: u32,
    /// whether it goes from `lower` to `upper`
    pub ascends: bool,
    pub number: u32,
}

/// Caps, and triangles of the skin around touched vertices. Half-edge `3 t + s` goes from corner `s` of triangle `t` to the next one.
#[derive(Debug)]
pub(super) struct Patch<'a> {
    positions: &'a [Vec3],
    inward: &'a [Vec3],
    pieces: &'a [u32],
    touched: &'a [bool],
    pub triangles: Vec<[u32; 3]>,
    origins: Vec<Origin>,
    /// original of each vertex after those of `positions`
    copies: Vec<u32>,
    /// of each half-edge
    pub opposite: Vec<Opposite>,
    /// positions at which vertices of boundaries are compared, m
    pub offset_positions: BTreeMap<u32, Vec3>,
}

impl<'a> Patch<'a> {
    pub fn new(open: &OpenSurface<'a>) -> Self {
        let mut patch = Self {
            positions: open.positions,
            inward: open.inward,
            pieces: open.pieces,
            touched: open.touched,
            triangles: Vec::new(),
            origins: Vec::new(),
            copies: Vec::new(),
            opposite: Vec::new(),
            offset_positions: BTreeMap::new(),
        };
        for (k, triangle) in open.skin.iter().enumerate() {
            if triangle.iter().any(|v| patch.is_touched(*v)) {
                patch.triangles.push(*triangle);
                patch.origins.push(Origin::Skin(k as u32));
            }
        }
        for cap in &open.caps {
            patch.add(*cap);
        }
        patch
    }

    /// Adds a triangle of a cap or seam.
    pub fn add(&mut self, triangle: [u32; 3]) {
        self.triangles.push(triangle);
        self.origins.push(Origin::Cap);
    }

    /// Adds a copy of a vertex and returns its number.
    pub fn copy(&mut self, v: u32) -> u32 {
        self.copies.push(self.original(v));
        let added = self.vertex_count() as u32 - 1;
        if let Some(position) = self.offset_positions.get(&v) {
            self.offset_positions.insert(added, *position);
        }
        added
    }

    fn vertex_count(&self) -> usize {
        self.positions.len() + self.copies.len()
    }

    fn original(&self, v: u32) -> u32 {
        match (v as usize).checked_sub(self.positions.len()) {
            Some(k) => self.copies[k],
            None => v,
        }
    }

    /// Position of a vertex at rest, m.
    pub fn position(&self, v: u32) -> Vec3 {
        self.positions[self.original(v) as usize]
    }

    /// Unit vector into the side of the body that a vertex belongs to, if the method gives one.
    pub fn inward(&self, v: u32) -> Option<Vec3> {
        let direction = self.inward.get(self.original(v) as usize)?;
        direction.try_normalize(0.0)
    }

    /// Whether two vertices go with the same piece of the body.
    pub fn are_one_piece(&self, a: u32, b: u32) -> bool {
        let piece = |v: u32| self.pieces.get(self.original(v) as usize);
        piece(a) == piece(b)
    }

    pub fn is_touched(&self, v: u32) -> bool {
        self.touched.get(v as usize).is_none_or(|touched| *touched)
    }

    pub fn is_skin(&self, half_edge: u32) -> bool {
        matches!(self.origins[half_edge as usize / 3], Origin::Skin(_))
    }

    /// Vertices of the skin.
    pub fn skin_vertices(&self) -> BTreeSet<u32> {
        let all = self.triangles.iter().zip(&self.origins);
        let skin = all.filter(|(_, origin)| **origin != Origin::Cap);
        skin.flat_map(|(triangle, _)| *triangle).collect()
    }

    /// Ends of a half-edge.
    pub fn ends(&self, half_edge: u32) -> [u32; 2] {
        let (t, s) = (half_edge as usize / 3, half_edge as usize % 3);
        [self.triangles[t][s], self.triangles[t][(s + 1) % 3]]
    }

    /// Half-edges sorted by edge. Those between untouched vertices are left out.
    pub fn sorted_half_edges(&self) -> Vec<HalfEdge> {
        let all = (0..3 * self.triangles.len() as u32).map(|number| (self.ends(number), number));
        let touched = all.filter(|([a, b], _)| self.is_touched(*a) || self.is_touched(*b));
        let by_lower = touched.map(|([a, b], number)| (a.min(b), number));
        // rows are short, so that sorting them is cheaper than sorting everything
        let rows = Csr::from_pairs(self.vertex_count(), by_lower);
        let mut all = Vec::with_capacity(3 * self.triangles.len());
        for lower in 0..self.vertex_count() {
            let from = all.len();
            all.extend(rows.row(lower).iter().map(|&number| {
                let [a, b] = self.ends(number);
                HalfEdge {
                    lower: a.min(b),
                    upper: a.max(b),
                    ascends: a < b,
                    number,
                }
            }));
            all[from..].sort_unstable();
        }
        all
    }

    /// Pairs half-edges, and gives each touched vertex with several fans a copy for each fan but the first.
    pub fn split_fans(&mut self) {
        self.pair_half_edges();
        let mut corners = UnionFind::new(3 * self.triangles.len());
        let next = |k: u32| k - k % 3 + (k % 3 + 1) % 3;
        for (half_edge, opposite) in (0..).zip(&self.opposite) {
            if let Opposite::HalfEdge(other) = *opposite {
                corners.join(half_edge, next(other));
                corners.join(next(half_edge), other);
            }
        }
        let mut first_fan = vec![UNKNOWN; self.vertex_count()];
        let mut copy_of_fan = vec![UNKNOWN; 3 * self.triangles.len()];
        for corner in 0..3 * self.triangles.len() {
            let v = self.triangles[corner / 3][corner % 3];
            if !self.is_touched(v) {
                continue;
            }
            let fan = corners.find(corner as u32);
            let first = &mut first_fan[v as usize];
            if *first == UNKNOWN || *first == fan {
                *first = fan;
                continue;
            }
            if copy_of_fan[fan as usize] == UNKNOWN {
                copy_of_fan[fan as usize] = self.copy(v);
            }
            self.triangles[corner / 3][corner % 3] = copy_of_fan[fan as usize];
        }
    }

    /// Pairs the half-edges of each edge that go in opposite directions.
    fn pair_half_edges(&mut self) {
        let all = self.sorted_half_edges();
        self.opposite.clear();
        self.opposite
            .resize(3 * self.triangles.len(), Opposite::UnchangedSkin);
        for edge in all.chunk_by(|a, b| (a.lower, a.upper) == (b.lower, b.upper)) {
            let count = edge.partition_point(|half_edge| !half_edge.ascends);
            let (descending, ascending) = edge.split_at(count);
            for half_edge in edge {
                self.opposite[half_edge.number as usize] = Opposite::Boundary;
            }
            for (a, b) in descending.iter().zip(ascending) {
                self.opposite[a.number as usize] = Opposite::HalfEdge(b.number);
                self.opposite[b.number as usize] = Opposite::HalfEdge(a.number);
            }
        }
    }

    /// Writes the triangles of the skin back. Gives the other triangles sharp vertices where they meet the skin.
    pub fn finish(mut self, skin: &mut [[u32; 3]]) -> Seam {
        let first = self.vertex_count();
        let mut is_skin = vec![false; first];
        is_skin[..self.touched.len()].fill(true);
        for (triangle, origin) in self.triangles.iter().zip(&self.origins) {
            if let Origin::Skin(k) = origin {
                skin[*k as usize] = *triangle;
                for v in triangle {
                    is_skin[*v as usize] = true;
                }
            }
        }
        let mut sharp = Vec::new();
        let mut sharp_of = vec![UNKNOWN; first];
        let mut triangles = Vec::new();
        for (triangle, origin) in self.triangles.iter_mut().zip(&self.origins) {
            if *origin != Origin::Cap {
                continue;
            }
            for v in triangle.iter_mut().filter(|v| is_skin[**v as usize]) {
                let number = &mut sharp_of[*v as usize];
                if *number == UNKNOWN {
                    *number = (first + sharp.len()) as u32;
                    sharp.push(*v);
                }
                *v = *number;
            }
            triangles.push(*triangle);
        }
        Seam {
            copies: self.copies,
            sharp,
            triangles,
        }
    }
}
