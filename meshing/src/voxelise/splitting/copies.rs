//! From pieces of material in single cells to copies of cells that share corners only where the material continues.
//!
//! Each piece of a cell becomes a copy of the cell with eight corners of its own. Over a face between two kept cells a copy on one side is joined
//! with one on the other when the same material crosses the face, and then they share the four corners of the face. The corners that are shared
//! at a site form one particle (the virtual nodes of Molino, Bao and Fedkiw 2004, *A virtual node algorithm*).

use pliant_core::mesh::CellCopy;
use pliant_core::mesh::adjacency::sorted_set;
use pliant_core::mesh::validate::UnionFind;
use rayon::prelude::*;

use super::pieces::{OUTSIDE, Pieces, number_among};
use crate::voxelise::grid::frame::GridFrame;

/// Pairs of joined pieces on the two sides of a face, lower side first.
type Joints = Vec<(u8, u8)>;

/// The kept cells and the pieces in them.
pub(crate) struct Parts<'a> {
    frame: &'a GridFrame,
    pub(crate) kept: &'a [bool],
    pub(crate) pieces: &'a Pieces,
    /// faces except those with one piece on either side, joined: three times the lower cell plus the axis
    faces: Vec<(u64, Joints)>,
}

/// Copies of cells, and which copy each piece became.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    pub(crate) list: Vec<CellCopy>,
    /// cell and the copy of each of its pieces, by cell
    of_pieces: Vec<(u32, Vec<u8>)>,
}

impl Copies {
    /// Number of copies of a cell.
    pub(crate) fn count(&self, cell: u32) -> usize {
        let from = self.list.partition_point(|c| c.cell < cell);
        let count = self.list[from..].partition_point(|c| c.cell == cell);
        count.max(1)
    }

    /// The copy that a piece of a cell became.
    pub(crate) fn of_piece(&self, cell: u32, piece: u8) -> u8 {
        let found = self.of_pieces.binary_search_by_key(&cell, |c| c.0);
        let copies = found.ok().map(|k| &self.of_pieces[k].1);
        copies
            .and_then(|c| c.get(usize::from(piece)))
            .copied()
            .unwrap_or(0)
    }
}

/// A corner at a special site: cell, piece, corner of the cell, particle of the site, whether the site has several particles.
type Corner = (u32, u8, u8, u8, bool);

impl<'a> Parts<'a> {
    pub(crate) fn new(frame: &'a GridFrame, kept: &'a [bool], pieces: &'a Pieces) -> Self {
        let mut parts = Self {
            frame,
            kept,
            pieces,
            faces: Vec::new(),
        };
        let found: Vec<Vec<(u64, Joints)>> = pieces
            .cells
            .par_iter()
            .with_min_len(256)
            .map(|&cell| parts.special_faces(cell))
            .collect();
        parts.faces = found.into_iter().flatten().collect();
        parts.faces.sort_unstable();
        parts.faces.dedup();
        parts
    }

    /// The kept neighbour of a cell on one side (0 below, 1 above).
    fn neighbour(&self, cell: u32, axis: usize, side: usize) -> Option<u32> {
        let cell = cell as usize;
        let at = self.frame.cell_at(cell)[axis];
        let step = self.frame.strides()[axis];
        let other = match side {
            0 => (at > 0).then(|| cell - step),
            _ => (at + 1 < self.frame.dims[axis]).then(|| cell + step),
        };
        other.filter(|&other| self.kept[other]).map(|c| c as u32)
    }

    fn count(&self, cell: u32) -> u8 {
        self.pieces
            .index_of(cell)
            .map_or(1, |p| self.pieces.count[p])
    }

    /// Faces of a cell whose corners are not all shared by one piece on either side. A face between two cells with triangles is found from its lower side.
    fn special_faces(&self, cell: u32) -> Vec<(u64, Joints)> {
        let mut found = Vec::new();
        for axis in 0..3 {
            for side in 0..2 {
                let Some(other) = self.neighbour(cell, axis, side) else {
                    continue;
                };
                if side == 0 && self.pieces.index_of(other).is_some() {
                    continue;
                }
                let (low, high) = (cell.min(other), cell.max(other));
                let joints = self.find_joints(low, high, axis);
                let is_plain = self.count(low) == 1 && self.count(high) == 1 && joints == [(0, 0)];
                if !is_plain {
                    found.push((u64::from(low) * 3 + axis as u64, joints));
                }
            }
        }
        found
    }

