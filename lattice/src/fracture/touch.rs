//! What tools, loads and other bodies act on in a broken body.
//!
//! A vertex in a parted cell moves with the corners of its part alone, and so does a corner of a cap. With the weights of the whole cell it would lie somewhere between pieces that have flown apart, and a
//! tool that touches one would throw the others.

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::model::PartedSurface;

use crate::fracture::skin::{CutSkin, Follower};
use crate::model::LatticeModel;

impl LatticeModel {
    fn cut_skin(&self) -> Option<&CutSkin> {
        self.fracturing.as_ref()?.skin.as_ref()
    }

    /// What other bodies touch; `None` while the skin is whole. It is drawn anew from all links that have broken, so that it does not depend on the frames in which they did: a restored body
    /// is touched in the same places. Cost: as much as to break all of these links at once ([`CutSkin::broke`]), and some microseconds a vertex of a cut.
    pub(crate) fn surface_in_parts(&self) -> Option<PartedSurface> {
        let f = self.fracturing.as_ref()?;
        let skin = self.cut_skin().filter(|skin| skin.drawn().is_some())?;
        let mut anew = skin.mended(&f.whole)?;
        let now = f.topology.sites();
        anew.broke(&self.asset, now, &f.broken, &f.shares);
        anew.in_parts(&self.asset, now)
    }

    /// Number of vertices that tools may touch: those of the skin, then corners of caps.
    pub(crate) fn touchable_count(&self) -> usize {
        let skin = self.asset.embedding.len();
        self.cut_skin().map_or(skin, CutSkin::touchable_count)
    }

    /// What a vertex that tools may touch follows, if that is not the whole of its cell.
    fn follower(&self, vertex: u32) -> Option<&Follower> {
        self.cut_skin()?.touchable(vertex)
    }

    /// The piece of a vertex that tools may touch.
    pub(crate) fn touched_piece(&self, vertex: u32) -> Option<u32> {
        if vertex as usize >= self.touchable_count() {
            return None;
        }
        if let Some(follower) = self.follower(vertex) {
            return Some(follower.piece(&self.asset));
        }
        let first = self.asset.embedding.row(vertex as usize).0.first()?;
        Some(self.asset.component[*first as usize])
    }

    /// The same, and where the vertex is, m.
    pub(crate) fn touched_at(&self, vertex: u32) -> Option<(u32, Vec3)> {
        let piece = self.touched_piece(vertex)?;
        let place = match self.follower(vertex) {
            Some(follower) => follower.place(&self.asset, &self.x, &self.q).0,
            None => self.asset.embedding.interpolate(vertex as usize, &self.x),
        };
        Some((piece, place))
    }

    /// Takes over the constraints of a frame on a body that can break, but for those on pieces that sleep. A vertex is carried along beside the particles of its part, by the rotations of their regions; what
    /// lies between is taken from its target.
    pub(crate) fn take_constraints(&mut self, constraints: &[DisplacementConstraint]) {
        let Some(f) = &mut self.fracturing else {
            return;
        };
        let mut touch = std::mem::take(&mut f.touch);
        touch.rows.clear();
        touch.constraints.clear();
        let awake = self.sleepers().map(|s| s.awake_of(constraints));
        for (k, c) in awake.unwrap_or(constraints).iter().enumerate() {
            let mut moved = DisplacementConstraint {
                vertex: k as u32,
                ..*c
            };
            if let Some(follower) = self.follower(c.vertex) {
                touch.rows.push(follower.row(), 0.0);
                let (place, _) = follower.place(&self.asset, &self.x, &self.q);
                moved.target -= place - touch.rows.interpolate(k, &self.x);
            } else {
                let (nodes, weights) = self.asset.embedding.row(c.vertex as usize);
                let row = nodes.iter().copied().zip(weights.iter().copied());
                touch.rows.push(row, 0.0);
            }
            touch.constraints.push(moved);
        }
        if let Some(f) = &mut self.fracturing {
            f.touch = touch;
        }
    }

    /// Calls `visit` with the particles and weights of a vertex of the skin.
    pub(crate) fn for_each_particle_of(&self, vertex: u32, mut visit: impl FnMut(u32, f64)) {
        if let Some(follower) = self.follower(vertex) {
            follower.row().for_each(|(p, weight)| visit(p, weight));
            return;
        }
        let (nodes, weights) = self.asset.embedding.row(vertex as usize);
        for (&p, &weight) in nodes.iter().zip(weights) {
            visit(p, weight);
        }
    }
}
