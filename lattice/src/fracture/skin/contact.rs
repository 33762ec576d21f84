//! What contact and probes know of a broken skin: each of its vertices once, with the part of its cell that it belongs to.
//! [`crate::fracture::touch`] says why.

use std::collections::BTreeSet;

use crate::asset::LatticeAsset;
use crate::fracture::cells::Corners;
use crate::fracture::skin::cut_skin::CutSkin;
use crate::fracture::skin::follower::{Follower, key};
use crate::fracture::skin::middle_cells::cell_of;

impl CutSkin {
    /// Has vertices of cells that parted in another way, and those in parted cells whose drawing changed, follow the parts that they are nearest to. Others go with all
    /// of their cell, wherever they are drawn: what contact knows does not depend on the order in which links broke.
    pub(super) fn follow_own_parts(
        &mut self,
        asset: &LatticeAsset,
        changed: &[Corners],
        mut vertices: BTreeSet<u32>,
    ) {
        let cells = changed
            .iter()
            .filter_map(|cell| self.vertices.get(&key(cell)));
        vertices.extend(cells.flatten());
        for v in vertices {
            let cell = cell_of(asset, v);
            if self.cells.part(&cell).is_none() {
                continue;
            }
            let place = asset.skin.positions[v as usize];
            let part = self.nearest_part(asset, &cell, &place);
            let follower = self.copy(asset, &cell, part, v);
            if self.drawn_as(v) == Some(&follower) {
                self.unmoved.remove(&v);
            } else {
                self.unmoved.insert(v, follower);
            }
        }
    }

    /// What a vertex of the skin follows where it is drawn, if it is drawn with a part of its own cell.
    fn drawn_as(&self, v: u32) -> Option<&Follower> {
        if !self.taken.contains(&v) {
            return None;
        }
        // it may have been drawn with all of the cell before that parted
        let copies = self.copies_of.get(&v)?.iter().rev();
        let mut followers = copies.map(|(_, _, at)| &self.followers[*at]);
        let own = followers.find(|(number, _)| *number == v);
        own.map(|(_, follower)| follower)
    }

    /// What a vertex that tools may touch follows, if that is not the whole of its cell: one of the skin, or a corner of a cap by a number after those of the skin.
    pub fn touchable(&self, v: u32) -> Option<&Follower> {
        let skin = self.normals.len();
        match (v as usize).checked_sub(skin) {
            None => self.unmoved.get(&v).or_else(|| self.drawn_as(v)),
            Some(k) => self.drawn()?.corners.1.get(k),
        }
    }

    /// Number of vertices that tools may touch.
    pub fn touchable_count(&self) -> usize {
        let caps = self.drawn().map_or(0, |drawn| drawn.corners.1.len());
        self.normals.len() + caps
    }
}