    fn find_joints(&self, low: u32, high: u32, axis: usize) -> Joints {
        let indices = [low, high].map(|c| self.pieces.index_of(c));
        let corners = indices.map(|p| p.map_or([0; 8], |p| self.pieces.of_corner[p]));
        let mut joints = Joints::new();
        for corner in (0..8).filter(|b| b >> axis & 1 == 0) {
            let pair = (corners[0][corner | 1 << axis], corners[1][corner]);
            if pair.0 != OUTSIDE && pair.1 != OUTSIDE {
                joints.push(pair);
            }
        }
        if let [Some(a), Some(b)] = indices {
            if joints.is_empty() || self.pieces.count[a] > 1 || self.pieces.count[b] > 1 {
                self.joints_by_triangles(a, b, &mut joints);
            }
        } else if joints.is_empty() {
            // a cell without triangles lies inside; the adjacent material belongs to it
            joints.push((0, 0));
        }
        sorted_set(joints)
    }

    /// A triangle that meets both cells crosses the face between them, because two cells together are convex.
    fn joints_by_triangles(&self, a: usize, b: usize, joints: &mut Joints) {
        let (first, pieces_a) = self.pieces.triangles(a);
        let (second, pieces_b) = self.pieces.triangles(b);
        let (mut i, mut j) = (0, 0);
        while i < first.len() && j < second.len() {
            match first[i].cmp(&second[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    joints.push((pieces_a[i], pieces_b[j]));
                    i += 1;
                    j += 1;
                }
            }
        }
    }

    /// Joined pieces of a kept cell and its kept neighbour above.
    fn joints(&self, low: u32, axis: usize) -> &[(u8, u8)] {
        let key = u64::from(low) * 3 + axis as u64;
        match self.faces.binary_search_by_key(&key, |f| f.0) {
            Ok(k) => &self.faces[k].1,
            Err(_) => &[(0, 0)],
        }
    }

    /// The neighbour that a cell is joined with on one side.
    fn joined(&self, cell: u32, axis: usize, side: usize) -> Option<u32> {
        let other = self.neighbour(cell, axis, side)?;
        let joints = self.joints(cell.min(other), axis);
        (!joints.is_empty()).then_some(other)
    }

    /// Number of cells in parts that are one cell across: cells that are not joined on two opposite sides, but with another such cell. A single
    /// such cell, as at the tip of a pointed part, does not count.
    pub(crate) fn thin_cells(&self) -> usize {
        let is_isolated =
            |cell: u32, axis: usize| (0..2).all(|side| self.joined(cell, axis, side).is_none());
        let is_thin = |cell: &&u32| {
            (0..3).any(|axis| {
                is_isolated(**cell, axis)
                    && (0..3).any(|k| {
                        (0..2).any(|side| {
                            self.joined(**cell, k, side)
                                .is_some_and(|c| is_isolated(c, axis))
                        })
                    })
            })
        };
        self.pieces.cells.par_iter().filter(is_thin).count()
    }

    /// Numbers the particles of all special sites.
    pub(crate) fn copies(&self) -> Copies {
        let corners: Vec<Vec<Corner>> = self
            .special_sites()
            .par_iter()
            .map_init(UnionFind::default, |sets, &site| self.corners(site, sets))
            .collect();
        let mut corners: Vec<Corner> = corners.into_iter().flatten().collect();
        corners.par_sort_unstable();
        let mut copies = Copies::default();
        for group in corners.chunk_by(|a, b| a.0 == b.0) {
            let cell = group[0].0;
            let mut tuples = vec![[0_u8; 8]; usize::from(self.count(cell))];
            for &(_, piece, corner, particle, _) in group {
                tuples[usize::from(piece)][usize::from(corner)] = particle;
            }
            let mut distinct: Vec<[u8; 8]> = Vec::new();
            let of_pieces = tuples
                .iter()
                .map(|tuple| number_among(&mut distinct, *tuple) as u8)
                .collect();
            if group.iter().any(|c| c.4) {
                let copy = |(k, corners): (usize, &[u8; 8])| CellCopy {
                    cell,
                    copy: k as u8,
                    corners: *corners,
                };
                copies.list.extend(distinct.iter().enumerate().map(copy));
                copies.of_pieces.push((cell, of_pieces));
            }
        }
        copies
    }

