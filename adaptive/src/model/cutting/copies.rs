//! Copies of tetrahedra: one for each group of corners that uncut edges connect (Molino, Bao, Fedkiw 2004).
//!
//! A copy keeps the nodes of its own corners and has virtual nodes for the others. Copies on both sides of a face are connected if a corner of the face belongs to
//! both: then all three of their nodes on the face are the same. So a virtual node is the same as the real node beyond the end of a cut.

use pliant_core::mesh::TetMesh;
use pliant_core::mesh::tet::FACES;
use pliant_core::mesh::validate::UnionFind;

use super::cut_edges::CutEdges;
use super::geometry::NONE;
use super::groups::{groups, volume_shares};
use crate::hierarchy::level::components;

/// One of the parts of a tetrahedron.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Copy {
    /// of the whole level
    pub tet: u32,
    /// which corners are its own
    pub own: [bool; 4],
    pub nodes: [u32; 4],
    /// of the volume
    pub share: f64,
}

/// All copies; a tetrahedron that is not split is its own copy.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Copies {
    /// the first copy of each tetrahedron in its order, then the others
    pub all: Vec<Copy>,
    /// group of each corner of each tetrahedron, named by its lowest corner
    groups: Vec<[u8; 4]>,
    /// copy that each corner of each tetrahedron belongs to
    copy_of_corner: Vec<[u32; 4]>,
    /// number of nodes of the whole level; virtual nodes follow
    whole: usize,
    /// for each virtual node a copy and the corner of it that it is
    virtual_nodes: Vec<(u32, u8)>,
}

impl Copies {
    /// The copies of the tetrahedra of `mesh`; `neighbours` are those behind their faces. `before` are the previous copies. Returns `None` where nothing has
    /// been split since. Cost: some nanoseconds a tetrahedron, and about a microsecond for each that is split.
    pub fn new(
        mesh: &TetMesh,
        neighbours: &[[u32; 4]],
        edges: &CutEdges,
        before: Option<&Self>,
    ) -> Option<Self> {
        let count = mesh.tets.len();
        let groups: Vec<[u8; 4]> = (0..count).map(|t| groups(edges.are_cut(t))).collect();
        let is_new = match before {
            Some(before) => before.groups != groups,
            None => groups.iter().any(|g| *g != [0; 4]),
        };
        if !is_new {
            return None;
        }
        let mut copies = Self {
            all: Vec::with_capacity(count + count / 8),
            copy_of_corner: (0..count as u32).map(|t| [t; 4]).collect(),
            groups,
            whole: mesh.nodes.len(),
            virtual_nodes: Vec::new(),
        };
        for (t, &nodes) in mesh.tets.iter().enumerate() {
            copies.all.push(Copy {
                tet: t as u32,
                own: [true; 4],
                nodes,
                share: 1.0,
            });
        }
        for (t, nodes) in mesh.tets.iter().enumerate() {
            copies.split_tet(t, nodes, edges, before);
        }
        copies.unite_nodes(mesh, neighbours);
        Some(copies)
    }

    /// Splits tetrahedron `t`.
    fn split_tet(&mut self, t: usize, nodes: &[u32; 4], edges: &CutEdges, before: Option<&Self>) {
        let group = self.groups[t];
        if group == [0; 4] {
            return;
        }
        let mut shares = volume_shares(&group, |i, j| edges.share(t, nodes, i, j));
        if let Some(before) = before {
            before.scale_shares(t, &group, &mut shares);
        }
        for g in 0..4_u8 {
            let own = group.map(|of| of == g);
            if !own.contains(&true) {
                continue;
            }
            let copy = Copy {
                tet: t as u32,
                own,
                nodes: *nodes,
                share: shares[g as usize],
            };
            // the group of corner 0 comes first
            let at = if g == 0 { t } else { self.all.len() };
            if g == 0 {
                self.all[t] = copy;
            } else {
                self.all.push(copy);
            }
            for (of, _) in self.copy_of_corner[t]
                .iter_mut()
                .zip(own)
                .filter(|(_, own)| *own)
            {
                *of = at as u32;
            }
        }
    }

    /// Scales the shares of the parts of a tetrahedron so that the parts of a copy have together the share of that copy: mass never moves from one side of a cut to the other.
    fn scale_shares(&self, t: usize, group: &[u8; 4], shares: &mut [f64; 4]) {
        for old in (0..4).filter(|&i| self.groups[t][i] as usize == i) {
            let parts =
                (old..4).filter(|&i| self.groups[t][i] as usize == old && group[i] as usize == i);
            let sum: f64 = parts.clone().map(|g| shares[g]).sum();
            let had = self.all[self.copy_of_corner[t][old] as usize].share;
            for g in parts {
                shares[g] *= had / sum;
            }
        }
    }

