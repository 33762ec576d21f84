//! The skin of a cut level: which copy each vertex hangs on, and what there is to be seen.

mod caps;
mod drawing;
mod lips;

use std::ops::Range;
use std::sync::Arc;

use pliant_core::mesh::embedding::AttachedPlace;
use pliant_core::mesh::seam::{OpenSurface, close};
use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh};

use crate::model::cutting::sides::Sides;
use caps::Caps;
use drawing::{Drawing, Hold};
use lips::Lips;

/// The skin of a cut level, with lips and caps.
#[derive(Debug, Clone)]
pub(crate) struct CutSkin {
    /// at rest; its first vertices are those of the skin
    pub surface: Arc<SurfaceMesh>,
    /// for each further vertex the vertex of the skin that it shows, or that it is one of a cap
    pub copied: Arc<Vec<u32>>,
    /// for each of the last vertices the one that it is
    pub sharp: Arc<Vec<u32>>,
    /// vertices beyond those of the skin that tools touch: lips and caps
    pub inside: Range<usize>,
    /// all of its vertices as sums of nodes
    pub rows: Arc<SkinEmbedding>,
}

/// The rows of the vertices of the skin, and the cut skin. `spacing` (m) is the mean edge of the tetrahedra. Cost: some tens of nanoseconds a triangle of the skin, some
/// microseconds for each that a cut goes through and for each tetrahedron that is parted.
pub(super) fn draw(sides: Sides<'_>, skin: &SurfaceMesh, spacing: f64) -> (SkinEmbedding, CutSkin) {
    let places = sides.geometry.skin_places.iter();
    let hold = |place: &Option<AttachedPlace>| {
        place.map(|place| Hold {
            copy: sides.copy_at(place.tet as usize, &place.weights),
            place,
        })
    };
    let holds: Vec<Option<Hold>> = places.map(hold).collect();
    let mut embedding = SkinEmbedding::default();
    for hold in &holds {
        let row = hold.iter().flat_map(|hold| hold.row(sides.copies));
        let distance = hold.map_or(f64::INFINITY, |h| h.place.distance_squared.sqrt());
        embedding.push(row, distance);
    }
    let mut drawing = Drawing {
        positions: skin.positions.clone(),
        rows: embedding.clone(),
        ..Drawing::default()
    };
    let touched = Lips::new(sides, skin, &holds, spacing).draw(&mut drawing);
    let mut lips = std::mem::take(&mut drawing.triangles);
    let mut caps = Caps::new(sides, spacing);
    for (k, copy) in sides.copies.all.iter().enumerate() {
        if sides.copies.is_parted(copy.tet as usize) {
            caps.draw(k, &mut drawing);
        }
    }
    let inward = drawing.directions();
    let pieces = drawing.pieces(sides.copies);
    let open = OpenSurface {
        places: &drawing.positions,
        inward: &inward,
        pieces: &pieces,
        skin: &mut lips,
        touched: &touched,
        caps: drawing.triangles,
    };
    let seam = close(open, spacing);
    drawing.triangles = lips;
    drawing.triangles.extend(seam.triangles);
    let inside = skin.positions.len()..drawing.positions.len();
    drawing.add_again(&seam.copies, None);
    drawing.add_again(&seam.sharp, Some(CutSurface::CAP));
    let cut = CutSkin {
        surface: Arc::new(SurfaceMesh {
            positions: drawing.positions,
            triangles: drawing.triangles,
            groups: skin.groups.clone(),
        }),
        copied: Arc::new(drawing.copied),
        sharp: Arc::new(seam.sharp),
        inside,
        rows: Arc::new(drawing.rows),
    };
    (embedding, cut)
}
