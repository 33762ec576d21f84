//! Contact points of a body that touch the body itself.

use crate::detection::found::Found;
use crate::detection::narrow_phase::pair_rule::PairRule;
use crate::detection::touching::{Touching, near_distance, touching};

impl Found {
    /// Points of `body` that touch the body itself. Pieces of a body keep themselves apart.
    pub fn within(&mut self, body: Touching<'_>, rule: &PairRule<'_>) {
        let near = near_distance(
            body.shape.spacing,
            2.0 * body.deformed.max_speed,
            rule.duration,
        );
        for (point, x) in body.deformed.positions.iter().enumerate() {
            let exempt = body.shape.exempt.row(point);
            let allowed = |p: u32| {
                exempt.binary_search(&p).is_err() && body.shape.are_one_piece(p, point as u32)
            };
            let facing = &body.deformed.normals[point];
            let place = body.deformed.nearest(body.shape, x, facing, near, allowed);
            // the triangle may reach where its nearest corner is not exempt but another one is
            let place = place.filter(|place| place.triangle.iter().all(|&p| allowed(p)));
            let place = place.and_then(|place| touching(body, body, point, place, rule.duration));
            if let Some((place, relative)) = place {
                self.push_pair(body, body, point, &place, relative, rule.friction);
            }
        }
    }
}
