//! Contact points of a body that touch the body itself.

use crate::detection::detection_body::{DetectionBody, near_distance, reachable_place};
use crate::detection::found::FoundContacts;
use crate::detection::narrow_phase::pair_parameters::PairParameters;

impl FoundContacts {
    /// Points of `body` that touch the body itself. Pieces of a body keep themselves apart.
    pub fn within(&mut self, body: DetectionBody<'_>, parameters: &PairParameters<'_>) {
        let near = near_distance(
            body.shape.spacing,
            2.0 * body.deformed.max_speed,
            parameters.duration,
        );
        for (point, x) in body.deformed.positions.iter().enumerate() {
            let exempt = body.shape.exempt.row(point);
            let allowed = |p: u32| {
                exempt.binary_search(&p).is_err() && body.shape.are_one_piece(p, point as u32)
            };
            let facing = &body.deformed.normals[point];
            let place = body.deformed.nearest(body.shape, x, facing, near, allowed);
            // not if another corner of the triangle is exempt
            let place = place.filter(|place| place.triangle.iter().all(|&p| allowed(p)));
            let place = place
                .and_then(|place| reachable_place(body, body, point, place, parameters.duration));
            if let Some((place, relative)) = place {
                self.push_pair(body, body, point, &place, relative, parameters.friction);
            }
        }
    }
}
