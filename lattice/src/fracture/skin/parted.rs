//! The surface through which other bodies touch a broken one: the closed surface that is drawn, with each vertex as a weighted sum of particles.
//!
//! The drawn vertices turn with regions. Contact needs weighted sums of particles, so that impulses on a vertex act on particles.

use pliant_core::mesh::SkinEmbedding;
use pliant_core::model::PartedSurface;

use crate::asset::LatticeAsset;
use crate::asset::sites::Sites;
use crate::fracture::skin::cut_skin::CutSkin;

impl CutSkin {
    /// The skin of the same body before anything broke; `whole` is its lattice.
    pub fn uncut(&self, whole: &LatticeAsset) -> Option<Self> {
        Self::new(whole, &self.whole)
    }

    /// The closed surface, for the present links of `sites`; `None` while no cell is parted.
    pub fn parted_surface(&self, asset: &LatticeAsset, sites: &Sites) -> Option<PartedSurface> {
        let closed = self.closed_surface()?;
        let mut bindings = vec![None; closed.undeformed.inside.start];
        for (v, binding) in &self.bindings {
            bindings[*v as usize] = Some(binding);
        }
        bindings.extend(closed.cap_corners.iter().map(Some));
        let mut rows = SkinEmbedding::default();
        for (v, binding) in bindings.iter().enumerate() {
            if let Some(binding) = binding {
                rows.push(binding.affine_weights(asset, sites), 0.0);
            } else {
                rows.push(asset.embedding.entries(v), 0.0);
            }
        }
        let surface = closed.undeformed.closed();
        let count = surface.vertex_count();
        // sharp vertices, the last copies, are left out
        for &v in closed.copies.iter().take(count - bindings.len()) {
            rows.push_again(v as usize);
        }
        let piece = |v: usize| {
            let first = rows.row(v).0.first();
            first.map_or(0, |&p| asset.component[p as usize])
        };
        let pieces = (0..count).map(piece).collect();
        Some(PartedSurface {
            surface,
            rows,
            pieces,
        })
    }
}
