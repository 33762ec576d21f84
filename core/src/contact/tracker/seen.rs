//! Where vertices were at the last update.

use crate::math::Vec3;
use crate::mesh::SurfaceFrame;

/// Positions of the vertices that tools may touch, at the last update; none before the first.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// of the skin, m
    skin: Vec<[f32; 3]>,
    /// of what cuts have laid open, m
    inside: Vec<[f32; 3]>,
    /// the same at rest, m: another cut has other vertices
    inside_rest: Vec<Vec3>,
    is_same_cut: bool,
}

impl Seen {
    /// Looks whether the cuts are those of the last update.
    pub fn compare(&mut self, frame: &SurfaceFrame) {
        let rest = frame
            .cut
            .as_ref()
            .map(|cut| &cut.surface.positions[cut.inside.clone()]);
        self.is_same_cut = rest.unwrap_or_default() == self.inside_rest;
    }

    /// How far vertex `v` at `here` (m) has come since the last update, m.
    pub fn travel(&self, v: usize, here: &Vec3) -> Vec3 {
        let seen = match v.checked_sub(self.skin.len()) {
            None => self.skin.get(v),
            Some(k) => self.inside.get(k).filter(|_| self.is_same_cut),
        };
        seen.map_or(Vec3::zeros(), |seen| here - Vec3::from(seen.map(f64::from)))
    }

    /// Keeps the positions of an update.
    pub fn keep(&mut self, frame: &SurfaceFrame) {
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
