//! The volume that a skin encloses.

use pliant_core::math::Vec3;
use pliant_core::mesh::surface::volume_within;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};

/// The volume that a skin encloses, of all bodies together.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct EnclosedVolume {
    /// a point near all vertices, against cancellation, m
    origin: Vec3,
    /// m³
    at_rest: f64,
}

impl EnclosedVolume {
    /// That of a skin at rest.
    pub fn of(skin: &SurfaceMesh) -> Self {
        Self {
            origin: skin.bounds().center(),
            at_rest: skin.volume(),
        }
    }

    /// How much the volume within `skin` has grown (negative: shrunk), over that at rest; `None` for a skin that encloses nothing. Of a body that is cut it is
    /// what the closed surface encloses, over the same at rest: the triangles of the skin lead over the cuts.
    pub fn change(&self, skin: &SurfaceMesh, frame: &SurfaceFrame) -> Option<f64> {
        let (now, at_rest) = match &frame.cut {
            None => {
                let now = volume_within(&skin.triangles, self.origin, |v| frame.position(v));
                (now, self.at_rest)
            }
            Some(cut) => {
                let triangles = &cut.surface.triangles;
                let now = volume_within(triangles, self.origin, |v| cut.frame.position(v));
                let rest = |v: usize| cut.surface.positions[v];
                (now, volume_within(triangles, self.origin, rest))
            }
        };
        (at_rest != 0.0).then(|| now / at_rest - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_core::mesh::surface_frame::CutSurface;

    use super::*;

    #[test]
    fn stretching_a_box_by_a_tenth_and_moving_it_far_changes_its_volume_by_a_tenth() {
        let skin = box_surface(Vec3::new(0.2, 0.3, 0.1), [2, 3, 1], CellStyle::Kuhn);
        let volume = EnclosedVolume::of(&skin);
        let mut frame = SurfaceFrame::default();
        let mut change = |stretch: f64, away: f64| {
            frame.set(&skin, |v| {
                let p = skin.positions[v];
                Vec3::new(p.x * stretch + away, p.y, p.z)
            });
            volume.change(&skin, &frame).expect("a volume")
        };
        assert!(change(1.0, 0.0).abs() < 1e-6);
        assert!((change(1.1, 0.0) - 0.1).abs() < 1e-6);
        assert!((change(0.9, 5.0) + 0.1).abs() < 1e-5);
    }

    #[test]
    fn pieces_of_a_cut_body_that_part_keep_their_volume() {
        let half = box_surface(Vec3::repeat(0.2), [2, 2, 2], CellStyle::Kuhn);
        let apart = |distance: f64| -> SurfaceMesh {
            let side = Vec3::x() * (0.1 + 0.5 * distance);
            let halves = [side, -side].map(|at| half.positions.iter().map(move |p| p + at));
            let positions = halves.into_iter().flatten().collect();
            let count = half.vertex_count() as u32;
            let copy = |by: u32| half.triangles.iter().map(move |t| t.map(|v| v + by));
            SurfaceMesh::new(positions, copy(0).chain(copy(count)).collect())
        };
        let (surface, parted) = (Arc::new(apart(0.0)), apart(0.3));
        // its skin leads from one half to the other
        let skin = box_surface(Vec3::new(0.4, 0.2, 0.2), [4, 2, 2], CellStyle::Kuhn);
        let mut frame = SurfaceFrame::at_rest(&skin);
        frame.set(&skin, |v| {
            let p = skin.positions[v];
            p + Vec3::x() * 0.15 * p.x.signum()
        });
        let volume = EnclosedVolume::of(&skin);
        assert!(volume.change(&skin, &frame).expect("a volume") > 0.2);
        frame.cut = Some(Box::new(CutSurface {
            inside: 0..0,
            frame: SurfaceFrame::at_rest(&parted),
            surface,
            copied: Arc::default(),
            sharp: Arc::default(),
        }));
        assert!(volume.change(&skin, &frame).expect("a volume").abs() < 1e-6);
    }

    #[test]
    fn a_skin_that_encloses_nothing_has_no_change_of_volume() {
        let flat = SurfaceMesh::new(
            vec![Vec3::zeros(), Vec3::x(), Vec3::y()],
            vec![[0, 1, 2], [2, 1, 0]],
        );
        let mut frame = SurfaceFrame::default();
        frame.set(&flat, |v| flat.positions[v] + Vec3::z() * v as f64);
        let volume = EnclosedVolume::of(&flat);
        assert_eq!(volume.change(&flat, &frame), None);
    }
}
