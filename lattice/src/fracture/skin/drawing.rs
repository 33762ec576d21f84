//! From the skin in parts, and its caps, to the closed surface that is drawn.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::seam::{OpenSurface, close};
use pliant_core::mesh::surface_frame::CutSurface;

use crate::asset::LatticeAsset;
use crate::fracture::skin::cut_skin::CutSkin;
use crate::fracture::skin::drawn::Drawn;
use crate::fracture::skin::middle_cells::cell_of;

impl CutSkin {
    /// Draws what is known of the skin and its cuts.
    pub(super) fn draw(&mut self, asset: &LatticeAsset, open: &SurfaceMesh) -> Drawn {
        let caps = self.draw_caps(asset, open.positions.len() as u32);
        let mut positions = open.positions.clone();
        positions.extend(caps.corners.iter().map(|corner| corner.rest));
        let mut inward = vec![Vec3::zeros(); open.positions.len()];
        for (cell, part, follower) in self.copies_of.values().flatten() {
            let number = self.followers[*follower].0;
            inward[number as usize] = self.direction(asset, cell, *part);
        }
        inward.extend(caps.inward);
        let piece = |v: u32| asset.component[cell_of(asset, v)[0] as usize];
        let mut pieces: Vec<u32> = (0..asset.skin.vertex_count() as u32).map(piece).collect();
        pieces.resize(open.positions.len(), 0);
        for (v, follower) in &self.followers {
            pieces[*v as usize] = follower.piece(asset);
        }
        pieces.extend(caps.corners.iter().map(|corner| corner.piece(asset)));
        let mut triangles = open.triangles.clone();
        let seam = close(
            OpenSurface {
                places: &positions,
                inward: &inward,
                pieces: &pieces,
                skin: &mut triangles,
                touched: &self.touched,
                caps: caps.triangles,
            },
            asset.cell,
        );
        let skin_triangles = triangles.len();
        triangles.extend(seam.triangles);
        let skin = asset.skin.vertex_count();
        let mut copied = self.copied.clone();
        copied.resize(positions.len() - skin, CutSurface::CAP);
        for &v in &seam.copies {
            let shows = (v as usize).checked_sub(skin).map_or(v, |k| copied[k]);
            copied.push(shows);
        }
        copied.resize(copied.len() + seam.sharp.len(), CutSurface::CAP);
        let mut copies = seam.copies;
        copies.extend(&seam.sharp);
        for &v in &copies {
            positions.push(positions[v as usize]);
        }
        Drawn {
            surface: Arc::new(SurfaceMesh {
                positions,
                triangles,
                groups: asset.skin.groups.clone(),
            }),
            copied: Arc::new(copied),
            sharp: Arc::new(seam.sharp),
            corners: (open.positions.len(), caps.corners),
            copies,
            skin_triangles,
        }
    }
}
