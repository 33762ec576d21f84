//! The lips of a cut: where the skin parts along a blade it ends in the plane of the blade.
//!
//! Triangles go with one side or the other as a whole, so that a vertex whose triangles go with both exists for each. All of these slide along the skin into
//! the plane in which the blade went through the cell. They are drawn there; contact and probes know the vertex of the skin where it was.

use std::collections::BTreeSet;

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use crate::asset::LatticeAsset;
use crate::fracture::cells::Corners;
use crate::fracture::skin::cut_skin::CutSkin;
use crate::fracture::skin::follower::{Follower, key, sorted, weights_at};
use crate::fracture::skin::middle_cells::cell_of;
use crate::fracture::skin::plane::Plane;

/// Farthest that a vertex slides, cells.
const FARTHEST: f64 = 2.0;
/// The part of a copy that goes with all of a cell.
const WHOLE: u8 = u8::MAX;

impl CutSkin {
    /// The plane in which blades cut the links between the parts of a cell.
    pub(super) fn find_plane(&mut self, asset: &LatticeAsset, cell: &Corners) {
        let Some(part) = self.cells.part(cell) else {
            return;
        };
        let pairs = (0..8).flat_map(|a| (0..a).map(move |b| (a, b)));
        let between = pairs.filter(|&(a, b)| part[a] != part[b]);
        let places = between.filter_map(|(a, b)| self.places.get(&sorted([cell[a], cell[b]])));
        let places: Vec<Vec3> = places.copied().collect();
        match Plane::through(&places, asset.cell) {
            Some(plane) => self.planes.insert(key(cell), plane),
            None => self.planes.remove(&key(cell)),
        };
    }

    /// Draws those of the `vertices` that exist for both sides of a blade in its plane.
    pub(super) fn draw_lips(
        &mut self,
        asset: &LatticeAsset,
        vertices: &BTreeSet<u32>,
        open: &mut SurfaceMesh,
    ) {
        for &v in vertices {
            let place = self.numbers_of(asset, v, open).and_then(|numbers| {
                let plane = self.plane_of(v)?;
                let rest = &asset.skin.positions[v as usize];
                let place = plane.slide(rest, &self.normals[v as usize], FARTHEST * asset.cell)?;
                Some((numbers, place))
            });
            let Some((numbers, place)) = place else {
                continue;
            };
            if numbers.contains(&v) && !self.taken.contains(&v) {
                self.follow_whole_cell(asset, v);
            }
            for (cell, part, at) in self.copies_of.get(&v).cloned().unwrap_or_default() {
                let number = self.followers[at].0;
                let member = |b: usize| match part {
                    WHOLE => true,
                    part => self.cells.part(&cell).is_none_or(|p| p[b] == part),
                };
                let (weights, normal) =
                    (weights_at(asset, &cell, &place), self.normals[v as usize]);
                self.followers[at].1 = Follower::new(&cell, &weights, member, place, normal);
                open.positions[number as usize] = place;
            }
        }
    }

    /// The numbers by which the triangles around a vertex of the skin know it, where there are several.
    fn numbers_of(
        &self,
        asset: &LatticeAsset,
        v: u32,
        open: &SurfaceMesh,
    ) -> Option<BTreeSet<u32>> {
        let known = |&t: &u32| {
            let (old, new) = (asset.skin.triangles[t as usize], open.triangles[t as usize]);
            let corner = old.iter().position(|&k| k == v)?;
            Some(new[corner])
        };
        let numbers: BTreeSet<u32> = self.star(v).iter().filter_map(known).collect();
        (numbers.len() > 1).then_some(numbers)
    }

    /// The plane in a cell that some copy of a vertex goes with.
    fn plane_of(&self, v: u32) -> Option<Plane> {
        let copies = self.copies_of.get(&v)?;
        let mut planes = copies.iter().map(|(cell, ..)| self.planes.get(&key(cell)));
        planes.find_map(|plane| plane.copied())
    }

    /// The vertex itself follows its cell, which is whole.
    fn follow_whole_cell(&mut self, asset: &LatticeAsset, v: u32) {
        let known = self.copies_of.entry(v).or_default();
        if known.iter().any(|(_, part, _)| *part == WHOLE) {
            return;
        }
        let cell = cell_of(asset, v);
        known.push((cell, WHOLE, self.followers.len()));
        let rest = asset.skin.positions[v as usize];
        let weights = weights_at(asset, &cell, &rest);
        let follower = Follower::new(&cell, &weights, |_| true, rest, self.normals[v as usize]);
        self.followers.push((v, follower));
    }
}
