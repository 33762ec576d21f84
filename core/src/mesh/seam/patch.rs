//! The part of a surface that cuts have changed: which of its edges are closed, and which fans a vertex has.

use std::collections::{BTreeMap, BTreeSet};

use super::open_surface::{OpenSurface, Seam};
use crate::math::Vec3;
use crate::mesh::Csr;
use crate::mesh::validate::UnionFind;

/// Stands for no number yet.
const NONE: u32 = u32::MAX;

/// Where a triangle comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Its number in the skin.
    Skin(u32),
    Cap,
}

/// What is on the other side of a half-edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beyond {
    /// A half-edge of the patch.
    Half(u32),
    /// The skin that has not changed.
    Rest,
    Nothing,
}

/// Triangles around touched vertices. Half-edge `3 t + s` goes from corner `s` of triangle `t` to the next one.
#[derive(Debug)]
pub(super) struct Patch<'a> {
    places: &'a [Vec3],
    inward: &'a [Vec3],
    pieces: &'a [u32],
    touched: &'a [bool],
    pub triangles: Vec<[u32; 3]>,
    origins: Vec<Origin>,
    /// originals of vertices beyond `places`
    copies: Vec<u32>,
    pub beyond: Vec<Beyond>,
    /// where vertices of boundaries are compared, m
    pub compared: BTreeMap<u32, Vec3>,
}

impl<'a> Patch<'a> {
    pub fn new(open: &OpenSurface<'a>) -> Self {
        let mut patch = Self {
            places: open.places,
            inward: open.inward,
            pieces: open.pieces,
            touched: open.touched,
            triangles: Vec::new(),
            origins: Vec::new(),
            copies: Vec::new(),
            beyond: Vec::new(),
            compared: BTreeMap::new(),
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

    /// Adds a triangle that is no skin.
    pub fn add(&mut self, triangle: [u32; 3]) {
        self.triangles.push(triangle);
        self.origins.push(Origin::Cap);
    }

    /// Adds a copy of a vertex.
    pub fn copy(&mut self, v: u32) -> u32 {
        self.copies.push(self.original(v));
        let added = self.vertex_count() as u32 - 1;
        if let Some(compared) = self.compared.get(&v) {
            self.compared.insert(added, *compared);
        }
        added
    }

    fn vertex_count(&self) -> usize {
        self.places.len() + self.copies.len()
    }

    fn original(&self, v: u32) -> u32 {
        match (v as usize).checked_sub(self.places.len()) {
            Some(k) => self.copies[k],
            None => v,
        }
    }

    /// Where a vertex is at rest, m.
    pub fn place(&self, v: u32) -> Vec3 {
        self.places[self.original(v) as usize]
    }

    /// Into the side of the body that a vertex belongs to.
    pub fn inward(&self, v: u32) -> Option<Vec3> {
        let known = self.inward.get(self.original(v) as usize)?;
        known.try_normalize(0.0)
    }

    /// Whether two vertices go with the same piece of the body.
    pub fn are_one_piece(&self, a: u32, b: u32) -> bool {
        let piece = |v: u32| self.pieces.get(self.original(v) as usize);
        piece(a) == piece(b)
    }

    pub fn is_touched(&self, v: u32) -> bool {
        self.touched.get(v as usize).is_none_or(|touched| *touched)
    }

    pub fn is_skin(&self, half: u32) -> bool {
        matches!(self.origins[half as usize / 3], Origin::Skin(_))
    }

    /// Vertices of the skin.
    pub fn skin_vertices(&self) -> BTreeSet<u32> {
        let all = self.triangles.iter().zip(&self.origins);
        let skin = all.filter(|(_, origin)| **origin != Origin::Cap);
        skin.flat_map(|(triangle, _)| *triangle).collect()
    }

    /// Ends of a half-edge.
    pub fn ends(&self, half: u32) -> [u32; 2] {
        let (t, s) = (half as usize / 3, half as usize % 3);
        [self.triangles[t][s], self.triangles[t][(s + 1) % 3]]
    }

    /// Half-edges by their edge: lower end, upper end, whether they go up. Those between untouched vertices are left out.
    pub fn by_edge(&self) -> Vec<(u32, u32, bool, u32)> {
        let halves = (0..3 * self.triangles.len() as u32).map(|half| (self.ends(half), half));
        let touched = halves.filter(|([a, b], _)| self.is_touched(*a) || self.is_touched(*b));
        let by_lower = touched.map(|([a, b], half)| (a.min(b), half));
        // rows are short, so that sorting them is cheaper than sorting everything
        let rows = Csr::from_pairs(self.vertex_count(), by_lower);
        let mut all = Vec::with_capacity(3 * self.triangles.len());
        for lower in 0..self.vertex_count() {
            let from = all.len();
            all.extend(rows.row(lower).iter().map(|&half| {
                let [a, b] = self.ends(half);
                (a.min(b), a.max(b), a < b, half)
            }));
            all[from..].sort_unstable();
        }
        all
    }

    /// Finds what is on the other side of each half-edge, and gives each touched vertex with several fans a copy for each further one.
    pub fn part_fans(&mut self) {
        self.find_pairs();
        let mut corners = UnionFind::new(3 * self.triangles.len());
        let next = |half: u32| half - half % 3 + (half % 3 + 1) % 3;
        for (half, beyond) in (0..).zip(&self.beyond) {
            if let Beyond::Half(other) = *beyond {
                corners.join(half, next(other));
                corners.join(next(half), other);
            }
        }
        let mut first = vec![NONE; self.vertex_count()];
        let mut others = vec![NONE; 3 * self.triangles.len()];
        for corner in 0..3 * self.triangles.len() {
            let v = self.triangles[corner / 3][corner % 3];
            if !self.is_touched(v) {
                continue;
            }
            let fan = corners.find(corner as u32);
            let first = &mut first[v as usize];
            if *first == NONE || *first == fan {
                *first = fan;
                continue;
            }
            if others[fan as usize] == NONE {
                others[fan as usize] = self.copy(v);
            }
            self.triangles[corner / 3][corner % 3] = others[fan as usize];
        }
    }

    fn find_pairs(&mut self) {
        let all = self.by_edge();
        self.beyond.clear();
        self.beyond.resize(3 * self.triangles.len(), Beyond::Rest);
        for edge in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let count = edge.partition_point(|half| !half.2);
            let (down, up) = edge.split_at(count);
            for half in edge {
                self.beyond[half.3 as usize] = Beyond::Nothing;
            }
            for (a, b) in down.iter().zip(up) {
                self.beyond[a.3 as usize] = Beyond::Half(b.3);
                self.beyond[b.3 as usize] = Beyond::Half(a.3);
            }
        }
    }

    /// Puts the triangles of the skin back, and gives the others vertices of their own where they meet the skin.
    pub fn finish(mut self, skin: &mut [[u32; 3]]) -> Seam {
        let first = self.vertex_count();
        let mut of_skin = vec![false; first];
        of_skin[..self.touched.len()].fill(true);
        for (triangle, origin) in self.triangles.iter().zip(&self.origins) {
            if let Origin::Skin(k) = origin {
                skin[*k as usize] = *triangle;
                for v in triangle {
                    of_skin[*v as usize] = true;
                }
            }
        }
        let mut sharp = Vec::new();
        let mut number = vec![NONE; first];
        let mut triangles = Vec::new();
        for (triangle, origin) in self.triangles.iter_mut().zip(&self.origins) {
            if *origin != Origin::Cap {
                continue;
            }
            for v in triangle.iter_mut().filter(|v| of_skin[**v as usize]) {
                let number = &mut number[*v as usize];
                if *number == NONE {
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
