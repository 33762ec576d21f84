//! The surface by which other bodies touch a broken one: the closed surface that is drawn, with the particles behind each of its vertices.
//!
//! What is drawn turns with regions. Contact needs sums over particles, through which impulses act on them, too.

use pliant_core::mesh::seam::joined;
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh};
use pliant_core::model::PartedSurface;

use crate::asset::LatticeAsset;
use crate::asset::sites::Sites;
use crate::fracture::skin::cut_skin::CutSkin;

impl CutSkin {
    /// The skin of the same body before anything broke; `whole` is its lattice.
    pub fn mended(&self, whole: &LatticeAsset) -> Option<Self> {
        Self::new(whole, &self.whole)
    }

    /// The closed surface, where links are `now`; `None` while no cell is parted.
    pub fn in_parts(&self, asset: &LatticeAsset, now: &Sites) -> Option<PartedSurface> {
        let drawn = self.drawn()?;
        let (first, caps) = &drawn.corners;
        let mut followers = vec![None; *first];
        for (v, follower) in &self.followers {
            followers[*v as usize] = Some(follower);
        }
        followers.extend(caps.iter().map(Some));
        let mut rows = SkinEmbedding::default();
        for (v, follower) in followers.iter().enumerate() {
            if let Some(follower) = follower {
                rows.push(follower.carried_row(asset, now), 0.0);
            } else {
                let (nodes, weights) = asset.embedding.row(v);
                rows.push(nodes.iter().copied().zip(weights.iter().copied()), 0.0);
            }
        }
        let drawn_surface = &drawn.surface;
        let count = drawn_surface.vertex_count() - drawn.sharp.len();
        // copies of these; sharp vertices, the last copies, are none of their own
        for &v in drawn.copies.iter().take(count - followers.len()) {
            rows.push_again(v as usize);
        }
        let piece = |v: usize| {
            let first = rows.row(v).0.first();
            first.map_or(0, |&p| asset.component[p as usize])
        };
        let pieces = (0..count).map(piece).collect();
        let triangles = joined(
            &drawn_surface.triangles,
            drawn_surface.vertex_count(),
            &drawn.sharp,
        );
        let places = drawn_surface.positions[..count].to_vec();
        Some(PartedSurface {
            surface: SurfaceMesh::new(places, triangles.collect()),
            rows,
            pieces,
        })
    }
}
