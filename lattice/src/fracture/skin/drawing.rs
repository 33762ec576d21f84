//! From the open skin and its caps to the closed surface that is drawn.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::seam::{OpenSurface, close};
use pliant_core::mesh::surface_frame::CutSurface;

use crate::asset::LatticeAsset;
use crate::fracture::skin::centroid_cells::cell_of;
use crate::fracture::skin::closed_surface::ClosedSurface;
use crate::fracture::skin::cut_skin::CutSkin;

impl CutSkin {
    /// The closed surface of the `open` skin and the caps of all cuts.
    pub(super) fn close_with_caps(
        &mut self,
        asset: &LatticeAsset,
        open: &SurfaceMesh,
    ) -> ClosedSurface {
        let caps = self.draw_caps(asset, open.positions.len() as u32);
        let mut positions = open.positions.clone();
        positions.extend(caps.corners.iter().map(|corner| corner.rest));
        let mut inward = vec![Vec3::zeros(); open.positions.len()];
        for (cell, part, binding) in self.copies_of.values().flatten() {
            let number = self.bindings[*binding].0;
            inward[number as usize] = self.direction(asset, cell, *part);
        }
        inward.extend(caps.inward);
        let piece = |v: u32| asset.component[cell_of(asset, v)[0] as usize];
        let mut pieces: Vec<u32> = (0..asset.skin.vertex_count() as u32).map(piece).collect();
        pieces.resize(open.positions.len(), 0);
        for (v, binding) in &self.bindings {
            pieces[*v as usize] = binding.piece(asset);
        }
        pieces.extend(caps.corners.iter().map(|corner| corner.piece(asset)));
        let mut triangles = open.triangles.clone();
        let seam = close(
            OpenSurface {
                positions: &positions,
                inward: &inward,
                pieces: &pieces,
                skin: &mut triangles,
                touched: &self.changed_vertices,
                caps: caps.triangles,
            },
            asset.cell,
        );
        let skin_triangles = triangles.len();
        let mut copied = self.copied.clone();
        copied.resize(positions.len() - asset.skin.vertex_count(), CutSurface::CAP);
        let inside = open.positions.len()..positions.len();
        let with_caps = SurfaceMesh {
            positions,
            triangles,
            groups: asset.skin.groups.clone(),
        };
        ClosedSurface {
            undeformed: seam.closed_surface(with_caps, copied, inside),
            cap_corners: caps.corners,
            copies: [seam.copies, seam.sharp].concat(),
            skin_triangles,
        }
    }
}
