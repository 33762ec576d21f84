//! The closed surface of cut or broken bodies in recordings.

use std::collections::HashSet;
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

/// The closed surface at rest, without double triangles.
fn closed(cut: &CutSurface) -> Skin {
    let rest = cut.surface.positions[..cut.closed_vertices()].iter();
    let triangles: Vec<[u32; 3]> = cut.closed_triangles().collect();
    Skin {
        rest: rest.map(|x| x.cast::<f32>().into()).collect(),
        triangles: without_double_triangles(&triangles),
    }
}

/// The triangles without pairs of opposite ones on the same vertices. Such a pair is a loose part without volume: a cap of one triangle that nothing else touches is closed by its own back.
fn without_double_triangles(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let all: HashSet<[u32; 3]> = triangles.iter().map(lowest_first).collect();
    let is_single = |&&[a, b, c]: &&[u32; 3]| !all.contains(&lowest_first(&[a, c, b]));
    triangles.iter().filter(is_single).copied().collect()
}

/// The same triangle, with the same side out, from its vertex with the lowest number on.
fn lowest_first(&[a, b, c]: &[u32; 3]) -> [u32; 3] {
    match a.min(b).min(c) {
        lowest if lowest == a => [a, b, c],
        lowest if lowest == b => [b, c, a],
        _ => [c, a, b],
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;
    use pliant_core::mesh::validate::topology;

    use super::*;

    #[test]
    fn a_recorded_cut_has_no_double_triangles_and_all_of_its_vertices() {
        // a tetrahedron, beside it a triangle and its back, whose last vertex has a duplicate for its normal
        let solid = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let double = [[4, 5, 7], [6, 5, 4]];
        let mut positions = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        positions.extend([2.0, 3.0, 4.0, 4.0].map(|x| Vec3::new(x, x * x, 0.0)));
        let triangles: Vec<[u32; 3]> = solid.into_iter().chain(double).collect();
        let surface = SurfaceMesh::new(positions, triangles);
        let cut = CutSurface {
            copied: Arc::new(vec![CutSurface::CAP; 4]),
            sharp: Arc::new(vec![6]),
            inside: 4..7,
            frame: SurfaceFrame::at_rest(&surface),
            surface: Arc::new(surface),
        };
        assert_eq!(topology(&cut.closed()).components, 2);
        let frame = SurfaceFrame {
            cut: Some(Box::new(cut)),
            ..SurfaceFrame::default()
        };
        let recorded = LastCut::default().surface(&frame).cut.expect("a cut");
        assert_eq!(recorded.skin.triangles, solid);
        assert_eq!(recorded.skin.rest.len(), 7);
        assert_eq!(recorded.positions.len(), 7);
    }

    #[test]
    fn triangles_that_share_less_than_three_vertices_or_face_the_same_way_stay() {
        let kept = [[0, 1, 2], [0, 2, 3], [5, 4, 3], [3, 5, 4]];
        assert_eq!(without_double_triangles(&kept), kept);
        let backs = [[2, 7, 9], [7, 9, 2], [7, 2, 9], [0, 1, 2]];
        assert_eq!(without_double_triangles(&backs), [[0, 1, 2]]);
    }
}
