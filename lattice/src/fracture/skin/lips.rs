//! The lips of a cut: along a blade the cut skin ends in the plane of the blade.
//!
//! Each triangle belongs to one side as a whole, so that a vertex with triangles on both sides has a copy for each. All copies slide along the skin into
//! the plane in which the blade cut the cell. They are drawn there. Contact and probes keep the original position of the vertex.

use std::collections::BTreeSet;

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use crate::asset::LatticeAsset;
use crate::fracture::cells::Corners;
use crate::fracture::skin::centroid_cells::cell_of;
use crate::fracture::skin::cut_skin::{CutSkin, WHOLE_CELL};
use crate::fracture::skin::plane::Plane;
use crate::fracture::skin::vertex_binding::{cell_key, sorted_ends};

/// Largest distance that a vertex slides, cells.
const MAX_SLIDE: f64 = 2.0;

impl CutSkin {
    /// The plane in which blades cut the links between the parts of a cell.
    pub(super) fn find_plane(&mut self, asset: &LatticeAsset, cell: &Corners) {
        let Some(part) = self.cells.part(cell) else {
            return;
        };
        let pairs = (0..8).flat_map(|a| (0..a).map(move |b| (a, b)));
        let between = pairs.filter(|&(a, b)| part[a] != part[b]);
        let cut_points =
            between.filter_map(|(a, b)| self.cut_points.get(&sorted_ends([cell[a], cell[b]])));
        let cut_points: Vec<Vec3> = cut_points.copied().collect();
        match Plane::fit(&cut_points, asset.cell) {
            Some(plane) => self.planes.insert(cell_key(cell), plane),
            None => self.planes.remove(&cell_key(cell)),
        };
    }

    /// Moves those of the `vertices` that have copies on both sides of a blade into its plane.
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
                let place = plane.slide(rest, &self.normals[v as usize], MAX_SLIDE * asset.cell)?;
                Some((numbers, place))
            });
            let Some((numbers, place)) = place else {
                continue;
            };
            if numbers.contains(&v) && !self.taken_numbers.contains(&v) {
                self.bind_to_whole_cell(asset, v);
            }
            for (cell, part, at) in self.copies_of.get(&v).cloned().unwrap_or_default() {
                let binding = self.bind(asset, (&cell, part), place, self.normals[v as usize]);
                self.bindings[at].1 = binding;
                open.positions[self.bindings[at].0 as usize] = place;
            }
        }
    }

    /// The numbers of a vertex of the skin in the triangles around it, if there are several.
    fn numbers_of(
        &self,
        asset: &LatticeAsset,
        v: u32,
        open: &SurfaceMesh,
    ) -> Option<BTreeSet<u32>> {
        let number_in = |&t: &u32| {
            let (old, new) = (asset.skin.triangles[t as usize], open.triangles[t as usize]);
            let corner = old.iter().position(|&k| k == v)?;
            Some(new[corner])
        };
        let numbers: BTreeSet<u32> = self.star(v).iter().filter_map(number_in).collect();
        (numbers.len() > 1).then_some(numbers)
    }

    /// The plane of a cell to which a copy of a vertex is bound.
    fn plane_of(&self, v: u32) -> Option<Plane> {
        let copies = self.copies_of.get(&v)?;
        let mut planes = copies
            .iter()
            .map(|(cell, ..)| self.planes.get(&cell_key(cell)));
        planes.find_map(|plane| plane.copied())
    }

    /// Binds the vertex itself to its cell, which is whole.
    fn bind_to_whole_cell(&mut self, asset: &LatticeAsset, v: u32) {
        let copies = self.copies_of.entry(v).or_default();
        if copies.iter().any(|(_, part, _)| *part == WHOLE_CELL) {
            return;
        }
        let cell = cell_of(asset, v);
        copies.push((cell, WHOLE_CELL, self.bindings.len()));
        let binding = self.bind_to_part(asset, &cell, WHOLE_CELL, v);
        self.bindings.push((v, binding));
    }
}
