//! The vertices of a broken skin for contact and probes: each vertex once, bound to the part of its cell that it belongs to.
//! [`crate::fracture::contact_vertices`] says why.

use std::collections::BTreeSet;

use crate::asset::LatticeAsset;
use crate::fracture::cells::Corners;
use crate::fracture::skin::centroid_cells::cell_of;
use crate::fracture::skin::cut_skin::CutSkin;
use crate::fracture::skin::vertex_binding::{VertexBinding, cell_key};

impl CutSkin {
    /// Binds the vertices of `changed` cells, and those of `vertices` that are in parted cells, to the parts nearest to them. All others stay bound to their whole
    /// cell, wherever they are drawn, so that contact does not depend on the order in which links broke.
    pub(super) fn update_contact_bindings(
        &mut self,
        asset: &LatticeAsset,
        changed: &[Corners],
        mut vertices: BTreeSet<u32>,
    ) {
        let cells = changed
            .iter()
            .filter_map(|cell| self.vertices.get(&cell_key(cell)));
        vertices.extend(cells.flatten());
        for v in vertices {
            let cell = cell_of(asset, v);
            if self.cells.part(&cell).is_none() {
                continue;
            }
            let place = asset.skin.positions[v as usize];
            let part = self.nearest_part(asset, &cell, &place);
            let binding = self.bind_to_part(asset, &cell, part, v);
            if self.drawn_binding(v) == Some(&binding) {
                self.contact_bindings.remove(&v);
            } else {
                self.contact_bindings.insert(v, binding);
            }
        }
    }

    /// The binding with which a vertex of the skin is drawn, if that is to a part of its own cell.
    fn drawn_binding(&self, v: u32) -> Option<&VertexBinding> {
        if !self.taken_numbers.contains(&v) {
            return None;
        }
        // an older binding may be to the whole cell
        let copies = self.copies_of.get(&v)?.iter().rev();
        let mut bindings = copies.map(|(_, _, at)| &self.bindings[*at]);
        let own = bindings.find(|(number, _)| *number == v);
        own.map(|(_, binding)| binding)
    }

    /// The binding of a contact vertex, if it does not follow its whole cell: a vertex of the skin, or a corner of a cap, whose numbers follow those of the skin.
    pub fn contact_binding(&self, v: u32) -> Option<&VertexBinding> {
        let skin = self.normals.len();
        match (v as usize).checked_sub(skin) {
            None => self
                .contact_bindings
                .get(&v)
                .or_else(|| self.drawn_binding(v)),
            Some(k) => self.closed_surface()?.cap_corners.get(k),
        }
    }

    /// Number of contact vertices.
    pub fn contact_vertex_count(&self) -> usize {
        let caps = self
            .closed_surface()
            .map_or(0, |closed| closed.cap_corners.len());
        self.normals.len() + caps
    }
}