    /// Sites at special faces and at cells with several pieces, and those whose kept cells are not connected over faces.
    fn special_sites(&self) -> Vec<u32> {
        let site = |cell: u32, b: usize| {
            let at = self.frame.cell_at(cell as usize);
            self.frame.site_index(at, b) as u32
        };
        let mut sites: Vec<u32> = Vec::new();
        for (key, _) in &self.faces {
            let (low, axis) = ((key / 3) as u32, (key % 3) as usize);
            let above = (0..8).filter(|b| b >> axis & 1 == 1);
            sites.extend(above.map(|b| site(low, b)));
        }
        let is_disconnected = disconnected();
        let more: Vec<Vec<u32>> = (0..self.pieces.cells.len())
            .into_par_iter()
            .with_min_len(256)
            .map(|index| {
                let cell = self.pieces.cells[index];
                let several = self.pieces.count[index] > 1;
                (0..8)
                    .map(|b| site(cell, b))
                    .filter(|&s| several || is_disconnected[self.pattern(s)])
                    .collect()
            })
            .collect();
        sites.extend(more.into_iter().flatten());
        sites.par_sort_unstable();
        sites.dedup();
        sites
    }

    /// The kept ones of the eight cells around a site; bit b is the cell at offsets (b & 1, b >> 1 & 1, b >> 2) minus one.
    fn around(&self, site: u32) -> [Option<u32>; 8] {
        let [nx, ny, nz] = self.frame.dims;
        let s = site as usize;
        let at = [
            s % (nx + 1),
            (s / (nx + 1)) % (ny + 1),
            s / ((nx + 1) * (ny + 1)),
        ];
        std::array::from_fn(|b| {
            let cell = [0, 1, 2].map(|k| (at[k] + (b >> k & 1)).wrapping_sub(1));
            let index = || self.frame.index(cell);
            let inside = cell[0] < nx && cell[1] < ny && cell[2] < nz;
            (inside && self.kept[index()]).then(|| index() as u32)
        })
    }

    fn pattern(&self, site: u32) -> usize {
        let around = self.around(site);
        (0..8)
            .filter(|&b| around[b].is_some())
            .map(|b| 1 << b)
            .sum()
    }

    fn corners(&self, site: u32, sets: &mut UnionFind) -> Vec<Corner> {
        let around = self.around(site);
        let mut slots: Vec<(u32, u8, u8)> = Vec::new();
        let mut first = [0; 8];
        for (b, cell) in around.iter().enumerate() {
            first[b] = slots.len() as u32;
            if let Some(cell) = *cell {
                // seen from the cell, the site is the opposite corner
                slots.extend((0..self.count(cell)).map(|piece| (cell, piece, 7 - b as u8)));
            }
        }
        sets.reset(slots.len());
        for axis in 0..3 {
            for b in (0..8).filter(|b| b >> axis & 1 == 0) {
                let above = b | 1 << axis;
                if let (Some(low), Some(_)) = (around[b], around[above]) {
                    for &(p, q) in self.joints(low, axis) {
                        sets.join(first[b] + u32::from(p), first[above] + u32::from(q));
                    }
                }
            }
        }
        let mut roots: Vec<u32> = Vec::new();
        let particles: Vec<u8> = (0..slots.len() as u32)
            .map(|k| number_among(&mut roots, sets.find(k)) as u8)
            .collect();
        let several = roots.len() > 1;
        slots
            .iter()
            .zip(particles)
            .map(|(&(cell, piece, corner), particle)| (cell, piece, corner, particle, several))
            .collect()
    }
}

/// For each pattern of kept cells around a site, whether they are not connected over faces.
fn disconnected() -> Vec<bool> {
    let mut sets = UnionFind::default();
    (0..256_usize)
        .map(|pattern| {
            sets.reset(8);
            for axis in 0..3_u32 {
                for b in (0..8_u32).filter(|b| b >> axis & 1 == 0) {
                    let above = b | 1 << axis;
                    if pattern >> b & 1 == 1 && pattern >> above & 1 == 1 {
                        sets.join(b, above);
                    }
                }
            }
            let sets_of = (0..8_u32).filter(|&b| pattern >> b & 1 == 1 && sets.find(b) == b);
            sets_of.count() > 1
        })
        .collect()
}
