//! The skin of a cut level: the copy to which each vertex is attached, and the surface with lips and caps.

mod caps;
mod lips;
mod surface_builder;

use std::sync::Arc;

use pliant_core::mesh::embedding::AttachedPlace;
use pliant_core::mesh::seam::{OpenSurface, close};
use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh};
use pliant_core::model::PartedSurface;

use crate::model::cutting::sides::Sides;
use caps::Caps;
use lips::Lips;
use surface_builder::{Attachment, SurfaceBuilder};

/// The skin of a cut level, with lips and caps.
#[derive(Debug, Clone)]
pub(crate) struct CutSkin {
    pub undeformed: CutSurface,
    /// all of its vertices as sums of nodes
    pub rows: Arc<SkinEmbedding>,
}

impl CutSkin {
    /// The surface through which other bodies touch the cut one: the closed surface that is drawn. `pieces` has the piece of each node.
    pub fn parted_surface(&self, pieces: &[u32]) -> PartedSurface {
        let surface = self.undeformed.closed();
        let mut rows = SkinEmbedding::default();
        // sharp vertices, the last ones, are left out
        for v in 0..surface.vertex_count() {
            let (nodes, weights) = self.rows.row(v);
            rows.push(nodes.iter().copied().zip(weights.iter().copied()), 0.0);
        }
        let piece = |v: usize| {
            let first = rows.row(v).0.first();
            first.map_or(0, |&n| pieces[n as usize])
        };
        let pieces = (0..surface.vertex_count()).map(piece).collect();
        PartedSurface {
            surface,
            rows,
            pieces,
        }
    }
}

/// The rows of the vertices of the skin, and the cut skin. `pieces` has the piece of each node, and `spacing` (m) is the mean edge of the tetrahedra. Cost: some tens of nanoseconds a triangle of the skin, some
/// microseconds for each that a cut goes through and for each tetrahedron that is parted.
pub(super) fn draw(
    sides: Sides<'_>,
    skin: &SurfaceMesh,
    pieces: &[u32],
    spacing: f64,
) -> (SkinEmbedding, CutSkin) {
    let places = sides.geometry.skin_places.iter();
    let attachment = |place: &Option<AttachedPlace>| {
        place.map(|place| Attachment {
            copy: sides.copy_at(place.tet as usize, &place.weights),
            place,
        })
    };
    let attachments: Vec<Option<Attachment>> = places.map(attachment).collect();
    let mut embedding = SkinEmbedding::default();
    for attachment in &attachments {
        let row = attachment
            .iter()
            .flat_map(|attachment| attachment.row(sides.copies));
        let distance = attachment.map_or(f64::INFINITY, |h| h.place.distance_squared.sqrt());
        embedding.push(row, distance);
    }
    let mut builder = SurfaceBuilder {
        positions: skin.positions.clone(),
        rows: embedding.clone(),
        ..SurfaceBuilder::default()
    };
    let touched = Lips::new(sides, skin, &attachments, spacing).draw(&mut builder);
    let mut lips = std::mem::take(&mut builder.triangles);
    let mut caps = Caps::new(sides, spacing);
    for (k, copy) in sides.copies.all.iter().enumerate() {
        if sides.copies.is_split(copy.tet as usize) {
            caps.draw(k, &mut builder);
        }
    }
    let inward = builder.directions();
    let pieces = builder.pieces(pieces);
    let open = OpenSurface {
        positions: &builder.positions,
        inward: &inward,
        pieces: &pieces,
        skin: &mut lips,
        touched: &touched,
        caps: builder.triangles,
    };
    let seam = close(open, spacing);
    let inside = skin.positions.len()..builder.positions.len();
    for &v in seam.copies.iter().chain(&seam.sharp) {
        builder.rows.push_again(v as usize);
    }
    let open = SurfaceMesh {
        positions: builder.positions,
        triangles: lips,
        groups: skin.groups.clone(),
    };
    let cut = CutSkin {
        undeformed: seam.closed_surface(open, builder.copied, inside),
        rows: Arc::new(builder.rows),
    };
    (embedding, cut)
}
