//! The closed surface of cut or broken bodies in recordings.

use std::sync::Arc;

use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_recording::contents::{Cut, Skin, Surface};

/// The cut surface that a method had last, as recordings have it.
#[derive(Debug, Clone, Default)]
pub struct LastCut(Option<(Arc<SurfaceMesh>, Arc<Skin>)>);

impl LastCut {
    /// A frame of a world as recordings have it. Frames between which nothing is cut share the triangles of what is cut.
    pub fn surface(&mut self, frame: &SurfaceFrame) -> Surface {
        Surface {
            positions: frame.positions.clone(),
            cut: frame.cut.as_ref().map(|cut| self.cut(cut)),
        }
    }

    fn cut(&mut self, cut: &CutSurface) -> Cut {
        let last = self.0.take();
        let (surface, skin) = last
            .filter(|(surface, _)| Arc::ptr_eq(surface, &cut.surface))
            .unwrap_or_else(|| (Arc::clone(&cut.surface), Arc::new(closed(cut))));
        let positions = cut.frame.positions[..skin.rest.len()].to_vec();
        self.0 = Some((surface, Arc::clone(&skin)));
        Cut { skin, positions }
    }
}

/// The closed surface at rest.
fn closed(cut: &CutSurface) -> Skin {
    let rest = cut.surface.positions[..cut.closed_vertices()].iter();
    Skin {
        rest: rest.map(|x| x.cast::<f32>().into()).collect(),
        triangles: cut.closed_triangles().collect(),
    }
}