    /// Shares of the copies of split tetrahedra, in their order.
    pub fn shares(&self) -> impl Iterator<Item = f64> + '_ {
        let all = self.all.iter();
        all.filter(|copy| self.is_split(copy.tet as usize))
            .map(|copy| copy.share)
    }

    /// Sets the shares of these copies; false where their number is wrong, or where they cannot be shares.
    pub fn set_shares(&mut self, shares: &[f64]) -> bool {
        if shares.len() != self.shares().count() || !shares.iter().all(|s| *s > 0.0 && *s <= 1.0) {
            return false;
        }
        let mut shares = shares.iter();
        for copy in &mut self.all {
            if self.groups[copy.tet as usize] != [0; 4]
                && let Some(share) = shares.next()
            {
                copy.share = *share;
            }
        }
        true
    }

    /// Finds the virtual nodes: sets of corners of copies, united across faces.
    fn unite_nodes(&mut self, mesh: &TetMesh, neighbours: &[[u32; 4]]) {
        // nodes first, so that a set with a node of the whole level is that node
        let mut slots = Vec::new();
        let mut slot = |k: usize, copy: &Copy, i: usize| {
            if copy.own[i] {
                return copy.nodes[i];
            }
            slots.push((k as u32, i as u8));
            (self.whole + slots.len() - 1) as u32
        };
        let all = self.all.iter().enumerate();
        let slot_of: Vec<[u32; 4]> = all
            .map(|(k, copy)| [0, 1, 2, 3].map(|i| slot(k, copy, i)))
            .collect();
        let mut sets = UnionFind::new(self.whole + slots.len());
        for (t, behind) in neighbours.iter().enumerate() {
            for (face, &other) in FACES.iter().zip(behind) {
                let either = |t: usize| self.groups[t] != [0; 4];
                if other == NONE || other as usize <= t || !(either(t) || either(other as usize)) {
                    continue;
                }
                let corners = face.map(|i| {
                    let node = mesh.tets[t][i];
                    let there = mesh.tets[other as usize].iter().position(|n| *n == node);
                    (i, there.unwrap_or(i))
                });
                for (i, j) in corners {
                    // this corner belongs to both
                    let (a, b) = (
                        self.copy_of_corner[t][i],
                        self.copy_of_corner[other as usize][j],
                    );
                    for (i, j) in corners {
                        sets.join(slot_of[a as usize][i], slot_of[b as usize][j]);
                    }
                }
            }
        }
        let mut number = vec![u32::MAX; slots.len()];
        for (s, &(copy, corner)) in slots.iter().enumerate() {
            let root = sets.find((self.whole + s) as u32) as usize;
            let node = match root.checked_sub(self.whole) {
                None => root as u32,
                Some(first) => {
                    if number[first] == u32::MAX {
                        number[first] = (self.whole + self.virtual_nodes.len()) as u32;
                        self.virtual_nodes.push((copy, corner));
                    }
                    number[first]
                }
            };
            self.all[copy as usize].nodes[corner as usize] = node;
        }
    }

    /// Whether a tetrahedron is split.
    pub fn is_split(&self, tet: usize) -> bool {
        self.groups[tet] != [0; 4]
    }

    /// Group of each corner of a tetrahedron.
    pub fn groups(&self, tet: usize) -> &[u8; 4] {
        &self.groups[tet]
    }

    /// The copy that corner `i` of a tetrahedron belongs to.
    pub fn copy_of_corner(&self, tet: usize, i: usize) -> u32 {
        self.copy_of_corner[tet][i]
    }

    /// The connected piece of each node, and the number of pieces. Cost: some nanoseconds a copy.
    pub fn pieces(&self) -> (Vec<u32>, usize) {
        components(self.node_count(), self.all.iter().map(|copy| &copy.nodes))
    }

    /// Number of nodes with the virtual ones.
    pub fn node_count(&self) -> usize {
        self.whole + self.virtual_nodes.len()
    }

    /// The node of the whole level that each virtual node is a copy of.
    pub fn originals<'a>(&'a self, mesh: &'a TetMesh) -> impl Iterator<Item = u32> + 'a {
        let of = |&(copy, corner): &(u32, u8)| {
            mesh.tets[self.all[copy as usize].tet as usize][corner as usize]
        };
        self.virtual_nodes.iter().map(of)
    }

    /// The copy of `before` out of which each copy was cut; without any before, its tetrahedron.
    pub fn origins(&self, before: Option<&Self>) -> Vec<u32> {
        let origin = |copy: &Copy| before.map_or(copy.tet, |before| before.origin_of(copy));
        self.all.iter().map(origin).collect()
    }

    /// The one of these copies out of which a later one was cut.
    fn origin_of(&self, later: &Copy) -> u32 {
        let own = later.own.iter().position(|own| *own).unwrap_or(0);
        self.copy_of_corner(later.tet as usize, own)
    }

    /// The node of `before` that each virtual node is a copy of: that of the copy out of which its own was cut.
    pub fn sources<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = u32> + 'a {
        self.virtual_nodes.iter().map(move |&(copy, corner)| {
            let old = before.origin_of(&self.all[copy as usize]);
            before.all[old as usize].nodes[corner as usize]
        })
    }
}
