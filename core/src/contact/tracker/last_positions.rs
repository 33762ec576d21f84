//! Positions of vertices at the last update.

use crate::math::Vec3;
use crate::mesh::SurfaceFrame;

/// Positions of the vertices that tools may touch, at the last update; none before the first.
#[derive(Debug, Clone, Default)]
pub(super) struct LastPositions {
    /// of the skin, m
    skin: Vec<[f32; 3]>,
    /// of the vertices that cuts have exposed, m
    inside: Vec<[f32; 3]>,
    /// the same at rest, m: another cut has other vertices
    inside_rest: Vec<Vec3>,
    is_same_cut: bool,
}

impl LastPositions {
    /// Finds out whether the cuts are those of the last update.
    pub fn compare_cut(&mut self, frame: &SurfaceFrame) {
        let rest = frame
            .cut
            .as_ref()
            .map(|cut| &cut.surface.positions[cut.inside.clone()]);
        self.is_same_cut = rest.unwrap_or_default() == self.inside_rest;
    }

    /// Displacement of vertex `v` (m) since the last update; it is at `position` (m) now. Zero where its last position is not known.
    pub fn displacement(&self, v: usize, position: &Vec3) -> Vec3 {
        let last = match v.checked_sub(self.skin.len()) {
            None => self.skin.get(v),
            Some(k) => self.inside.get(k).filter(|_| self.is_same_cut),
        };
        last.map_or(Vec3::zeros(), |last| {
            position - Vec3::from(last.map(f64::from))
        })
    }

    /// Stores the positions of an update.
    pub fn store(&mut self, frame: &SurfaceFrame) {
        self.skin.clone_from(&frame.positions);
        self.inside.clear();
        self.inside_rest.clear();
        if let Some(cut) = &frame.cut {
            self.inside
                .extend_from_slice(&cut.frame.positions[cut.inside.clone()]);
            self.inside_rest
                .extend_from_slice(&cut.surface.positions[cut.inside.clone()]);
        }
    }
}
