//! Candidates for contact of different pieces.

use pliant_core::math::bounds::Aabb;

use crate::asset::LatticeAsset;
use crate::fracture::piece_contact::contact_ball::ContactBall;
use crate::fracture::piece_contact::pair::{ContactPair, NormalRule};
use crate::fracture::piece_contact::{MARGIN, MAX_TRAVEL, ParticleState, PieceContact};

impl PieceContact {
    /// Adds the pairs of balls of different pieces that may touch in this frame.
    pub(super) fn find_pieces(
        &mut self,
        asset: &LatticeAsset,
        state: &ParticleState<'_>,
        is_asleep: impl Fn(u32) -> bool,
    ) {
        let count = asset.component_count();
        if count < 2 {
            return;
        }
        let ParticleState { x, v, inverse_mass } = *state;
        let piece_of = |ball: &ContactBall| asset.component[ball.ends[0] as usize];
        self.ball_counts.clear();
        self.ball_counts.resize(count, 0);
        for ball in &self.balls {
            self.ball_counts[piece_of(ball) as usize] += 1;
        }
        // all pieces but the largest (the first of several) search for balls of others
        let pieces = (0..count as u32).rev();
        let largest = pieces.max_by_key(|&c| self.ball_counts[c as usize]);
        let largest = largest.unwrap_or(0);
        let (mut fastest, mut search_box) = ([0.0_f64; 2], Aabb::empty());
        for ball in &self.balls {
            let searches = piece_of(ball) != largest;
            let fastest = &mut fastest[usize::from(searches)];
            *fastest = fastest.max(ball.center(v).norm_squared());
            if searches {
                search_box.grow(&ball.center(x));
            }
        }
        let travel = (fastest[0].sqrt() + fastest[1].sqrt()) * self.duration;
        let radius = self.cell * (1.0 + MARGIN) + travel.min(MAX_TRAVEL * self.cell);
        let search_box = search_box.inflated(radius);
        let centers = (0..).zip(&self.balls).filter_map(|(k, ball)| {
            let center = ball.center(x);
            let is_near = piece_of(ball) != largest || search_box.contains(&center);
            is_near.then_some((k, center))
        });
        self.grid.build(&search_box, radius, centers);
        for (a, ball) in self.balls.iter().enumerate() {
            let own_piece = piece_of(ball);
            if own_piece == largest {
                continue;
            }
            let sleeps = is_asleep(own_piece);
            let (center, velocity) = (ball.center(x), ball.center(v));
            self.grid.visit(&center, radius, |b, distance| {
                let other = &self.balls[b as usize];
                let piece = piece_of(other);
                if piece == own_piece || piece != largest && b < a as u32 {
                    return;
                }
                if sleeps && is_asleep(piece) {
                    return;
                }
                let travel = (velocity - other.center(v)).norm() * self.duration;
                if distance > self.cell * (1.0 + MARGIN) + travel {
                    return;
                }
                let rest_distance = (ball.center(&asset.rest) - other.center(&asset.rest)).norm();
                self.pairs.push(ContactPair::new(
                    [*ball, *other],
                    NormalRule::BetweenCenters,
                    rest_distance.min(self.cell),
                    inverse_mass,
                ));
            });
        }
    }
}
