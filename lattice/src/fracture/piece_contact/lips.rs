//! Candidates for contact of the two lips of a cut within one piece.

use pliant_core::math::bounds::Aabb;

use crate::asset::LatticeAsset;
use crate::asset::sites::Sites;
use crate::fracture::piece_contact::pair::{ContactPair, NormalRule, faces, lip_normal};
use crate::fracture::piece_contact::{MARGIN, MAX_TRAVEL, ParticleState, PieceContact};

/// Largest distance at which balls of two lips touch, cells: a cell along the normal, and the largest distance across it.
const MAX_TOUCHING_DISTANCE: f64 = 1.3;

impl PieceContact {
    /// Adds the pairs of balls along cuts of one piece that may touch in this frame.
    ///
    /// Particles with a common neighbour are left out: they lie at the end of a cut, where their common regions keep them apart.
    pub(super) fn find_lips(
        &mut self,
        asset: &LatticeAsset,
        sites: &Sites,
        state: &ParticleState<'_>,
        is_asleep: impl Fn(u32) -> bool,
    ) {
        let ParticleState { x, v, inverse_mass } = *state;
        let piece_of = |p: u32| asset.component[p as usize];
        self.lips.clear();
        let (mut bounds, mut fastest) = (Aabb::empty(), 0.0_f64);
        for (k, ball) in self.balls.iter().enumerate() {
            let p = ball.ends[0];
            if ball.has_lip() && !is_asleep(piece_of(p)) {
                self.lips.push(k as u32);
                bounds.grow(&ball.center(x));
                fastest = fastest.max(ball.center(v).norm_squared());
            }
        }
        if self.lips.is_empty() {
            return;
        }
        let travel = 2.0 * fastest.sqrt() * self.duration;
        let radius =
            self.cell * (MAX_TOUCHING_DISTANCE + MARGIN) + travel.min(MAX_TRAVEL * self.cell);
        let lips = self.lips.iter();
        let centers = lips.map(|&k| (k, self.balls[k as usize].center(x)));
        self.grid.build(&bounds, radius, centers);
        let cell = self.cell;
        for &a in &self.lips {
            let ball = &self.balls[a as usize];
            let (p, center, velocity) = (ball.ends[0], ball.center(x), ball.center(v));
            self.grid.visit(&center, radius, |b, distance| {
                let other = &self.balls[b as usize];
                let q = other.ends[0];
                if b <= a || piece_of(p) != piece_of(q) {
                    return;
                }
                let travel = (velocity - other.center(v)).norm() * self.duration;
                if distance > cell * (MAX_TOUCHING_DISTANCE + MARGIN) + travel {
                    return;
                }
                let Some(normal) = lip_normal(ball, other, x) else {
                    return;
                };
                let offset = center - other.center(x);
                if normal.dot(&offset) > cell * (1.0 + MARGIN) + travel
                    || !faces(&normal, &offset, cell + travel)
                    || sites.have_common_neighbour(p, q)
                {
                    return;
                }
                let rest = &asset.rest;
                let rest_offset = ball.center(rest) - other.center(rest);
                let rest_normal = lip_normal(ball, other, rest);
                // two faces with material between them are not lips of one cut
                if rest_normal.is_some_and(|normal| normal.dot(&rest_offset) < 0.0) {
                    return;
                }
                let rest_distance = rest_normal
                    .filter(|normal| faces(normal, &rest_offset, cell))
                    .map_or(cell, |normal| normal.dot(&rest_offset));
                self.pairs.push(ContactPair::new(
                    [*ball, *other],
                    NormalRule::OfLips,
                    rest_distance.clamp(0.0, cell),
                    inverse_mass,
                ));
            });
        }
    }
}
